"""Clauses: which verbs there are, who does it, and the words of the verb."""

from __future__ import annotations

import pytest

from scoring.stu.rich.verbs import NO_SUBJECT, Clause, list_clauses
from tests.scoring.stu.rich.candidates import trees

CLAUSES = {
    "The nurse does not smoke.": [("nurse", "does not smoke")],
    "The council will no longer pay.": [("council", "will no longer pay")],
    "Two men were arrested and charged with theft.": [
        ("men", "were arrested"),
        ("men", "were charged"),
    ],
    "The boat that sank last week was built by Ann.": [("boat", "was built"), ("boat", "sank")],
    "A law passed in May bans the trade.": [("law", "bans"), ("law", "was passed")],
    "The crew has vowed to tackle crime and bring peace.": [
        ("crew", "has vowed"),
        ("crew", "has vowed to tackle"),
        ("crew", "has vowed to bring"),
    ],
    "The judge asked the firm not to sell the land.": [
        ("judge", "asked"),
        ("judge", "asked the firm not to sell"),
    ],
    "He was jailed after being caught with a knife.": [("He", "was jailed"), ("He", "was caught")],
    "Climbers have reached the summit to set a record.": [
        ("Climbers", "have reached"),
        ("Climbers", "set"),
    ],
    "Having won the cup, the team flew home.": [("team", "flew"), ("team", "has won")],
    "Officials are warning that the river may rise.": [
        ("Officials", "are warning"),
        ("river", "may rise"),
    ],
    "Shoppers seen queueing outside.": [("Shoppers", "seen"), ("Shoppers", "seen queueing")],
    "Was stopped at the border.": [("", "Was stopped")],
    "If it rains, the match must be moved.": [("match", "must be moved")],
}


def clauses_of(sentence: str) -> list[Clause]:
    (tree,) = trees(sentence)
    return list_clauses(tree)


@pytest.mark.parametrize(("sentence", "wanted"), CLAUSES.items())
def test_it_finds_subjects_and_verbs(sentence: str, wanted: list[tuple[str, str]]) -> None:
    (tree,) = trees(sentence)
    found = []
    for clause in list_clauses(tree):
        who = "" if clause.subject == NO_SUBJECT else tree.words[clause.subject]
        said = (p if isinstance(p, str) else tree.words[p] for p in clause.group)
        found.append((who, " ".join(said)))
    assert found == wanted


@pytest.mark.parametrize(
    ("sentence", "kinds"),
    [
        ("The boat that sank was built by Ann.", ["ROOT", "relcl"]),
        ("A law passed in May bans the trade.", ["ROOT", "acl"]),
        ("The crew has vowed to help.", ["ROOT", "chained"]),
        ("He was jailed after being caught.", ["ROOT", "controlled"]),
        ("Was stopped at the border.", ["open"]),
    ],
)
def test_it_tells_how_a_subject_was_found(sentence: str, kinds: list[str]) -> None:
    assert [clause.kind for clause in clauses_of(sentence)] == kinds


def test_it_counts_the_clauses_above() -> None:
    found = clauses_of("Officials say that the river may rise after the dam broke.")
    assert [clause.depth for clause in found] == [0, 1, 2]


def test_it_takes_verbs_of_noun_phrases_for_no_clauses() -> None:
    assert len(clauses_of("The damaged bridge has a broken railing.")) == 1
