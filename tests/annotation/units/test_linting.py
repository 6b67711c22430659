"""The linter and the merge assistant answer while somebody waits: they refuse too much."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Example
from annotation.errors import TooLarge
from annotation.units.sets.models import UnitSet
from annotation.units.studio import linting, merging
from tests.annotation.corpora.rest import Rest
from tests.annotation.units.writing import add


@pytest.fixture
def unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    """No text is compared with another."""

    def fail(*_: object, **__: object) -> Any:
        raise AssertionError("it was compared")

    monkeypatch.setattr(linting, "lint_unit", fail)
    monkeypatch.setattr(linting, "lint_example", fail)
    monkeypatch.setattr(merging, "propose_clusters", fail)


@pytest.fixture
def here(draft: UnitSet, e1: Example) -> str:
    return f"/projects/study/unit-sets/{draft.pk}/examples/{e1.pk}/"


@pytest.mark.usefixtures("unasked")
@pytest.mark.parametrize("name, words", [("MOST_UNITS", "2 units"), ("MOST_TOKENS", "too long")])
def test_it_checks_no_more_than_a_page_can_wait_for(
    name: str,
    words: str,
    draft: UnitSet,
    e1: Example,
    owner: User,
    here: str,
    monkeypatch: pytest.MonkeyPatch,
):
    add(draft, e1, owner, "The dam burst.", "It was Monday.")
    monkeypatch.setattr(linting, name, 1)
    told = Rest(owner).get(here).json()["warnings"]
    (warning,) = told.pop("example")
    assert words in warning["message"]
    assert all(row == [] for row in told.values())
    typed = Rest(owner).post(f"{here}lint/", {"text": "The dam."}).json()["warnings"]
    assert words in typed[0]["message"]


@pytest.mark.usefixtures("unasked")
def test_it_proposes_no_merges_of_too_many_units(
    draft: UnitSet, e1: Example, owner: User, monkeypatch: pytest.MonkeyPatch
):
    add(draft, e1, owner, "The dam burst.", "It was Monday.")
    monkeypatch.setattr(merging, "MOST_UNITS", 1)
    with pytest.raises(TooLarge, match="2 units are too many"):
        merging.list_clusters(draft, e1)
