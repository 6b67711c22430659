"""A campaign that is drafted, that is out, and whose answers are in: made once for a module."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.annotation.conftest import find_kept, share

if TYPE_CHECKING:
    from annotation.corpora.accounts.models import User
    from annotation.corpora.projects.models import Project
    from annotation.crowd.campaigns.models import Campaign
    from annotation.units.sets.models import UnitSet
    from tests.annotation.crowd.wire import Wire


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    share(items, Path(__file__).parent, "frozen", "campaign")


@pytest.fixture(scope="module")
def kept_frozen(kept_corpus: Project) -> UnitSet:
    from annotation.corpora.accounts.models import User
    from tests.annotation.crowd.campaigns.playing import make_frozen

    return make_frozen(kept_corpus, User.objects.get(email="owner@example.org"))


@pytest.fixture
def frozen(request: pytest.FixtureRequest, corpus: Project, owner: User) -> UnitSet:
    """Two statements for each of the corpus's three examples."""
    from tests.annotation.crowd.campaigns.playing import make_frozen

    return find_kept(request, "frozen") or make_frozen(corpus, owner)


@pytest.fixture(scope="module")
def kept_campaign(kept_frozen: UnitSet) -> Campaign:
    from annotation.corpora.accounts.models import User
    from tests.annotation.crowd.campaigns.playing import make_campaign

    return make_campaign(kept_frozen, User.objects.get(email="owner@example.org"))


@pytest.fixture
def campaign(request: pytest.FixtureRequest, frozen: UnitSet, owner: User) -> Campaign:
    """Six summaries, two assignments each, at ten cents."""
    from tests.annotation.crowd.campaigns.playing import make_campaign

    return find_kept(request, "campaign") or make_campaign(frozen, owner)


@pytest.fixture(scope="module")
def kept_published(kept_campaign: Campaign) -> Campaign:
    from annotation.crowd.campaigns.models import Campaign
    from tests.annotation.crowd.campaigns.playing import publish
    from tests.annotation.crowd.wire import Wire

    with pytest.MonkeyPatch.context() as patch:
        Wire().put_in(patch)
        return publish(Campaign.objects.get(pk=kept_campaign.pk))


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
