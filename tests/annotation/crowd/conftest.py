"""Units that are frozen, for judgements from elsewhere: made once for a module."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.annotation.conftest import find_kept, share

if TYPE_CHECKING:
    from annotation.corpora.accounts.models import User
    from annotation.corpora.projects.models import Project
    from annotation.units.sets.models import UnitSet


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    share(items, Path(__file__).parent, "unit_set")


@pytest.fixture(scope="module")
def kept_unit_set(kept_corpus: Project) -> UnitSet:
    from annotation.corpora.accounts.models import User
    from tests.annotation.crowd.results import make_frozen

    return make_frozen(kept_corpus, User.objects.get(email="owner@example.org"))


@pytest.fixture
def unit_set(request: pytest.FixtureRequest, corpus: Project, owner: User) -> UnitSet:
    """Three statements for each of the corpus's three examples."""
    from tests.annotation.crowd.results import make_frozen

    return find_kept(request, "unit_set") or make_frozen(corpus, owner)
