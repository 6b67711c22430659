"""Campaigns that have come as far as a page needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from annotation.crowd.models import Campaign
    from tests.annotation.crowd.wire import Wire


@pytest.fixture
def published(campaign: Campaign, wire: Wire) -> Campaign:
    from tests.annotation.crowd.campaigns.playing import publish

    return publish(campaign)


@pytest.fixture
def collected(published: Campaign) -> Campaign:
    """Two workers did all six HITs and disagree on every second statement."""
    from tests.annotation.crowd.campaigns.playing import collect, work_off

    work_off("ann", s1="present", s2="absent")
    work_off("bob", s1="present", s2="present")
    found = collect(published)
    # Nobody is believed to have worked for longer than the clock says, and here nobody waited.
    found.assignments.update(seconds=30)
    return found
