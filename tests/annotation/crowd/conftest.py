"""A campaign, and the marketplace within reach of it without a network."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from annotation.corpora.models import Project, User
    from annotation.crowd.models import Campaign
    from annotation.units.models import UnitSet


@pytest.fixture
def frozen(corpus: Project, owner: User) -> UnitSet:
    """Two statements for each of the corpus's three examples."""
    from tests.annotation.crowd.campaigns.playing import make_frozen

    return make_frozen(corpus, owner)


@pytest.fixture
def campaign(frozen: UnitSet, owner: User) -> Campaign:
    """Six summaries, two assignments each, at ten cents."""
    from tests.annotation.crowd.campaigns.playing import make_campaign

    return make_campaign(frozen, owner)
