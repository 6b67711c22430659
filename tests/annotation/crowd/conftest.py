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
    from tests import factories

    unit_set = factories.make_set(corpus, owner)
    for row in corpus.examples.all():
        factories.add_unit(unit_set, row, owner, "The dam burst.")
        factories.add_unit(unit_set, row, owner, "Nobody was hurt.")
    factories.freeze(unit_set, owner)
    unit_set.refresh_from_db()
    return unit_set


@pytest.fixture
def campaign(frozen: UnitSet, owner: User) -> Campaign:
    """Six summaries, two assignments each, at ten cents."""
    from annotation.crowd import services

    return services.create_campaign(
        project=frozen.project,
        user=owner,
        unit_set=frozen,
        name="First",
        reward="0.10",
        assignments_per_hit=2,
    )
