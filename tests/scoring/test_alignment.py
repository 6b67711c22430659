"""Alignment: which words of which sentences a unit stands on."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.alignment import (
    AlignedSpan,
    SentenceText,
    align_unit,
    coverage_share,
    uncovered_spans,
)
from scoring.overlap import tokenize
from scoring.sentences import split_sentences
from scoring.stemming import content_tokens

STORY = (
    "Pushpa Basnet and 45 children she cares for were forced to evacuate their residence .",
    "Seven other CNN Heroes and their organizations now assisting in relief efforts .",
    "Newly-promoted Bristol lost to Exeter after the 40ft wall fell .",
)


def sentences(*texts: str) -> list[SentenceText]:
    return [SentenceText(0, number, text) for number, text in enumerate(texts)]


def words(unit: str, *texts: str) -> list[tuple[int, str]]:
    return [
        (span.sentence, texts[span.sentence][span.start : span.end])
        for span in align_unit(unit, sentences(*texts))
    ]


@pytest.mark.parametrize(
    "unit, expected",
    [
        (
            "Pushpa Basnet cares for 45 children.",
            [(0, "Pushpa Basnet and 45 children she cares for")],
        ),
        (
            "The children were forced to evacuate.",
            [(0, "children"), (0, "were forced to evacuate")],
        ),
        ("7 CNN heroes were assisting.", [(1, "Seven other CNN Heroes"), (1, "assisting")]),
        ("Bristol was newly promoted.", [(2, "Newly-promoted Bristol")]),
        ("The wall was 40 ft.", [(2, "the 40ft wall")]),
        (
            "Pushpa Basnet assisted in relief efforts.",
            [(1, "assisting in relief efforts"), (0, "Pushpa Basnet")],
        ),
        ("Basnet!", [(0, "Basnet")]),
    ],
)
def test_it_finds_the_words_a_unit_stands_on(unit: str, expected: list[tuple[int, str]]) -> None:
    assert words(unit, *STORY) == expected


def test_it_prefers_rare_words_to_those_that_every_sentence_has() -> None:
    texts = ("Carr ran around the world .", "Carr ran home .", "Carr ran with his tent .")
    assert words("Carr had a tent.", *texts) == [(2, "Carr"), (2, "tent")]


def test_it_takes_the_wording_nearest_to_the_unit_between_equals() -> None:
    texts = ("Porto beat Bayern at home .", "Bayern beat Porto at home .")
    assert words("Bayern beat Porto.", *texts) == [(1, "Bayern beat Porto")]


def test_it_names_reference_and_sentence() -> None:
    given = [SentenceText(2, 5, "Rain fell."), SentenceText(3, 0, "Snow fell in Rome.")]
    assert align_unit("There was snow in Rome.", given) == [
        AlignedSpan(3, 0, 0, 4),
        AlignedSpan(3, 0, 10, 17),
    ]


def test_it_falls_back_on_the_nearest_spelling() -> None:
    texts = ("Stadium full .", "  A kinfe was found . ")
    assert words("knife", *texts) == [(1, "A kinfe was found .")]
    assert words("It was", *texts)[0][0] == 1


@pytest.mark.parametrize("unit, texts", [("", ["a"]), ("  ", ["a"]), ("a", []), ("a", [" ", ""])])
def test_it_has_no_answer_where_there_is_nothing(unit: str, texts: list[str]) -> None:
    assert align_unit(unit, sentences(*texts)) == []


TEXT = st.text(alphabet="ab cdé7.-'\n", min_size=1, max_size=30)


@given(TEXT.filter(str.strip), st.lists(TEXT.filter(str.strip), min_size=1, max_size=4))
def test_it_always_finds_a_range_inside_a_sentence(unit: str, texts: list[str]) -> None:
    found = align_unit(unit, sentences(*texts))
    assert found
    for span in found:
        text = texts[span.sentence]
        assert 0 <= span.start < span.end <= len(text)
        assert text[span.start : span.end].strip() == text[span.start : span.end]


@pytest.mark.parametrize(
    "spans, left, share",
    [
        ([], ["Bayern Munich beat Porto in the cup"], 0.0),
        ([(0, 13)], ["beat Porto in the cup"], 0.4),
        ([(0, 24)], ["in the cup"], 0.8),
        ([(0, 13), (32, 35)], ["beat Porto in the"], 0.6),
        ([(0, 24), (32, 35)], [], 1.0),
        ([(2, 3)], ["Munich beat Porto in the cup"], 0.2),
    ],
)
def test_it_tells_what_is_left_uncovered(
    spans: list[tuple[int, int]], left: list[str], share: float
) -> None:
    sentence = "Bayern Munich beat Porto in the cup."
    assert [sentence[start:end] for start, end in uncovered_spans(sentence, spans)] == left
    assert coverage_share(sentence, spans) == pytest.approx(share)


def test_it_calls_a_sentence_without_content_covered() -> None:
    assert coverage_share("It was.", []) == 1.0
    assert uncovered_spans("It was.", []) == []


@given(TEXT, st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=4))
def test_it_leaves_uncovered_what_the_share_does_not_count(
    sentence: str, spans: list[tuple[int, int]]
) -> None:
    left = uncovered_spans(sentence, spans)
    inside = [token for start, end in left for token in content_tokens(sentence[start:end])]
    content = len(content_tokens(sentence))
    expected = 1 - len(inside) / content if content else 1.0
    assert coverage_share(sentence, spans) == pytest.approx(expected)
    assert len(tokenize(sentence)) >= len(inside)


def corpus(folder: Path) -> list[tuple[list[str], list[str]]]:
    references = (folder / "references.txt").read_text("utf-8").split("\n")
    units = (folder / "SCUs.txt").read_text("utf-8").split("\n")
    return [
        ([text[start:end] for start, end in split_sentences(text)], line.split("\t"))
        for text, line in zip(references, units, strict=True)
    ]


def coverage_of(folder: Path) -> tuple[int, float]:
    """How many units found words of their own, and the share of content words they stand on."""
    aligned, covered, total = 0, 0.0, 0
    for texts, units in corpus(folder):
        spans: list[list[tuple[int, int]]] = [[] for _ in texts]
        for unit in units:
            found = align_unit(unit, sentences(*texts))
            aligned += bool(found)
            for span in found:
                spans[span.sentence].append((span.start, span.end))
        for text, own in zip(texts, spans, strict=True):
            content = len(content_tokens(text))
            covered, total = covered + coverage_share(text, own) * content, total + content
    return aligned, covered / total


def test_it_aligns_every_unit_of_realsumm(realsumm_dir: Path) -> None:
    aligned, share = coverage_of(realsumm_dir)
    assert aligned == 1056
    assert share == pytest.approx(0.93, abs=0.005)


def test_it_aligns_every_unit_of_pyrxsum(pyrxsum_dir: Path) -> None:
    aligned, share = coverage_of(pyrxsum_dir)
    assert aligned == 478
    assert share == pytest.approx(0.969, abs=0.005)
