"""Noun phrases in four lengths."""

from __future__ import annotations

import pytest

from scoring.stu.rich import phrases
from tests.scoring.stu.rich.candidates import trees

# Sentence and noun: short, plain, full, bare.
LENGTHS = {
    ("The old mayor of Ammer sold a mill.", "mayor"): (
        "The mayor", "The old mayor", "The old mayor of Ammer", "the mayor",
    ),
    ("Sir John Moor met a judge.", "Moor"): ("Sir John Moor",) * 4,
    ("Thousands of angry people marched.", "Thousands"): ("Thousands of angry people",) * 4,
    ("The hotel suite on the roof is empty.", "suite"): (
        "The hotel suite", "The hotel suite", "The hotel suite on the roof", "the hotel suite",
    ),
    ("Her three young sons left.", "sons"): (
        "Her three sons", "Her three young sons", "Her three young sons", "the sons",
    ),
    ("They left.", "They"): ("They",) * 4,
}  # fmt: skip


@pytest.mark.parametrize(("sentence", "noun"), LENGTHS)
def test_it_says_a_noun_phrase_shorter_and_longer(sentence: str, noun: str) -> None:
    (tree,) = trees(sentence)
    head = tree.words.index(noun)
    found = []
    for form in (phrases.short, phrases.plain, phrases.full, phrases.bare):
        pieces = form(tree, head)
        found.append(" ".join(p if isinstance(p, str) else tree.words[p] for p in pieces))
    assert tuple(found) == LENGTHS[sentence, noun]


def test_it_leaves_clauses_out_of_all_but_the_whole() -> None:
    (tree,) = trees("The ferry that sank in May was old.")
    head = tree.words.index("ferry")
    assert phrases.full(tree, head) == [0, 1]
    assert phrases.whole(tree, head) == [0, 1, 2, 3, 4, 5]


def test_it_finds_where_a_name_begins() -> None:
    (tree,) = trees("Norway goalkeeper Erik Lund met the king.")
    assert phrases.name_start(tree, 3) == 2
    assert phrases.name_start(tree, 6) is None


def test_it_says_all_members_of_a_coordination() -> None:
    (tree,) = trees("Heavy rain and a cold wind damaged the roof.")
    found = [tree.words[place] for place in phrases.all_members(tree, 1)]
    assert found == ["rain", "and", "a", "wind"]


def test_it_takes_a_mention_for_one_whole() -> None:
    first, second = trees("Ann Lee won.", "The 26-year-old smiled.", coref=True)
    assert not first.mentions
    head = second.words.index("old")
    said = [second.words[place] for place in phrases.short(second, head)]
    assert said == [second.words[place] for place in phrases.full(second, head)]
    assert said[0] == "The"
    assert said[-1] == "old"
