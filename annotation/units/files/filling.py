"""A file of units as it is read: for the check, and again by the job that fills a set from it.

- The job that fills a set from a file: units aligned and written, a few examples a step.
- Files of units that were sent: kept while a set is filled from them, and no longer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby, islice
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from annotation import clock
from annotation.corpora.bulk import insert_rows, reserve_ids
from annotation.corpora.corpus.models import Example, Reference
from annotation.corpora.imports.uploads import remove_received
from annotation.corpora.jobs.kinds import KINDS, JobKind
from annotation.corpora.jobs.models import Job
from annotation.corpora.jobs.work import Work
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError
from annotation.units.files.peers import PEERS_A_STEP, write_peers
from annotation.units.sets.locks import get_set_of
from annotation.units.sets.models import Contributor, Unit, UnitSet, Weighting
from annotation.units.sets.versions import COPIED
from annotation.units.studio.models import Assignment, AssignmentState
from annotation.units.studio.ops import Span, sentence_at, weight_of
from annotation.units.studio.progress import ensure_assignments
from scoring.alignment import SentenceText, align_unit
from scoring.io import ProblemList
from scoring.io.units import (
    OtherReferences,
    PeerAnnotation,
    Provenance,
    Pyramid,
    PyramidReader,
    UnitReader,
    fit_pyramid,
    open_units,
)
from scoring.types import ContributorRecord, UnitRecord


@dataclass(frozen=True, slots=True)
class Group:
    """Units of one example that stand together in a file; `first` is the place of their first."""

    key: str
    first: int
    records: list[UnitRecord]
    format: str


def list_example_ids(project: Project, source: int | None) -> dict[str, int]:
    """Example ids by key, in the order that the lines of a file go by.

    A file that came with an import goes by that import's examples; where it brought none of its
    own, since all were there, by all of the project's.
    """
    rows = Example.objects.live().filter(project=project).order_by("position", "pk")
    own = rows.filter(source=source) if source is not None else rows
    return dict(own.values_list("key", "pk")) or dict(rows.values_list("key", "pk"))


def get_example_id(examples: dict[str, int], key: str) -> int:
    """Of an example that was there when the file was checked."""
    if key not in examples:
        raise DomainError(_("Example '{key}' is no longer in the project.").format(key=key))
    return examples[key]


def read_groups(
    params: dict[str, Any],
    examples: dict[str, int],
    problems: ProblemList,
    notes: list[str] | None = None,
) -> Iterator[Group]:
    """The units of a file; a table may come back to an example, which then goes on counting.

    In the end, `notes` has what the reader left out.
    """
    provenance = get_provenance(params)
    reader = _open(params, examples, problems)
    counts: Counter[str] = Counter()
    with reader.source:
        units = _units(reader, examples)
        for key, found in groupby(units, key=lambda record: record.key):
            records = [provenance.fill(record) for record in found]
            yield Group(key, counts[key], records, reader.format)
            counts[key] += len(records)
    if notes is not None:
        notes += reader.notes


def _units(reader: UnitReader, examples: dict[str, int]) -> Iterator[UnitRecord]:
    """A pyramid brings its references along; its contributors are found in the corpus's own."""
    if not isinstance(reader, PyramidReader):
        yield from reader.units()
        return
    for pyramid in reader.first_pyramids():
        yield from _fitted(pyramid, examples.get(pyramid.key), reader.problems).units


def _fitted(pyramid: Pyramid, example: int | None, problems: ProblemList) -> Pyramid:
    if example is None or not any(unit.contributors for unit in pyramid.units):
        return pyramid
    rows = Reference.objects.filter(example=example).order_by("position")
    try:
        return fit_pyramid(pyramid, tuple(rows.values_list("text", flat=True)))
    except OtherReferences as error:
        message = _("The pyramid of '{pyramid}' has different references. {error}").format(
            pyramid=pyramid.key, error=error
        )
        problems.add(pyramid.units[0].file, None, message, _("the references of the corpus."))
        return replace(pyramid, units=())


def read_peers(
    params: dict[str, Any], examples: dict[str, int], problems: ProblemList
) -> Iterator[Pyramid]:
    """The pyramids of a file that have a peer; other formats hold none."""
    reader = _open(params, examples, problems)
    with reader.source:
        if isinstance(reader, PyramidReader):
            yield from (pyramid for pyramid in reader.pyramids() if pyramid.peer)


def get_provenance(params: dict[str, Any]) -> Provenance:
    return Provenance(**params.get("provenance", {}))


def _open(params: dict[str, Any], examples: dict[str, int], problems: ProblemList) -> UnitReader:
    return open_units(
        Path(params["path"]),
        ids=list(examples),
        format=params["format"],
        kind=get_provenance(params).kind,
        problems=problems,
        max_bytes=settings.MAX_UNPACKED_MB * 2**20,
    )


def forget_files(params: dict[str, Any]) -> None:
    remove_received(Path(params.get("path", "")).parent)


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
