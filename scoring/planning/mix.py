"""Lite²·ˣ units (Zhang & Bansal 2021, §3.3): STUs for easy sentences, SCUs for the hard ones.

Sentences of the whole study are ranked by easiness. Of equals, the earlier is taken for easier; one
of unknown easiness is the hardest. Either the easiest p % give way to STUs, where p % of n
sentences is rounded half up, or people write from the hardest down for as long as a budget of
words, minutes or money lasts. They stop at the first sentence that it does not cover, so that a
larger budget takes no sentence away from them.

A sentence that gave way has its STUs, even if it has none; one that did not has its SCUs, even if
it has none. So 0 % are all SCUs, and 100 % all STUs. A document that would be left without any unit
has all its STUs, or, without a single one, all its SCUs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from scoring.errors import InputError
from scoring.overlap import tokenize
from scoring.planning.study import SentenceUnits, UnitTexts
from scoring.translation import gettext as _

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Order = Sequence[float | None] | Floats

SCU, STU = "scu", "stu"


@dataclass(frozen=True, slots=True)
class MixedUnit:
    """A unit of a mixture, and the sentence that it belongs to."""

    text: str
    kind: str
    sentence: int


@dataclass(frozen=True, slots=True)
class Mix:
    """Units by document, in the order of sentences; `gave_way` says which sentences have STUs."""

    documents: tuple[str, ...]
    units: tuple[tuple[MixedUnit, ...], ...]
    gave_way: tuple[bool, ...]

    def count(self, kind: str) -> int:
        return sum(unit.kind == kind for row in self.units for unit in row)

    def lines(self) -> list[str]:
        """A line for each document, its units between tabs."""
        return ["\t".join(unit.text for unit in row) for row in self.units]


def mix_units(texts: UnitTexts, order: Order, percentage: float) -> Mix:
    """The easiest *percentage* of sentences have STUs; *order* is the easiness of each."""
    return take_units(texts, choose_share(_checked(order, texts), percentage))


def take_units(texts: UnitTexts, gives_way: Mask) -> Mix:
    """The mixture, once it is known which sentences give way."""
    rows: dict[str, list[MixedUnit]] = {document: [] for document in texts.documents}
    places = {document: place for place, document in enumerate(texts.documents)}
    for sentence, way in zip(texts.sentences, gives_way, strict=True):
        kind, own = (STU, sentence.stus) if way else (SCU, sentence.scus)
        units = (texts.stus if way else texts.scus)[places[sentence.document]]
        rows[sentence.document] += [MixedUnit(units[i], kind, sentence.place) for i in own]
    for document, row in rows.items():
        if not row:
            row += _all_units(texts, document)
    return Mix(
        texts.documents,
        tuple(tuple(row) for row in rows.values()),
        tuple(bool(way) for way in gives_way),
    )


def _all_units(texts: UnitTexts, document: str) -> list[MixedUnit]:
    """Of a document that has none by choice: the STUs, else the SCUs."""
    place = texts.documents.index(document)
    own = [sentence for sentence in texts.sentences if sentence.document == document]
    for kind, units in ((STU, texts.stus[place]), (SCU, texts.scus[place])):
        found = [
            MixedUnit(units[i], kind, sentence.place)
            for sentence in own
            for i in (sentence.stus if kind == STU else sentence.scus)
        ]
        if found:
            return found
    raise InputError(
        _("'{document}' has neither SCUs nor STUs. Leave it out, or write units for it.").format(
            document=document
        )
    )


def choose_share(order: Order, percentage: float) -> Mask:
    """Which sentences give way, so that the easiest *percentage* of them do."""
    ranked = rank_sentences(order)
    gives_way = np.zeros(len(ranked), dtype=bool)
    gives_way[ranked[: count_share(len(ranked), percentage)]] = True
    return gives_way


def choose_budget(order: Order, costs: Sequence[float] | Floats, budget: float) -> Mask:
    """Which sentences give way, if people write from the hardest down until *budget* is spent."""
    ranked = rank_sentences(order)[::-1]
    prices = np.asarray(costs, dtype=np.float64)
    if prices.shape != ranked.shape:
        raise InputError(
            _(
                "There are {size} costs for {size_2} sentences. Expected one cost per sentence."
            ).format(size=prices.size, size_2=ranked.size)
        )
    if not budget >= 0 or not (prices >= 0).all():
        raise InputError(_("The budget and the costs of sentences must be 0 or more."))
    # A sum of many costs may exceed the budget by rounding alone.
    written = np.cumsum(prices[ranked]) <= budget * (1 + 1e-12)
    gives_way = np.ones(len(ranked), dtype=bool)
    gives_way[ranked[written]] = False
    return gives_way


def rank_sentences(order: Order) -> NDArray[np.int64]:
    """Places of sentences, the easiest first; of equals the earlier, unknown ones at the end."""
    values = as_numbers(order)
    return np.argsort(-np.where(np.isnan(values), -np.inf, values), kind="stable")


def reverse_order(order: Order) -> Floats:
    """The same sentences the other way round, ties too."""
    found = np.empty(len(order))
    found[rank_sentences(order)] = np.arange(len(order))
    return found


def count_share(sentences: int, percentage: float) -> int:
    """So many sentences are *percentage* of all: rounded, and half a sentence up."""
    if not 0 <= percentage <= 100:
        raise InputError(
            _("The percentage is {percentage}. Expected 0 to 100.").format(percentage=percentage)
        )
    return int(Fraction(str(float(percentage))) * sentences / 100 + Fraction(1, 2))


def count_words(sentences: Sequence[SentenceUnits]) -> Floats:
    """Words of each sentence, which stand for the work of writing its SCUs."""
    return np.array([len(tokenize(sentence.text)) for sentence in sentences], dtype=np.float64)


def as_numbers(order: Order) -> Floats:
    """Easiness as numbers; nan where it is not known."""
    return np.array([np.nan if value is None else value for value in order], dtype=np.float64)


def _checked(order: Order, texts: UnitTexts) -> Order:
    if len(order) != len(texts.sentences):
        raise InputError(
            _(
                "There are {order} values of easiness and {sentences} sentences. "
                "Expected one value per sentence."
            ).format(order=len(order), sentences=len(texts.sentences))
        )
    return order
