"""A set with a few units, and anybody of the cast by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.annotation.conftest import sign_in

if TYPE_CHECKING:
    from django.test import Client

    from annotation.corpora.accounts.models import User
    from annotation.corpora.corpus.models import Example
    from annotation.corpora.projects.models import Project
    from annotation.units.sets.models import UnitSet


# Models can be imported only once the settings are there, and conftest files come before them.


@pytest.fixture
def as_who(request: pytest.FixtureRequest) -> Callable[[str], Client]:
    def client(who: str) -> Client:
        return sign_in(None if who == "anonymous" else request.getfixturevalue(who))

    return client


@pytest.fixture(scope="module")
def kept_unit_set(kept_corpus: Project) -> UnitSet:
    from annotation.corpora.accounts.models import User
    from tests import factories

    return factories.make_set(kept_corpus, User.objects.get(email="owner@example.org"))


@pytest.fixture
def unit_set(kept_unit_set: UnitSet, corpus: Project) -> UnitSet:
    """Made once for a module."""
    return type(kept_unit_set).objects.get(pk=kept_unit_set.pk)


@pytest.fixture
def example(unit_set: UnitSet) -> Example:
    return unit_set.project.examples.get(key="e1")


@pytest.fixture(scope="module")
def kept_written(kept_unit_set: UnitSet) -> UnitSet:
    from annotation.corpora.accounts.models import User
    from tests import factories

    owner = User.objects.get(email="owner@example.org")
    example = kept_unit_set.project.examples.get(key="e1")
    for text in ("The dam burst.", "Nobody was hurt."):
        factories.add_unit(kept_unit_set, example, owner, text, reference=0)
    return kept_unit_set


@pytest.fixture
def written(kept_written: UnitSet, unit_set: UnitSet) -> UnitSet:
    """Two units of the first example."""
    return unit_set


@pytest.fixture
def frozen(written: UnitSet, owner: User, editor: User) -> UnitSet:
    from tests import factories

    factories.sign_examples(written, owner, editor)
    factories.freeze(written, owner, reason="")
    return written
