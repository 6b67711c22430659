"""Mentions unified to a name: what is renamed, and what other names say."""

from __future__ import annotations

import pytest

from scoring.stu.coreference import (
    Renaming,
    cluster_of,
    is_owner,
    list_namings,
    list_renamings,
    rename,
)

TEXTS = ["Ann Lee of Ammer won gold .", "She sold her cup .", "The baker's son saw Ann ."]
MENTIONS = [(0, 0, 7), (1, 0, 3), (1, 9, 12), (2, 0, 11), (2, 20, 23)]


def test_it_names_a_cluster_by_its_first_mention_that_is_no_pronoun() -> None:
    cluster = cluster_of([(1, 0, 3), (0, 21, 25), (2, 0, 11)], TEXTS)
    assert cluster is not None
    assert TEXTS[cluster.name.sentence][cluster.name.start : cluster.name.end] == "gold"
    assert cluster_of([(1, 0, 3), (1, 9, 12)], TEXTS) is None


def test_it_renames_every_mention() -> None:
    cluster = cluster_of(MENTIONS, TEXTS)
    assert cluster is not None
    found = list_renamings([cluster], TEXTS)
    renamed = [rename(text, (0, len(text)), row) for text, row in zip(TEXTS, found, strict=True)]
    assert renamed == [
        "Ann Lee of Ammer won gold .",
        "Ann Lee sold Ann Lee's cup .",
        "Ann Lee's son saw Ann Lee .",
    ]


def test_it_can_keep_a_pronoun_after_the_name() -> None:
    cluster = cluster_of(MENTIONS, TEXTS)
    assert cluster is not None
    _, second, third = list_renamings([cluster], TEXTS, keeps_pronouns=True)
    assert rename(TEXTS[1], (0, 16), second) == "Ann Lee sold her cup"
    assert rename(TEXTS[1], (9, 16), second) == "Ann Lee's cup"
    assert rename(TEXTS[1], (9, 16), second, said="Ann Lee") == "her cup"
    assert rename(TEXTS[2], (0, 23), third) == "Ann Lee's son saw Ann Lee"


def test_it_keeps_a_mention_that_reaches_out() -> None:
    renamings = [Renaming(0, 11, "Ann")]
    assert rename("The old man left", (4, 16), renamings) == "old man left"


def test_it_renames_the_longest_of_nested_mentions() -> None:
    texts = ["Ann won .", "Ann 's friend Ben won ."]
    outer = cluster_of([(0, 0, 3), (1, 0, 13)], texts)
    inner = cluster_of([(1, 0, 3), (1, 14, 17)], texts)
    assert outer is not None
    assert inner is not None
    assert list_renamings([inner, outer], texts)[1] == [
        Renaming(0, 13, "Ann"),
        Renaming(14, 17, "Ann"),
    ]


def test_it_tells_other_names_once() -> None:
    texts = ["Ann Lee won .", "Lee , the baker , and the Baker , and she .", "A poet won ."]
    mentions = [(0, 0, 7), (1, 0, 3), (1, 6, 15), (1, 22, 31), (1, 38, 41), (2, 0, 6)]
    cluster = cluster_of(mentions, texts)
    assert cluster is not None
    found = list_namings([cluster], texts)
    assert [unit.text for unit in found] == ["Ann Lee is the baker", "Ann Lee is A poet"]
    assert [(unit.sentence, unit.start, unit.rule) for unit in found] == [
        (1, 6, "coreference"),
        (2, 0, "coreference"),
    ]


@pytest.mark.parametrize(
    "text, mention, expected",
    [
        ("his cup", "his", True),
        ("her cup fell", "her", True),
        ('her "cup" fell', "her", True),
        ("saw her in May", "her", False),
        ("saw her .", "her", False),
        ("saw her", "her", False),
        ("Ann's cup", "Ann's", True),
        ("Ann ’s cup", "Ann ’s", True),
        ("the Rangers' cup", "the Rangers'", True),
        ("him in May", "him", False),
    ],
)
def test_it_knows_who_owns(text: str, mention: str, expected: bool) -> None:
    start = text.index(mention)
    assert is_owner(text, start, start + len(mention)) is expected
