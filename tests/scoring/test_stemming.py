"""Stems: forms of a word meet, and different words stay apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.stemming import content_stems, is_content, stem, stem_set, stems


@pytest.mark.parametrize(
    "words",
    [
        "agree agrees agreed agreeing agreement",
        "say says said saying",
        "use uses used using",
        "study studies studied studying",
        "coin coins coin's coins’",
        "discover discovered discovering",
        "submerge submerged submerging",
        "plan plans planned planning planner",
        "class classes",
        "child children",
        "day days",
        "go goes went gone going",
        "inspire inspired inspiration",
        "quick quickly quickness",
        "7 seven Seven",
        "1000 1,000",
        "CAFÉ café cafe\u0301",
    ],
)
def test_it_brings_the_forms_of_a_word_together(words: str) -> None:
    assert len({stem(word) for word in words.split()}) == 1


@pytest.mark.parametrize(
    "one, other",
    [
        ("new", "news"),
        ("bus", "busy"),
        ("Porto", "port"),
        ("coin", "note"),
        ("win", "lose"),
        ("6-1", "6-0"),
        ("1999", "1998"),
        ("red", "ring"),
    ],
)
def test_it_keeps_different_words_apart(one: str, other: str) -> None:
    assert stem(one) != stem(other)


@pytest.mark.parametrize(
    "word, expected",
    [("the", False), ("Was", False), ("won't", False), ("It's", False), ("won", True), ("6", True)],
)
def test_it_knows_words_of_content(word: str, expected: bool) -> None:
    assert is_content(word) is expected


def test_it_also_gives_the_parts_of_a_word_put_together() -> None:
    assert stems("newly-promoted") == {"newly-promoted", stem("newly"), stem("promoted")}
    assert stems("40ft") == {"40ft", "40", "ft"}
    assert stem_set(["A 40ft hedge."]) == {"a", "40ft", "40", "ft", "hedg"}
    assert content_stems("The men were sleeping and the men sleep.") == [
        "man",
        "sleep",
        "man",
        "sleep",
    ]


@given(st.text(min_size=1, max_size=40))
def test_it_never_loses_a_word_altogether(word: str) -> None:
    assert stem(word) or not word.strip("'’sS")
