"""Units that stand on whole sentences, and the words of these that their texts keep."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotation.corpora.models import Example, Job, JobState, Reference, Sentence
from annotation.units.models import Contributor, Unit, UnitSet
from scoring.alignment import SentenceText, align_unit, is_whole

KIND = "narrow_spans"


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of a sentence's characters, and whether the unit keeps standing on it."""

    text: str
    is_kept: bool


@dataclass(frozen=True, slots=True)
class Narrowed:
    """A unit whose spans would change; `after` as an editor sends them."""

    unit: Unit
    after: list[dict[str, Any]]
    # Each whole sentence that it stands on, in pieces.
    sentences: list[list[Piece]]


def list_narrowed(unit_set: UnitSet, examples: Sequence[int]) -> list[Narrowed]:
    """Of these examples, in the order of the corpus. Spans that were set by hand stay."""
    rows = Reference.objects.filter(example__in=examples).prefetch_related("sentences")
    references = {row.pk: row for row in rows}
    units = Unit.objects.filter(set=unit_set, example__in=examples, is_deleted=False)
    units = units.select_related("example", "author").prefetch_related("contributors")
    order = ("example__position", "example_id", "position", "pk")
    found = (_narrow(unit, references) for unit in units.order_by(*order))
    return [row for row in found if row is not None]


def _narrow(unit: Unit, references: dict[int, Reference]) -> Narrowed | None:
    after: list[dict[str, Any]] = []
    sentences: list[list[Piece]] = []
    for span in unit.contributors.all():
        reference = references[span.reference_id]
        sentence = _find_whole(span, reference)
        kept = _find_kept(unit.text, reference, sentence) if sentence else []
        if sentence is None or not kept:
            kept = [(span.start, span.end)]
        else:
            sentences.append(_cut(reference.text, sentence, kept))
        after += [
            {"reference": reference.pk, "start": start, "end": end, "aligned": span.is_aligned}
            for start, end in kept
        ]
    return Narrowed(unit, after, sentences) if sentences else None


def _find_whole(span: Contributor, reference: Reference) -> Sentence | None:
    """The sentence whose words the span covers, all of them and no others."""
    for sentence in reference.sentences.all():
        text = reference.text[sentence.start : sentence.end]
        if is_whole(text, span.start - sentence.start, span.end - sentence.start):
            return sentence
    return None


def _find_kept(text: str, reference: Reference, sentence: Sentence) -> list[tuple[int, int]]:
    """Ranges of the reference with the words of the unit; none if it keeps all words, or shares
    none with the sentence.
    """
    source = reference.text[sentence.start : sentence.end]
    found = align_unit(text, [SentenceText(0, 0, source)])
    if len(found) == 1 and is_whole(source, found[0].start, found[0].end):
        return []
    return [(sentence.start + row.start, sentence.start + row.end) for row in found]


def _cut(text: str, sentence: Sentence, kept: list[tuple[int, int]]) -> list[Piece]:
    pieces, at = [], sentence.start
    for start, end in kept:
        pieces += [Piece(text[at:start], is_kept=False), Piece(text[start:end], is_kept=True)]
        at = end
    return [
        piece for piece in [*pieces, Piece(text[at : sentence.end], is_kept=False)] if piece.text
    ]


def list_narrowings(unit_set: UnitSet) -> list[Job]:
    """The newest first."""
    rows = Job.objects.filter(project=unit_set.project_id, kind=KIND, params__set=unit_set.pk)
    return list(rows.order_by("-pk")[:5])


def find_undoable(unit_set: UnitSet) -> Job | None:
    """The last narrowing, if it changed units and was not undone."""
    for job in list_narrowings(unit_set):
        if job.state == JobState.DONE:
            return job if job.params["undo"] is None and job.result["changed"] else None
    return None


def preview_narrowing(unit_set: UnitSet, examples: Sequence[Example]) -> list[dict[str, Any]]:
    """In plain values, example by example."""
    units: dict[int, list[dict[str, Any]]] = {row.pk: [] for row in examples}
    for row in list_narrowed(unit_set, list(units)):
        pieces = [piece for sentence in row.sentences for piece in sentence]
        units[row.unit.example_id].append(
            {
                "id": row.unit.pk,
                "text": row.unit.text,
                "kept": [piece.text for piece in pieces if piece.is_kept],
                "left": [piece.text for piece in pieces if not piece.is_kept],
            }
        )
    return [{"example": row.key, "units": units[row.pk]} for row in examples]
