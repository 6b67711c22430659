"""Two sets side by side."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Example
from annotation.corpora.projects.models import Project
from annotation.units.sets import comparison
from annotation.units.sets.models import UnitSet
from tests import factories
from tests.annotation.corpora.pages import HOSTILE, page_of

As = Callable[[str], Client]


@pytest.fixture
def other(written: UnitSet, example: Example, owner: User) -> UnitSet:
    """One unit reworded, one gone, one new."""
    made = factories.make_set(written.project, owner, name="Others")
    factories.add_unit(made, example, owner, "The old dam burst.", reference=0)
    factories.add_unit(made, example, owner, "It was a Monday.")
    return made


def address(first: UnitSet, second: UnitSet) -> str:
    return f"/p/study/units/{first.pk}/compare/{second.pk}/"


@pytest.mark.parametrize(
    "who, status",
    [("owner", 200), ("editor", 200), ("annotator", 200), ("viewer", 200), ("outsider", 404)],
)
def test_it_is_open_to_members(who: str, status: int, written: UnitSet, other: UnitSet, as_who: As):
    assert as_who(who).get(address(written, other)).status_code == status


def test_it_asks_strangers_to_sign_in(written: UnitSet, other: UnitSet, client: Client):
    assert client.get(address(written, other))["Location"].startswith("/sign-in/")


def test_it_shows_what_differs_in_words(written: UnitSet, other: UnitSet, as_viewer: Client):
    page = page_of(as_viewer.get(address(written, other)))
    assert "from SCUs v1 to Others v1" in page.text
    assert "2 → 2 units. 1 of 1 example differs." in page.text
    assert "changed The dam burst. The old dam burst." in page.text
    assert "removed Nobody was hurt. –" in page.text
    assert "added – It was a Monday." in page.text
    for marked in ("<ins>old</ins>", "<del>Nobody was hurt.</del>", "<ins>It was a Monday.</ins>"):
        assert marked in page.html


def test_it_reads_the_other_way_round(written: UnitSet, other: UnitSet, as_viewer: Client):
    assert address(other, written) in page_of(as_viewer.get(address(written, other))).links
    page = page_of(as_viewer.get(address(other, written)))
    assert "<del>old</del>" in page.html
    assert "<ins>Nobody was hurt.</ins>" in page.html


def test_it_says_that_nothing_differs(written: UnitSet, as_viewer: Client):
    page = page_of(as_viewer.get(address(written, written)))
    assert "No differences" in page.text
    assert "<ins>" not in page.html


def test_it_says_that_only_the_order_differs(
    written: UnitSet, example: Example, owner: User, as_viewer: Client
):
    made = factories.make_set(written.project, owner, name="Others")
    for text in ("Nobody was hurt.", "The dam burst."):
        factories.add_unit(made, example, owner, text, reference=0)
    page = page_of(as_viewer.get(address(written, made)))
    assert "the same units in a different order" in page.text


def test_it_shows_other_weights_and_words(
    written: UnitSet, example: Example, owner: User, as_viewer: Client
):
    made = factories.make_set(written.project, owner, name="Others")
    factories.add_unit(made, example, owner, "The dam burst.", reference=0)
    factories.add_unit(made, example, owner, "Nobody was hurt.")
    made.units.filter(text="The dam burst.").update(weight=2)
    page = page_of(as_viewer.get(address(written, made)))
    assert "The dam burst. weight 1 The dam burst. weight 2" in page.text
    assert "“ The d ” Nobody was hurt. covers no words" in page.text


def test_it_turns_pages(
    unit_set: UnitSet, owner: User, as_viewer: Client, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(comparison, "PAGE_SIZE", 2)
    other = factories.make_set(unit_set.project, owner, name="Others")
    for example in unit_set.project.examples.all():
        factories.add_unit(other, example, owner, "The dam burst.")
    here = address(unit_set, other)
    page = page_of(as_viewer.get(here))
    assert "1–2 of 3 examples" in page.text
    assert "?page=2" in page.links
    page = page_of(as_viewer.get(here, {"page": "2"}))
    assert "3–3 of 3 examples" in page.text
    assert "e3" in page.words
    assert "e1" not in page.words


def test_it_escapes_what_people_wrote(corpus: Project, owner: User, as_viewer: Client):
    example = corpus.examples.all()[0]
    first, second = (factories.make_set(corpus, owner, name=f"{n}{HOSTILE}") for n in "ab")
    factories.add_unit(first, example, owner, f"{HOSTILE} was here.")
    factories.add_unit(first, example, owner, f"gone: {HOSTILE} {HOSTILE}")
    factories.add_unit(second, example, owner, f"{HOSTILE} was there.")
    Example.objects.filter(key="e1").update(key=HOSTILE)
    page = page_of(as_viewer.get(address(first, second)))
    assert f"{HOSTILE} was here" in page.text.replace(" .", ".")
    assert f"gone: {HOSTILE} {HOSTILE}" in page.text
