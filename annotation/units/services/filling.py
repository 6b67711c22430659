"""The job that fills a set from a file: units aligned and written, a few examples a step."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any

from annotation import clock
from annotation.corpora.models import Job, Reference
from annotation.corpora.services.bulk import insert_rows, reserve_ids
from annotation.corpora.services.jobs import KINDS, JobKind, Work
from annotation.errors import DomainError
from annotation.translation import gettext as _
from annotation.units.models import (
    Assignment,
    AssignmentState,
    Contributor,
    Unit,
    UnitSet,
    Weighting,
)
from annotation.units.services.locks import get_set_of
from annotation.units.services.peers import PEERS_A_STEP, write_peers
from annotation.units.services.progress import ensure_assignments
from annotation.units.services.reading import (
    Group,
    get_example_id,
    list_example_ids,
    read_groups,
    read_peers,
)
from annotation.units.services.received import forget_files
from annotation.units.services.spans import Span, sentence_at, weight_of
from annotation.units.services.versions import COPIED
from scoring.alignment import SentenceText, align_unit
from scoring.io import ProblemList
from scoring.io.units import PeerAnnotation, Pyramid
from scoring.types import ContributorRecord, UnitRecord

EXAMPLES_A_STEP = 200
# Formats that have no place for weights: there the references that carry a unit are counted.
WITHOUT_WEIGHTS = ("lines", "scu_list")
# Here a weight of 1 was meant.
ALWAYS_WEIGHED = ("pyramid",)


def run_import(work: Work) -> dict[str, Any]:
    unit_set = get_set_of(work.job)
    notes = work.job.params.get("notes", [])
    if not work.cursor.get("written"):
        for note in () if work.cursor else notes:
            work.log(note)
        _write_all(work, unit_set)
    forget_files(work.job.params)
    return {"units": unit_set.unit_count, "notes": notes}


def _write_all(work: Work, unit_set: UnitSet) -> None:
    params = work.job.params
    examples = list_example_ids(unit_set.project, params["source"])
    problems = ProblemList()
    work.report(work.done, params["count"], phase=_("Aligning with the references"))
    groups = islice(read_groups(params, examples, problems), work.cursor.get("read", 0), None)
    while chunk := list(islice(groups, EXAMPLES_A_STEP)):
        problems.raise_first()
        with work.step():
            _write(unit_set, [(get_example_id(examples, group.key), group) for group in chunk])
            work.cursor = {**work.cursor, "read": work.cursor.get("read", 0) + len(chunk)}
            work.done += sum(len(group.records) for group in chunk)
    problems.raise_first()
    _write_peers(work, unit_set, examples)
    with work.step():
        ensure_assignments(unit_set)
        _mark_written(unit_set)
        unit_set.unit_count = Unit.objects.filter(set=unit_set).count()
        unit_set.save(update_fields=["unit_count"])
        work.cursor = {**work.cursor, "written": True}


def _mark_written(unit_set: UnitSet) -> None:
    """What came from a file is written, by whoever brought it in, and left to be checked."""
    filled = Unit.objects.filter(set=unit_set).values("example")
    Assignment.objects.filter(set=unit_set, example__in=filled).update(
        state=AssignmentState.WRITTEN,
        author=unit_set.created_by_id,
        written_by=unit_set.created_by_id,
        written_at=clock.now(),
    )


def _write_peers(work: Work, unit_set: UnitSet, examples: dict[str, int]) -> None:
    """After all units, since a peer's marks name them."""
    problems = ProblemList()
    found = read_peers(work.job.params, examples, problems)
    pyramids = islice(found, work.cursor.get("peers", 0), None)
    while chunk := list(islice(pyramids, PEERS_A_STEP)):
        problems.raise_first()
        with work.step():
            write_peers(unit_set, _peers(examples, chunk))
            work.cursor = {**work.cursor, "peers": work.cursor.get("peers", 0) + len(chunk)}
    problems.raise_first()


def _peers(
    examples: dict[str, int], pyramids: Iterable[Pyramid]
) -> list[tuple[int, PeerAnnotation]]:
    return [(get_example_id(examples, it.key), it.peer) for it in pyramids if it.peer]


def _write(unit_set: UnitSet, chunk: list[tuple[int, Group]]) -> None:
    references = _references([example for example, __ in chunk])
    rows = [
        _Row(unit_set, example, group, at, _spans(record, references.get(example, [])))
        for example, group in chunk
        for at, record in enumerate(group.records)
    ]
    ids = reserve_ids(Unit, len(rows))
    insert_rows(Unit, COPIED, [row.values(pk) for pk, row in zip(ids, rows, strict=True)])
    insert_rows(
        Contributor,
        ["unit", "reference", "sentence", "start", "end", "is_aligned"],
        [
            (pk, span.reference, span.sentence, span.start, span.end, span.is_aligned)
            for pk, row in zip(ids, rows, strict=True)
            for span in row.spans
        ],
    )


@dataclass(frozen=True, slots=True)
class _Row:
    """A unit that is about to be written."""

    unit_set: UnitSet
    example: int
    group: Group
    at: int
    spans: list[Span]

    def values(self, pk: int) -> tuple[Any, ...]:
        """In the order of `COPIED`."""
        now = clock.now()
        record, position = self.group.records[self.at], self.group.first + self.at
        what = (record.kind, record.text, self._weight(record), position, 1, False)
        by = (self.unit_set.created_by_id, record.extractor, record.extractor_version)
        return (pk, self.unit_set.pk, self.example, *what, *by, None, 0.0, now, now)

    def _weight(self, record: UnitRecord) -> int:
        """The file's own weight; where it has none, the references that carry the unit."""
        if self.unit_set.weighting == Weighting.UNMERGED:
            return 1
        is_counted = bool(record.contributors) or self.group.format in WITHOUT_WEIGHTS
        if record.weight > 1 or not is_counted or self.group.format in ALWAYS_WEIGHED:
            return record.weight
        return weight_of(self.spans, self.unit_set)


def _references(examples: list[int]) -> dict[int, list[Reference]]:
    rows = Reference.objects.filter(example__in=examples).prefetch_related("sentences")
    grouped: dict[int, list[Reference]] = {}
    for row in rows.order_by("example_id", "position"):
        grouped.setdefault(row.example_id, []).append(row)
    return grouped


def _spans(record: UnitRecord, references: list[Reference]) -> list[Span]:
    if record.contributors:
        found = {_given(record, item, references): None for item in record.contributors}
        return list(found)
    return _aligned(record.text, references)


def _given(record: UnitRecord, item: ContributorRecord, references: list[Reference]) -> Span:
    if fault := find_misfit(item, [len(reference.text) for reference in references]):
        where = (
            _("{file}, line {line}").format(file=record.file, line=record.line)
            if record.line
            else record.file
        )
        raise DomainError(
            _("{where}: example '{record}': {fault}").format(
                where=where, record=record.key, fault=fault
            )
        )
    reference = references[item.reference]
    sentence = sentence_at(reference, item.start, item.end)
    return Span(reference.pk, sentence, item.start, item.end)


def find_misfit(item: ContributorRecord, lengths: list[int]) -> str:
    """What is wrong with a contributor, given how long its example's references are."""
    if item.reference < len(lengths) and 0 <= item.start < item.end <= lengths[item.reference]:
        return ""
    return _("The contributor {start}–{end} is outside reference {reference}.").format(
        start=item.start, end=item.end, reference=item.reference + 1
    )


def _aligned(text: str, references: list[Reference]) -> list[Span]:
    """By word overlap, since the file does not say which words the unit stands on."""
    by_place = {}
    sentences = []
    for number, reference in enumerate(references):
        for at, row in enumerate(reference.sentences.all()):
            by_place[number, at] = (reference, row)
            sentences.append(SentenceText(number, at, reference.text[row.start : row.end]))
    spans = []
    for found in align_unit(text, sentences) if sentences else []:
        reference, row = by_place[found.reference, found.sentence]
        start, end = row.start + found.start, row.start + found.end
        spans.append(Span(reference.pk, row.pk, start, end, True))
    return spans


def _forget_after_cancel(job: Job) -> None:
    forget_files(job.params)


KINDS["import_units"] = JobKind(run_import, undo=_forget_after_cancel)
