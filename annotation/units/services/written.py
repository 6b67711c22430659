"""Which sentences of a set somebody has written units of, and which examples have none at all."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import F, QuerySet

from annotation.corpora.models import Example
from annotation.units.models import (
    Assignment,
    AssignmentState,
    Contributor,
    SentencePlan,
    Unit,
    UnitKind,
    UnitSet,
)
from annotation.units.services.sentences import by_example, locate_units, read_references

EXAMPLES_A_CHUNK = 400


def list_written_sentences(unit_set: UnitSet) -> set[int]:
    """The ids of sentences with an SCU: those whose words it names, or the one most like it."""
    found: set[int] = set()
    for _, _, sentences in iter_written(unit_set):
        found |= set().union(*sentences)
    return found


def iter_written(unit_set: UnitSet) -> Iterator[tuple[int, list[Unit], list[set[int]]]]:
    """Each example with its SCUs, and the sentences that each of them stands on."""
    for units in _chunk_scus(unit_set):
        sentences = by_example(read_references(sorted(units)))
        for example, rows in units.items():
            nearest = locate_units(rows, sentences.get(example, []))
            yield example, rows, [_places(*pair) for pair in zip(rows, nearest, strict=True)]


def _places(unit: Unit, nearest: int | None) -> set[int]:
    named = {
        span.sentence_id
        for span in unit.contributors.all()
        if span.sentence_id is not None and not span.is_aligned
    }
    return named if nearest is None else named | {nearest}


def _chunk_scus(unit_set: UnitSet) -> Iterator[dict[int, list[Unit]]]:
    """SCUs by example, a few examples at a time."""
    units = Unit.objects.filter(set=unit_set, kind=UnitKind.SCU, is_deleted=False).exclude(text="")
    examples = sorted(set(units.order_by().values_list("example_id", flat=True)))
    for at in range(0, len(examples), EXAMPLES_A_CHUNK):
        chunk = examples[at : at + EXAMPLES_A_CHUNK]
        found: dict[int, list[Unit]] = {example: [] for example in chunk}
        rows = units.filter(example__in=chunk).order_by("position", "pk")
        for unit in rows.prefetch_related("contributors"):
            found[unit.example_id].append(unit)
        yield found


def count_written(unit_set: UnitSet) -> int:
    """Sentences that a plan leaves to people, and that somebody has written units of."""
    rows = SentencePlan.objects.filter(set=unit_set, is_human=True).order_by()
    return len(set(rows.values_list("sentence_id", flat=True)) & list_written_sentences(unit_set))


def count_gaps(unit_set: UnitSet) -> int:
    """Sentences that people were to write, in examples marked as written, without any unit."""
    done = Assignment.objects.filter(
        set=unit_set, state__in=[AssignmentState.WRITTEN, AssignmentState.SIGNED]
    )
    spans = Contributor.objects.filter(unit__set=unit_set, unit__is_deleted=False).order_by()
    rows = SentencePlan.objects.filter(set=unit_set, is_human=True).exclude(
        sentence__in=spans.values("sentence")
    )
    return rows.filter(sentence__reference__example__in=done.values("example")).count()


def list_bare_examples(unit_set: UnitSet) -> QuerySet[Example]:
    """Examples that a plan has somebody write in, and that have no unit so far."""
    planned = SentencePlan.objects.filter(set=unit_set, is_human=True).order_by()
    units = Unit.objects.filter(set=unit_set, is_deleted=False).order_by()
    rows: QuerySet[Example] = Example.objects.live().filter(
        pk__in=planned.values(example=F("sentence__reference__example"))
    )
    return rows.exclude(pk__in=units.values("example")).order_by("position", "pk")
