import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.overlap import Segment, coverage, overlap_segments, tokenize

WORDS = st.sampled_from(["the", "of", "cat", "Cat's", "sat", "mat", "6-1", "é", "e\u0301", "<t>"])
TEXTS = st.one_of(st.text(), st.lists(WORDS, max_size=12).map(" ".join))


@pytest.mark.parametrize(
    "text, expected",
    [
        ("", []),
        ("The cat sat.", ["The", "cat", "sat"]),
        (
            "won 6-1, 1,000 times; 27th at 20:45, 3.5%",
            ["won", "6-1", "1,000", "times", "27th", "at", "20:45", "3.5"],
        ),
        ("don't do one-year rock’n’roll", ["don't", "do", "one-year", "rock’n’roll"]),
        ("'quoted' words' end- -dash", ["quoted", "words", "end", "dash"]),
        ("in the U.S. last season.The end", ["in", "the", "U.S", "last", "season", "The", "end"]),
        ("the group 's do n't", ["the", "group", "do", "n't"]),
        ("<t> A mark </t>", ["A", "mark"]),
        ("snake_case", ["snake", "case"]),
        ("cafe\u0301 हिन्दी كِتَاب", ["cafe\u0301", "हिन्दी", "كِتَاب"]),
        ("東京 is", ["東", "京", "is"]),
    ],
)
def test_it_finds_words(text: str, expected: list[str]) -> None:
    assert [token.text for token in tokenize(text)] == expected


@given(TEXTS)
def test_it_places_words_where_they_stand(text: str) -> None:
    position = 0
    for token in tokenize(text):
        assert token.start >= position
        assert text[token.start : token.end] == token.text
        position = token.end


@pytest.mark.parametrize(
    "text, reference, expected",
    [
        ("", "A cat.", []),
        ("A dog.", "", [("A dog.", "none")]),
        ("A CAT sat.", "the cat left", [("A ", "none"), ("CAT", "word"), (" sat.", "none")]),
        ("on the mat", "the cat", [("on the mat", "none")]),
        (
            "(The cat, sat) down",
            "the cat sat",
            [("(", "none"), ("The cat, sat", "phrase"), (") down", "none")],
        ),
        ("sat cat", "cat sat", [("sat", "word"), (" ", "none"), ("cat", "word")]),
        ("Reed's goal", "reed 's goal", [("Reed's goal", "phrase")]),
        (
            "<t> big cat </t>",
            "<t> big </t> <t> cat </t>",
            [("<t> ", "none"), ("big cat", "phrase"), (" </t>", "none")],
        ),
        ("one two three four", "one two, three four", [("one two three four", "phrase")]),
        (
            "one two three four",
            "three four one two",
            [("one two", "phrase"), (" ", "none"), ("three four", "phrase")],
        ),
    ],
)
def test_it_marks_shared_words_and_phrases(
    text: str, reference: str, expected: list[tuple[str, str]]
) -> None:
    assert [(part.text, part.kind) for part in overlap_segments(text, reference)] == expected


@pytest.mark.parametrize(
    "min_run, kind", [(1, "phrase"), (2, "phrase"), (3, "phrase"), (4, "word")]
)
def test_it_takes_the_length_of_a_run(min_run: int, kind: str) -> None:
    found = overlap_segments("red cat sat", "a red cat sat down", min_run=min_run)
    assert {part.kind for part in found} - {"none"} == {kind}


def test_it_refuses_a_run_of_nothing() -> None:
    with pytest.raises(ValueError, match="at least 1, not 0"):
        overlap_segments("a", "a", min_run=0)


@given(TEXTS, TEXTS, st.integers(1, 4))
def test_it_gives_back_the_text(text: str, reference: str, min_run: int) -> None:
    found = overlap_segments(text, reference, min_run=min_run)
    assert "".join(part.text for part in found) == text
    assert all(part.text for part in found)


@given(TEXTS)
def test_it_marks_an_identical_text_as_one_phrase(text: str) -> None:
    tokens = tokenize(text)
    phrases = [part for part in overlap_segments(text, text) if part.kind == "phrase"]
    if len(tokens) > 1:
        assert phrases == [Segment(text[tokens[0].start : tokens[-1].end], "phrase")]
    else:
        assert phrases == []


@pytest.mark.parametrize(
    "text, reference, expected",
    [
        ("", "", 0.0),
        ("cat", "", 0.0),
        ("the cat", "the of and", 0.0),
        ("", "a cat", 0.0),
        ("The Cat's mat", "a cat sat", 0.5),
        ("cat cat cat", "cat cat mat", 0.5),
        ("caf\u00e9", "Cafe\u0301", 1.0),
    ],
)
def test_it_measures_coverage(text: str, reference: str, expected: float) -> None:
    assert coverage(text, reference) == expected


@given(TEXTS, TEXTS)
def test_it_keeps_coverage_between_none_and_all(text: str, reference: str) -> None:
    assert 0.0 <= coverage(text, reference) <= 1.0


@given(TEXTS)
def test_it_covers_itself(text: str) -> None:
    with_content = f"{text} zebra"
    assert coverage(with_content, with_content) == 1.0
