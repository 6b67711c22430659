"""ROUGE-1 F1 of short texts."""

from collections import Counter

import pytest

from scoring.rouge import best_f1, f1_of_counts, rouge1_f1, rouge_words


def test_it_reads_words_as_the_usual_program_does() -> None:
    text = "Sneijder's 2-1 Gewinn: größer, RUNNING dogs"
    assert rouge_words(text) == ["sneijder", "s", "2", "1", "gewinn", "gr", "er", "run", "dog"]
    assert rouge_words("has HIS Dogs", is_stemmed=False) == ["has", "his", "dogs"]


@pytest.mark.parametrize(
    "first, second, expected",
    [
        ("the cat sat", "the cat sat", 1.0),
        ("the cat sat", "The cats SAT!", 1.0),
        ("the the the", "the", 0.5),
        ("a b", "b c", 0.5),
        ("a b", "c d", 0.0),
        ("", "a", 0.0),
        ("…", "…", 0.0),
    ],
)
def test_it_scores_what_is_shared(first: str, second: str, expected: float) -> None:
    assert rouge1_f1(first, second) == pytest.approx(expected)
    assert rouge1_f1(second, first) == pytest.approx(expected)


def test_it_can_leave_words_unstemmed() -> None:
    assert rouge1_f1("The cats sat", "the cat sat", is_stemmed=False) == pytest.approx(2 / 3)


def test_it_takes_the_nearest() -> None:
    assert best_f1("a b", ["c", "b c", "a b"]) == 1.0
    assert best_f1("a b", []) == 0.0


def test_it_compares_counted_words() -> None:
    assert f1_of_counts(Counter("aab"), Counter("abb")) == pytest.approx(2 / 3)
