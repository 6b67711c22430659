"""What happened to units, put into words for pages."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Project
from annotation.units.sets.queries import list_progress
from annotation.units.templatetags.unit_words import (
    Piece,
    action_words,
    compare_words,
    unit_changes,
    with_progress,
)
from tests import factories


def marked(pieces: list[Piece]) -> str:
    return "".join(f"[{piece.text}]" if piece.is_changed else piece.text for piece in pieces)


@pytest.mark.parametrize(
    "before, after, went, came",
    [
        ("The dam burst.", "The dam burst.", "The dam burst.", "The dam burst."),
        ("The dam burst.", "The dam broke.", "The dam [burst].", "The dam [broke]."),
        ("The dam burst", "The dam burst today", "The dam burst", "The dam burst [today]"),
        ("The old dam burst.", "The dam burst.", "The [old] dam burst.", "The dam burst."),
        ("A dam burst.", "", "[A dam burst.]", ""),
        ("", "A dam burst.", "", "[A dam burst.]"),
        ("", "", "", ""),
        ("It rose 3.5 m", "It rose 3.6 m", "It rose 3.[5] m", "It rose 3.[6] m"),
    ],
)
def test_it_marks_the_words_that_differ(before: str, after: str, went: str, came: str):
    wording = compare_words(before, after)
    assert (marked(wording.before), marked(wording.after)) == (went, came)


@pytest.mark.parametrize("text", ["  a  b ", "a\u00a0b — c", "水災。 水", "<b>&amp;</b>"])
def test_it_loses_nothing_of_a_text(text: str):
    for wording in (compare_words(text, "another"), compare_words("another", text)):
        assert text in (
            "".join(p.text for p in wording.before),
            "".join(p.text for p in wording.after),
        )


@pytest.mark.parametrize(
    "action, words",
    [("create", "wrote a unit"), ("merge", "merged units"), ("my own", "my own")],
)
def test_it_says_what_somebody_did(action: str, words: str):
    assert action_words(action) == words


def state(text: str, **differing: Any) -> dict[str, Any]:
    return {"text": text, "deleted": False, "spans": [], "weight": 1, "position": 0} | differing


@pytest.mark.parametrize(
    "before, after, expected",
    [
        ({}, state("a"), ("new", "", "a")),
        (state("a"), state("b"), ("reworded", "a", "b")),
        (state("a"), state("a", deleted=True), ("deleted", "a", "")),
        (state("a", deleted=True), state("a"), ("restored", "", "a")),
        (state("a"), state("a", spans=[1]), ("covers different words", "a", "a")),
        (
            state("a"),
            state("b", spans=[1], weight=2),
            ("reworded, covers different words, different weight", "a", "b"),
        ),
        (state("a"), state("a", position=3), ("only the order changed", "", "")),
    ],
)
def test_it_tells_what_became_of_a_unit(
    before: dict[str, Any], after: dict[str, Any], expected: tuple[str, str, str]
):
    (told,) = unit_changes([{"before": before, "after": after}])
    assert (told.words, told.before, told.after) == expected


def test_it_leaves_out_units_that_only_made_room():
    moved = {"before": state("b"), "after": state("b", position=1)}
    told = unit_changes([{"before": {}, "after": state("a")}, moved])
    assert [change.after for change in told] == ["a"]


def test_it_counts_how_far_each_set_is(corpus: Project, owner: User, editor: User):
    first = factories.make_set(corpus, owner)
    factories.sign_examples(first, owner, editor)
    second = factories.make_set(corpus, owner, name="Others")
    assert with_progress([first, second]) == [
        (first, {"written": 0, "signed": 3, "todo": 0, "spared": 0}),
        (second, {"written": 0, "signed": 0, "todo": 3, "spared": 0}),
    ]


def test_it_asks_once_for_all_sets(corpus: Project, owner: User, django_assert_num_queries: Any):
    sets = [factories.make_set(corpus, owner, name=f"Set {number}") for number in range(3)]
    with django_assert_num_queries(1):
        assert len(list_progress(sets)) == 3
