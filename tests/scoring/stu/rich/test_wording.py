"""Facts as sentences: marks, capitals, names, and the characters that they stand on."""

from __future__ import annotations

import pytest

from scoring.stu.rich.clauses import Fact
from scoring.stu.rich.wording import span_of, word_fact
from tests.scoring.stu.rich.candidates import facts, trees

WORDED = {
    'The boss called it a "great day" for all.': 'The boss called it a "great day".',
    "The firm paid £ 25 for the coat .": "The firm paid £25 for the coat.",
    "It was n't clean .": "It wasn't clean.",
    "Drake 's seven - year stint ended .": "Drake's seven-year stint ended.",
    "The singers ' tour ended in May .": "The singers' tour ended in May.",
    "People with a rash were treated.": "The people are with a rash.",
}


@pytest.mark.parametrize(("sentence", "text"), WORDED.items())
def test_it_words_a_fact(sentence: str, text: str) -> None:
    assert text in facts(sentence)


def test_it_leaves_out_marks_of_a_quotation_that_is_not_said_in_full() -> None:
    (tree,) = trees('He called it "a truly great day".')
    said = Fact("object", tuple(tree.lower.index(word) for word in ("he", "called", "day")), 1)
    assert word_fact(tree, said) == "He called day."


def test_it_says_a_name_once_and_then_the_pronoun() -> None:
    found = facts("Ann Lee sold a boat.", "She says she has lost her keys.", coref=True)
    assert "Ann Lee says she has lost her keys." in found


def test_it_tells_the_characters_a_fact_stands_on() -> None:
    sentence = "The old mayor opened the bridge on Friday."
    (tree,) = trees(sentence)
    start, end = span_of(tree, Fact("core", ("the", 2, 3, 4, 5), 3))
    assert sentence[start:end] == "mayor opened the bridge"


def test_it_tells_the_word_a_fact_is_about_where_it_has_none_of_its_own() -> None:
    (tree,) = trees("It rained.")
    assert span_of(tree, Fact("age", ("Ann", "is", "9"), 1)) == (3, 9)


@pytest.mark.parametrize("sentence", ["A { brace } fell.", "He said ( quietly that it fell."])
def test_it_bears_marks_that_do_not_match(sentence: str) -> None:
    assert all(text.endswith(".") for text in facts(sentence))
