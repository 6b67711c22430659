"""A pyramid moved onto the references of a corpus, which may be ordered and spaced otherwise.

The files of DUC and TAC carry the references along, with line breaks and headers of their own. A
corpus may have the same texts in sentences, or in another order. Where the words are the same,
each contributor is found again; where they are not, its offsets would mean other words.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace

from scoring.errors import InputError
from scoring.io.units.pyramid_model import Pyramid
from scoring.io.units.pyramid_writer import writable
from scoring.translation import gettext as _
from scoring.types import ContributorRecord, UnitRecord


class OtherReferences(InputError):
    """The corpus has no reference with the words of one that the file has."""


def fit_pyramid(pyramid: Pyramid, references: Sequence[str]) -> Pyramid:
    """The same pyramid on *references*; contributors count their characters from then on."""
    corpus = tuple(references)
    if pyramid.references == tuple(map(writable, corpus)):
        return replace(pyramid, references=corpus)
    places = _find_places(pyramid.references, corpus)
    moves = [
        _Move(text, at, corpus[at]) for text, at in zip(pyramid.references, places, strict=True)
    ]
    units = tuple(_moved(unit, moves) for unit in pyramid.units)
    return replace(pyramid, references=corpus, units=units)


def _find_places(texts: Sequence[str], corpus: Sequence[str]) -> list[int]:
    """Where each of the file's references stands in the corpus; equal ones in their order."""
    free = [_plain(writable(text)) for text in corpus]
    places = []
    for number, text in enumerate(texts, 1):
        plain = _plain(text)
        if plain not in free:
            raise OtherReferences(
                _(
                    "No reference in the corpus has the text of reference {number} in the file."
                ).format(number=number)
            )
        places.append(free.index(plain))
        free[places[-1]] = "\n"  # no plain text has one, so that it is not found again
    return places


class _Move:
    """From one spacing of a reference to another, by counting the characters that are seen."""

    def __init__(self, before: str, place: int, after: str) -> None:
        self.place = place
        self._before = _seen(before)
        self._after = _seen(writable(after))

    def moved(self, part: ContributorRecord) -> ContributorRecord:
        first, last = (bisect_left(self._before, at) for at in (part.start, part.end))
        if first == last:
            raise OtherReferences(_("A contributor consists of white space."))
        return ContributorRecord(self.place, self._after[first], self._after[last - 1] + 1)


def _moved(unit: UnitRecord, moves: Sequence[_Move]) -> UnitRecord:
    parts = tuple(moves[part.reference].moved(part) for part in unit.contributors)
    return replace(unit, contributors=parts)


def _seen(text: str) -> list[int]:
    return [at for at, character in enumerate(text) if not character.isspace()]


def _plain(text: str) -> str:
    return "".join(character for character in text if not character.isspace())
