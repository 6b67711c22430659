"""A set on a small corpus, and two people who write in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from annotation.corpora.accounts.models import User
    from annotation.corpora.corpus.models import Example
    from annotation.corpora.projects.models import Project
    from annotation.units.sets.models import UnitSet


# Models can be imported only once the settings are there, and conftest files come before them.


@pytest.fixture
def draft(corpus: Project, owner: User) -> UnitSet:
    from tests import factories

    return factories.make_set(corpus, owner, "draft")


@pytest.fixture
def e1(corpus: Project) -> Example:
    return corpus.examples.get(key="e1")


@pytest.fixture
def e2(corpus: Project) -> Example:
    return corpus.examples.get(key="e2")
