"""The words that units stand on: checked against the references, weights counted from them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from annotation.corpora.models import Example, Reference, Sentence
from annotation.errors import DomainError, Invalid, NotFound
from annotation.translation import gettext as _
from annotation.units.models import Contributor, Unit, UnitSet, Weighting


@dataclass(frozen=True, slots=True)
class Span:
    reference: int
    sentence: int | None
    start: int
    end: int
    is_aligned: bool = False


class ExampleText:
    """The references of an example, to hold spans against."""

    def __init__(self, example: Example) -> None:
        self.example = example

    @cached_property
    def references(self) -> dict[int, Reference]:
        rows = self.example.references.prefetch_related("sentences")
        return {reference.pk: reference for reference in rows}

    def spans(self, items: Any) -> list[Span]:
        """Ranges as an editor sends them, made sure of; in order, doubles dropped."""
        if not isinstance(items, list):
            raise Invalid(_("'spans' is not a list."))
        found = {self._span(item) for item in items}
        return sorted(found, key=lambda span: (span.reference, span.start, span.end))

    def _span(self, item: Any) -> Span:
        if not isinstance(item, dict):
            raise Invalid(_("A span is not an object with reference, start and end."))
        pk, start, end = item.get("reference"), item.get("start"), item.get("end")
        reference = self.references.get(pk) if isinstance(pk, int) else None
        if reference is None:
            raise NotFound(
                _("Reference {pk} is not in example '{example}'.").format(
                    pk=pk, example=self.example.key
                )
            )
        if type(start) is not int or type(end) is not int:
            raise Invalid(
                _("The span {start}–{end} is not a pair of numbers.").format(start=start, end=end)
            )
        if not 0 <= start < end <= len(reference.text):
            raise DomainError(
                _("The span {start}–{end} is outside reference {pk}.").format(
                    start=start, end=end, pk=pk
                )
            )
        aligned = item.get("aligned") is True
        return Span(reference.pk, sentence_at(reference, start, end), start, end, aligned)


def sentence_at(reference: Reference, start: int, end: int) -> int | None:
    """The sentence that holds most of the range."""
    best: tuple[int, Sentence | None] = (0, None)
    for sentence in reference.sentences.all():
        shared = min(end, sentence.end) - max(start, sentence.start)
        if shared > best[0]:
            best = (shared, sentence)
    return best[1].pk if best[1] else None


def replace_contributors(unit: Unit, spans: list[Span], unit_set: UnitSet) -> None:
    """Other words, and the weight that follows from them; the caller saves the unit.

    The same words again change nothing, and other words of the same references leave the weight,
    which a file may have given.
    """
    rows = unit.contributors.all()
    if {_span_of(row) for row in rows} == set(spans):
        return
    before = {row.reference_id for row in rows}
    # Words that were read along with the unit are forgotten with this, and read anew when asked.
    rows.delete()
    add_contributors(unit, spans)
    if before != {span.reference for span in spans}:
        unit.weight = weight_of(spans, unit_set)


def _span_of(row: Contributor) -> Span:
    return Span(row.reference_id, row.sentence_id, row.start, row.end, row.is_aligned)


def add_contributors(unit: Unit, spans: Iterable[Span]) -> None:
    Contributor.objects.bulk_create(
        Contributor(
            unit=unit,
            reference_id=span.reference,
            sentence_id=span.sentence,
            start=span.start,
            end=span.end,
            is_aligned=span.is_aligned,
        )
        for span in spans
    )


def weight_of(spans: Iterable[Span], unit_set: UnitSet) -> int:
    """Pyramid: the number of references that carry the unit. LitePyramid: always 1."""
    if unit_set.weighting == Weighting.UNMERGED:
        return 1
    return max(1, len({span.reference for span in spans}))
