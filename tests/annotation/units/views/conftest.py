"""A set with a few units, and anybody of the cast by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.annotation.conftest import sign_in

# Models can be imported only once the settings are there, and conftest files come before them.
if TYPE_CHECKING:
    from django.test import Client

    from annotation.corpora.models import Example, Project, User
    from annotation.units.models import UnitSet


@pytest.fixture
def as_who(request: pytest.FixtureRequest) -> Callable[[str], Client]:
    def client(who: str) -> Client:
        return sign_in(None if who == "anonymous" else request.getfixturevalue(who))

    return client


@pytest.fixture
def unit_set(corpus: Project, owner: User) -> UnitSet:
    from tests import factories

    return factories.make_set(corpus, owner)


@pytest.fixture
def example(unit_set: UnitSet) -> Example:
    return unit_set.project.examples.get(key="e1")


@pytest.fixture
def written(unit_set: UnitSet, example: Example, owner: User) -> UnitSet:
    """Two units of the first example."""
    from tests import factories

    factories.add_unit(unit_set, example, owner, "The dam burst.", reference=0)
    factories.add_unit(unit_set, example, owner, "Nobody was hurt.", reference=0)
    return unit_set


@pytest.fixture
def frozen(written: UnitSet, owner: User, editor: User) -> UnitSet:
    from tests import factories

    factories.sign_examples(written, owner, editor)
    factories.freeze(written, owner, reason="")
    return written
