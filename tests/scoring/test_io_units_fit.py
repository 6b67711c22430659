"""Pyramids moved onto the references of a corpus: the same words, wherever they stand now."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.io.units import OtherReferences, Pyramid, fit_pyramid
from scoring.types import ContributorRecord, UnitRecord


def make(references: tuple[str, ...], *parts: tuple[int, int, int]) -> Pyramid:
    records = tuple(ContributorRecord(*part) for part in parts)
    return Pyramid("a", references, (UnitRecord("a", "x", contributors=records),))


@pytest.mark.parametrize(
    "corpus, expected",
    [
        (("One two.", "Three."), [(0, 4, 8), (1, 0, 5)]),
        (("One\n\n two.", "Three."), [(0, 6, 10), (1, 0, 5)]),
        ((" One two. ", "\tThree.\n"), [(0, 5, 9), (1, 1, 6)]),
        (("Three.", "One two."), [(1, 4, 8), (0, 0, 5)]),
        (("More.", "Three.", "Onetwo."), [(2, 3, 7), (1, 0, 5)]),
    ],
)
def test_it_finds_the_words_again(
    corpus: tuple[str, ...], expected: list[tuple[int, int, int]]
) -> None:
    pyramid = make(("One two.", "Three."), (0, 4, 8), (1, 0, 5))
    assert fit_pyramid(pyramid, corpus) == make(corpus, *expected)


def test_it_takes_equal_references_in_their_order() -> None:
    pyramid = make(("One.", "One."), (0, 0, 3), (1, 0, 3))
    assert fit_pyramid(pyramid, [" One.", "One."]) == make((" One.", "One."), (0, 1, 4), (1, 0, 3))


def test_it_knows_characters_that_xml_could_not_hold() -> None:
    pyramid = make(("a\ufffdb",), (0, 0, 3))
    assert fit_pyramid(pyramid, ["a\x0bb"]) == make(("a\x0bb",), (0, 0, 3))
    assert fit_pyramid(pyramid, [" a\x0bb"]) == make((" a\x0bb",), (0, 1, 4))


@pytest.mark.parametrize(
    "references, corpus, message",
    [
        (("One two.",), ["One too."], "the text of reference 1"),
        (("One.", "One."), ["One. "], "the text of reference 2"),
        (("One two.",), [], "the text of reference 1"),
        (("One  two.",), ["One two."], "white space"),
    ],
)
def test_it_says_what_is_not_there(
    references: tuple[str, ...], corpus: list[str], message: str
) -> None:
    with pytest.raises(OtherReferences, match=message):
        fit_pyramid(make(references, (0, 3, 5 if "  " in references[0] else 4)), corpus)


@given(st.text("ab \n", min_size=1), st.data())
def test_it_keeps_what_is_seen(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    spaced = re.sub(r"([ab])", r"\1 ", text)
    if not text[start:end].strip():
        return
    [part] = fit_pyramid(make((text,), (0, start, end)), [spaced]).units[0].contributors
    seen = spaced[part.start : part.end] if spaced != text else text[start:end]
    assert "".join(seen.split()) == "".join(text[start:end].split())
