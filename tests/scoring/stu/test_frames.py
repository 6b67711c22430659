"""Role labels in, the STUs of §3.2 out: the paper's own examples first."""

from __future__ import annotations

import pytest

from scoring.stu.frames import frame_of_tags, read_spans
from scoring.stu.role_files import place_words
from scoring.stu.triplets import list_triplets
from scoring.stu.types import LabelledSentence, Stu


def label(text: str, *roles: str) -> LabelledSentence:
    """A sentence of words apart; each of *roles* has a verb's labels, as `ARG0 ARG0 V . ARG1`.

    A dot is no role; the same role twice in a row is one argument, a `+` begins another.
    """
    words = text.split()
    frames = [frame_of_tags(words, bio(row.split())) for row in roles]
    kept = tuple(frame for frame in frames if frame is not None)
    return LabelledSentence(text, place_words(text, words), kept)


def bio(roles: list[str]) -> list[str]:
    tags, last = [], ""
    for role in roles:
        name = role.removeprefix("+")
        tags.append("O" if name == "." else f"{'I' if role == last else 'B'}-{name}")
        last = name
    return tags


def units(*sentences: LabelledSentence) -> list[str]:
    return [unit.text for unit in list_triplets(sentences)]


def test_it_makes_two_units_of_the_sneijder_sentence() -> None:
    sentence = label(
        "Netherlands midfielder Wesley Sneijder has joined French Ligue 1 side Nice on a free"
        " transfer .",
        "ARG0 ARG0 ARG0 ARG0 . V ARG1 ARG1 ARG1 ARG1 ARG1 AM AM AM AM .",
    )
    assert units(sentence) == [
        "Netherlands midfielder Wesley Sneijder joined French Ligue 1 side Nice",
        "Netherlands midfielder Wesley Sneijder joined on a free transfer",
    ]


def test_it_makes_the_units_of_figure_1() -> None:
    first = label(
        "Catherine Nevin was allowed out despite being jailed for life in April 2000 .",
        "ARG1 ARG1 . V ARGM-DIR ARGM-ADV ARGM-ADV ARGM-ADV ARGM-ADV ARGM-ADV ARGM-ADV ARGM-ADV"
        " ARGM-ADV .",
        "ARG1 ARG1 . . . . . V ARG2 ARG2 TMP TMP TMP .",
    )
    second = label(
        "62-year-old was seen on the bus , with a pal and walking around in Dublin .",
        "ARG1 . V LOC LOC LOC . COM COM COM . . . . . .",
        "ARG0 . . . . . . . . . . V DIR LOC LOC .",
    )
    assert units(first, second) == [
        "Catherine Nevin was allowed out",
        "Catherine Nevin was allowed despite being jailed for life in April 2000",
        "Catherine Nevin being jailed for life",  # note 2 brings back "being"
        "Catherine Nevin being jailed in April 2000",
        "62-year-old was seen on the bus",
        "62-year-old was seen with a pal",
        "62-year-old walking around",
        "62-year-old walking in Dublin",
    ]


@pytest.mark.parametrize(
    "text, roles, expected",
    [
        pytest.param(
            "A gas pipe was damaged in a fire .",
            "ARG1 ARG1 ARG1 . V LOC LOC LOC .",
            ["A gas pipe was damaged in a fire"],
            id="passive",
        ),
        pytest.param(
            "The cut did not damage his eye .",
            "ARG0 ARG0 . ARGM-NEG V ARG1 ARG1 .",
            ["The cut not damage his eye"],
            id="negation before the verb",
        ),
        pytest.param(
            "She is not racist .",
            "ARG1 V ARGM-NEG ARG2 .",
            ["She is not racist"],
            id="negation after a be verb",
        ),
        pytest.param(
            "The winner is Spencer Matthews .",
            "ARG1 ARG1 V ARG2 ARG2 .",
            ["The winner is Spencer Matthews"],
            id="be verb",
        ),
        pytest.param(
            "Her family may be forced to move .",
            "ARG1 ARG1 ARGM-MOD . V ARG2 ARG2 .",
            ["Her family may be forced to move"],
            id="modal and be",
        ),
        pytest.param(
            "They submerged coins in agar .",
            "ARG0 V ARG1 LOC LOC .",
            ["They submerged coins", "They submerged in agar"],
            id="two arguments after the verb",
        ),
        pytest.param(
            "The town where Ann lived in 2012 .",
            "LOC LOC R-LOC ARG0 V TMP TMP .",
            ["The town where Ann lived in 2012"],
            id="relative clause",
        ),
        pytest.param(
            "Rain is due , say the experts .",
            "ARG1 ARG1 ARG1 . V ARG0 ARG0 .",
            ["Rain is due say the experts"],
            id="speaker after the verb",
        ),
        pytest.param(
            "But only cashed the prize at Easter .",
            ". ARGM-ADV V ARG1 ARG1 TMP TMP .",
            ["only cashed the prize", "only cashed at Easter"],
            id="no subject, but something before the verb",
        ),
    ],
)
def test_it_joins_what_is_before_the_verb_with_each_argument_after_it(
    text: str, roles: str, expected: list[str]
) -> None:
    assert units(label(text, roles)) == expected


@pytest.mark.parametrize(
    "text, roles",
    [
        pytest.param("Sat next to a commuter .", "V LOC LOC LOC LOC .", id="nothing before"),
        pytest.param("The clinic has opened .", "ARG1 ARG1 . V .", id="nothing after"),
        pytest.param("Rain will fall .", ". V . .", id="modal alone"),
        pytest.param("Ann hopes to win gold .", "ARG0 . . V ARG1 .", id="to-infinitive"),
        pytest.param("CLICK HERE for the news .", "", id="no frame"),
    ],
)
def test_it_takes_the_sentence_whole_where_no_frame_gives_a_unit(text: str, roles: str) -> None:
    sentence = label(text, *([roles] if roles else []))
    assert list_triplets([sentence]) == [Stu(text, 0, 0, len(text), "whole")]


def test_it_says_nothing_twice_and_nothing_of_nothing() -> None:
    twice = label("Ann saw Ben .", "ARG0 V ARG1 .", "ARG0 V ARG1 .")
    assert units(twice, LabelledSentence(" ", (), ())) == ["Ann saw Ben"]


def test_it_tells_where_a_unit_stands() -> None:
    text = "Ann , of Rome , saw Ben today ."
    first, second = list_triplets([label(text, "ARG0 . . . . V ARG1 TMP .")])
    assert (first.text, text[first.start : first.end]) == ("Ann saw Ben", "Ann , of Rome , saw Ben")
    assert (second.sentence, second.rule, second.score) == (0, "frame", 1.0)
    assert text[second.start : second.end] == "Ann , of Rome , saw Ben today"


def test_it_reads_broken_bio_tags() -> None:
    tags = ["I-ARG0", "I-ARG1", "B-ARG1", "I-ARG1", "O", "B-V", "I-V"]
    assert list(read_spans(tags)) == [
        ("ARG0", (0, 1)),
        ("ARG1", (1, 2)),
        ("ARG1", (2, 4)),
        ("V", (5, 7)),
    ]


def test_it_knows_no_frame_without_a_verb() -> None:
    assert frame_of_tags(["Ann", "won"], ["B-ARG0", "O"]) is None
