"""Frames by rule, as units: what each kind of clause gives."""

from __future__ import annotations

import pytest

from tests.scoring.stu.parsing import extract, texts

SENTENCES = {
    "The bridge was not closed by the council in May.": [
        "The bridge was not closed by the council",
        "The bridge was not closed in May",
    ],
    "The lamp is old.": ["The lamp is old"],
    "Divers who found the wreck sold it to a museum.": [
        "Divers found the wreck",
        "Divers sold it",
        "Divers sold to a museum",
    ],
    "The ferry, which was built in 1950, sank near Ammer on Friday.": [
        "The ferry was built in 1950",
        "The ferry sank near Ammer",
        "The ferry sank on Friday",
    ],
    "A bomb confiscated by the army exploded in the yard.": [
        "A bomb confiscated by the army",
        "A bomb exploded in the yard",
    ],
    "The mayor met the judge and thanked the jury.": [
        "The mayor met the judge",
        "The mayor thanked the jury",
    ],
    "The boy was kidnapped and killed in 2012.": ["The boy was killed in 2012"],
    "The council agreed to repair the harbour and to pay the crew.": [
        "The council agreed to repair the harbour",
        "The council agreed to pay the crew",
    ],
    "Residents had to leave their homes after the flood.": [
        "Residents had to leave their homes",
        "Residents had to leave after the flood",
    ],
    "Ann told Ben to close the gate.": [
        "Ann told Ben",
        "Ann told Ben to close the gate",
        "Ben close the gate",
    ],
    '"The sea is cold," said the captain.': [
        "The sea is cold",
        "the captain said The sea is cold",
    ],
    "After winning the cup, the team flew to Rome.": [
        "the team winning the cup",
        "the team flew After winning the cup",
        "the team flew to Rome",
    ],
    "The firm will never sell the yard.": ["The firm will never sell the yard"],
    "She put out the fire with sand.": ["She put out the fire", "She put out with sand"],
    "Nobody knows who lit the lamp.": ["Nobody knows who lit the lamp"],
    "Police said the man was arrested at home.": [
        "Police said the man was arrested at home",
        "the man was arrested at home",
    ],
    "In 2012 the ferry struck the pier.": [
        "the ferry struck In 2012",
        "the ferry struck the pier",
    ],
    "The judge leading the inquiry has written to the prime minister.": [
        "The judge leading the inquiry",
        "The judge has written to the prime minister",
    ],
}


@pytest.mark.parametrize("sentence", SENTENCES)
def test_it_makes_units_of(sentence: str) -> None:
    assert texts(sentence) == SENTENCES[sentence]


def test_it_keeps_auxiliaries_of_the_sneijder_sentence() -> None:
    assert texts("Netherlands midfielder Wesley Sneijder has joined Nice on a free transfer.") == [
        "Netherlands midfielder Wesley Sneijder has joined Nice",
        "Netherlands midfielder Wesley Sneijder has joined on a free transfer",
    ]


@pytest.mark.parametrize(
    "sentence", ["Rain fell.", "What a day!", "Give me the key.", "CLICK HERE"]
)
def test_it_takes_a_sentence_without_a_frame_whole(sentence: str) -> None:
    (unit,) = extract(sentence)
    assert (unit.text, unit.rule, unit.start, unit.end) == (sentence, "whole", 0, len(sentence))


def test_it_reads_tokenised_text() -> None:
    assert texts("Council ca n't close the \u00a0 bridge in May \u00a0 .") == [
        "Council ca n't close the bridge",
        "Council ca n't close in May",
    ]


def test_it_gives_nothing_for_nothing() -> None:
    assert texts("", "  ") == []
    assert texts() == []
