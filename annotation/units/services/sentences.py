"""Reference sentences read a few examples at a time, and parsed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from annotation.corpora.models import Example, Project, Reference
from annotation.units.models import Unit
from scoring.easiness.gold import align_scus
from scoring.parses import ParsedSentence, Parser
from scoring.stu.srl import parse_references

EXAMPLES_A_STEP = 100


@dataclass(frozen=True, slots=True)
class SentenceRow:
    """A sentence, and where it begins in its reference."""

    pk: int
    start: int
    text: str


@dataclass(frozen=True, slots=True)
class ReferenceRow:
    """A reference by its sentences; `position` counts the references of its example."""

    pk: int
    example: int
    position: int
    sentences: tuple[SentenceRow, ...]


def live_examples(project: Project) -> QuerySet[Example]:
    """In the order in which they came, which an import that follows leaves alone."""
    rows: QuerySet[Example] = Example.objects.live().filter(project=project).order_by("pk")
    return rows


def chunk_examples(
    project: Project, after: int = 0, size: int = EXAMPLES_A_STEP
) -> Iterator[list[int]]:
    """The ids of live examples behind one, a few at a time."""
    ids = live_examples(project).values_list("pk", flat=True)
    while chunk := list(ids.filter(pk__gt=after)[:size]):
        yield chunk
        after = chunk[-1]


def read_references(examples: Sequence[int]) -> list[ReferenceRow]:
    """By example and position; a reference without sentences is left out."""
    rows = Reference.objects.filter(example__in=examples).prefetch_related("sentences")
    found = [_row(row) for row in rows.order_by("example_id", "position")]
    return [row for row in found if row.sentences]


def _row(reference: Reference) -> ReferenceRow:
    sentences = tuple(
        SentenceRow(row.pk, row.start, reference.text[row.start : row.end])
        for row in reference.sentences.all()
    )
    return ReferenceRow(reference.pk, reference.example_id, reference.position, sentences)


def by_example(references: Sequence[ReferenceRow]) -> dict[int, list[SentenceRow]]:
    """The sentences of each example, over all its references."""
    found: dict[int, list[SentenceRow]] = {}
    for row in references:
        found.setdefault(row.example, []).extend(row.sentences)
    return found


def locate_units(units: Sequence[Unit], sentences: Sequence[SentenceRow]) -> list[int | None]:
    """The id of the sentence that each unit of an example belongs to.

    By the words that a person, a file or an extractor named, else by most words in common (the
    first of equals, or of all). None where the example has no sentence.
    """
    if not sentences:
        return [None] * len(units)
    named = [_named_sentence(unit) for unit in units]
    rest = [unit.text for unit, pk in zip(units, named, strict=True) if pk is None]
    places = iter(align_scus([row.text for row in sentences], rest))
    return [pk if pk is not None else sentences[next(places)].pk for pk in named]


def _named_sentence(unit: Unit) -> int | None:
    """The sentence that holds most of the words that were named for it."""
    shares: dict[int, int] = {}
    for span in unit.contributors.all():
        if span.sentence_id is not None and not span.is_aligned:
            shares[span.sentence_id] = shares.get(span.sentence_id, 0) + span.end - span.start
    return max(shares, key=lambda pk: shares[pk]) if shares else None


def parse_rows(
    references: Sequence[ReferenceRow], parser: Parser
) -> Iterator[list[ParsedSentence]]:
    """The parsed sentences of each reference in turn."""
    texts = [[sentence.text for sentence in row.sentences] for row in references]
    return parse_references(texts, parser)
