"""Campaigns that have come as far as a page needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from annotation.crowd.campaigns.models import Campaign


@pytest.fixture
def collected(collected: Campaign) -> Campaign:
    """Nobody is believed to have worked for longer than the clock says, and nobody waited."""
    collected.assignments.update(seconds=30)
    return collected
