"""Cues: small words, order, numbers and names that differ."""

import pytest

from scoring.judge.cues import NAMES, cue_features

TEXT = "The harbour master did not sell the ferry to Lund before 1990."


def cues(unit: str, text: str = TEXT) -> dict[str, float]:
    return dict(zip(NAMES, cue_features(text, text, unit), strict=True))


@pytest.mark.parametrize(
    ("unit", "cue", "value"),
    [
        ("The harbour master sold the ferry.", "cue, negation: differ", -1),
        ("The harbour master did not sell the ferry.", "cue, negation: differ", 0),
        ("The master may sell the ferry.", "cue, possibility: differ", 1),
        ("The ferry was sold by the harbour master.", "cue, passive: unit", 1),
        ("It was sold after 1990.", "cue, after: unit", 1),
        ("It was sold in 1991.", "cue: numbers that the sentence lacks", 1),
        ("Lund has a ferry.", "cue: capitalised words that the sentence lacks", 0),
        ("Brack has a ferry.", "cue: capitalised words that the sentence lacks", 1),
    ],
)
def test_it_sees_what_differs(unit: str, cue: str, value: float) -> None:
    assert cues(unit)[cue] == value


def test_it_sees_that_words_changed_places() -> None:
    text = "The captain warned the pilot."
    same, other = (
        cues("The captain warned the pilot.", text),
        cues("The pilot warned the captain.", text),
    )
    name = "cue: the first and the last shared word have changed places"
    assert (same[name], other[name]) == (0, 1)


def test_texts_without_words_have_a_row() -> None:
    assert len(cue_features("", "", "…")) == len(NAMES)
    assert len(cue_features("…", "…", "A lamp.")) == len(NAMES)
