"""Sentences of the corpus with the units of two sets, as regressors learn from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.units.models import Unit, UnitKind, UnitSet
from annotation.units.services.sentences import (
    ReferenceRow,
    SentenceRow,
    by_example,
    locate_units,
    read_references,
)
from scoring.easiness.features import SentenceCase
from scoring.easiness.gold import sentence_easiness
from scoring.parses import Parser


@dataclass(frozen=True, slots=True)
class PlacedSentence:
    """A sentence of an example, with the STUs that come from it."""

    example: int
    row: SentenceRow
    stus: tuple[str, ...]
    easiness: float | None = None  # None: no SCU belongs to it


def read_placed(
    examples: Sequence[int], stus: UnitSet, scus: UnitSet | None = None
) -> list[PlacedSentence]:
    """The sentences of examples in order; with SCUs, how easy each is."""
    references = read_references(examples)
    sentences = by_example(references)
    found_stus = _read_texts(stus, UnitKind.STU, sentences)
    found_scus = _read_texts(scus, UnitKind.SCU, sentences) if scus else {}
    return [one for row in references for one in _place(row, found_stus, found_scus)]


def _read_texts(
    unit_set: UnitSet, kind: UnitKind, sentences: dict[int, list[SentenceRow]]
) -> dict[int, list[str]]:
    """The texts of units by the id of the sentence that they belong to."""
    rows = Unit.objects.filter(
        set=unit_set, kind=kind, is_deleted=False, example__in=list(sentences)
    ).exclude(text="")
    units: dict[int, list[Unit]] = {}
    for unit in rows.prefetch_related("contributors").order_by("position", "pk"):
        units.setdefault(unit.example_id, []).append(unit)
    found: dict[int, list[str]] = {}
    for example, own in units.items():
        for unit, pk in zip(own, locate_units(own, sentences[example]), strict=True):
            if pk is not None:
                found.setdefault(pk, []).append(unit.text)
    return found


def _place(
    row: ReferenceRow, stus: dict[int, list[str]], scus: dict[int, list[str]]
) -> list[PlacedSentence]:
    """Easiness goes by all STUs of the reference, wherever in it they come from (§3.3)."""
    texts = [one.text for one in row.sentences]
    own = [tuple(stus.get(one.pk, ())) for one in row.sentences]
    wanted = [(text, at) for at, one in enumerate(row.sentences) for text in scus.get(one.pk, ())]
    values = sentence_easiness(
        texts,
        [text for text, _ in wanted],
        [text for part in own for text in part],
        places=[at for _, at in wanted],
    )
    return [
        PlacedSentence(row.example, one, part, value)
        for one, part, value in zip(row.sentences, own, values, strict=True)
    ]


def make_sentence_cases(placed: Sequence[PlacedSentence], parser: Parser) -> list[SentenceCase]:
    parsed = parser.parse(one.row.text for one in placed)
    return [SentenceCase(parse, None, one.stus) for parse, one in zip(parsed, placed, strict=True)]
