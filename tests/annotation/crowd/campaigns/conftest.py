"""A campaign that is out, and one whose answers are in: made once for a module."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from annotation.corpora.models import Project
    from annotation.crowd.models import Campaign
    from tests.annotation.crowd.wire import Wire


@pytest.fixture(scope="module")
def kept_published(kept_corpus: Project) -> Campaign:
    from annotation.corpora.models import User
    from tests.annotation.crowd.campaigns import playing
    from tests.annotation.crowd.wire import Wire

    owner = User.objects.get(email="owner@example.org")
    made = playing.make_campaign(playing.make_frozen(kept_corpus, owner), owner)
    with pytest.MonkeyPatch.context() as patch:
        Wire().put_in(patch)
        return playing.publish(made)


@pytest.fixture(scope="module")
def kept_collected(kept_published: Campaign) -> Campaign:
    """Two workers did all six HITs and disagree on every second statement."""
    from tests.annotation.crowd.campaigns.playing import collect, work_off
    from tests.annotation.crowd.wire import Wire

    work_off("ann", s1="present", s2="absent", giza_seconds="30")
    work_off("bob", s1="present", s2="present", giza_seconds="30")
    with pytest.MonkeyPatch.context() as patch:
        Wire().put_in(patch)
        return collect(kept_published)


@pytest.fixture
def published(db: None, wire: Wire, kept_published: Campaign) -> Campaign:
    return type(kept_published).objects.get(pk=kept_published.pk)


@pytest.fixture
def collected(db: None, wire: Wire, kept_collected: Campaign) -> Campaign:
    return type(kept_collected).objects.get(pk=kept_collected.pk)


@pytest.fixture(autouse=True)
def nothing_remembered() -> None:
    """What was worked out about a campaign was that of another test."""
    from django.core.cache import cache

    cache.clear()
