"""Units from files: checked at once, then aligned and written by a job, a few examples a step."""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from itertools import groupby, islice
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from annotation.corpora.models import Example, Import, KeptFile, Project, Reference, User
from annotation.corpora.services.bulk import insert_rows, reserve_ids
from annotation.corpora.services.jobs import KINDS, JobKind, Work, create_job
from annotation.errors import DomainError, Invalid
from annotation.units.models import Contributor, Unit, UnitSet, Weighting
from annotation.units.services.progress import ensure_assignments
from annotation.units.services.sets import COPIED, create_set
from annotation.units.services.spans import Span, sentence_at, weight_of
from scoring.alignment import SentenceText, align_unit
from scoring.io import CorpusError, ProblemList
from scoring.io.units import open_units
from scoring.types import UnitRecord

EXAMPLES_A_STEP = 200


@dataclass(frozen=True, slots=True)
class Outcome:
    """A set that is being filled, or the problems that kept it from being made."""

    unit_set: UnitSet | None
    problems: list[dict[str, Any]] = field(default_factory=list)


def import_uploaded_units(
    *,
    project: Project,
    user: User,
    name: str,
    file_name: str,
    chunks: Iterable[bytes],
    format: str = "",
) -> Outcome:
    folder = _new_folder()
    bare = Path(file_name.replace("\\", "/")).name
    if bare in ("", ".", ".."):
        raise Invalid(f"'{file_name}' is not a file name.")
    with (folder / bare).open("xb") as out:
        out.writelines(chunks)
    return import_unit_file(
        project=project, user=user, name=name, path=folder / bare, format=format
    )


def import_kept_units(*, project: Project, user: User | None, kept: KeptFile) -> UnitSet:
    """Make a set of a units file that came with the corpus; its lines go by that import."""
    path = _new_folder() / Path(kept.name).name
    path.write_bytes(bytes(kept.data))
    name = _free_name(project, path.stem)
    outcome = import_unit_file(project=project, user=user, name=name, path=path, source=kept.source)
    if outcome.unit_set is None:
        first = outcome.problems[0]
        raise DomainError(f"{first['file']}: {first['message']}", f"Expected {first['expected']}")
    return outcome.unit_set


def import_unit_file(
    *,
    project: Project,
    user: User | None,
    name: str,
    path: Path,
    format: str = "",
    source: Import | None = None,
) -> Outcome:
    """Read the file through; without a problem, make the set and have it filled."""
    params = {"path": str(path), "format": format, "source": source.pk if source else None}
    problems = ProblemList()
    try:
        count = _check(project, params, problems)
    except CorpusError as error:
        return Outcome(None, [asdict(error.problem)])
    if problems.count:
        return Outcome(None, [asdict(problem) for problem in problems.first])
    with transaction.atomic():
        unit_set = create_set(project=project, user=user, name=name)
        unit_set.job = create_job(
            project=project,
            user=user,
            kind="import_units",
            title=f"Import units from {path.name}",
            params={**params, "set": unit_set.pk, "count": count},
        )
        unit_set.save(update_fields=["job"])
    return Outcome(unit_set)


def _new_folder() -> Path:
    folder = Path(settings.IMPORTS_DIR) / str(uuid.uuid4())
    folder.mkdir(parents=True)
    return folder


def _free_name(project: Project, wanted: str) -> str:
    taken = set(UnitSet.objects.filter(project=project).values_list("name", flat=True))
    numbered = (f"{wanted} {number}" for number in range(2, 1000))
    return wanted if wanted not in taken else next(n for n in numbered if n not in taken)


def _examples(project: Project, source: int | None) -> dict[str, int]:
    """Example ids by key, in the order that the lines of a file go by."""
    rows = Example.objects.live().filter(project=project).order_by("position", "pk")
    if source is not None:
        rows = rows.filter(source=source)
    return dict(rows.values_list("key", "pk"))


def _groups(
    params: dict[str, Any], keys: list[str], problems: ProblemList
) -> Iterator[tuple[str, list[UnitRecord]]]:
    reader = open_units(Path(params["path"]), ids=keys, format=params["format"], problems=problems)
    with reader.source:
        for key, records in groupby(reader.units(), key=lambda record: record.key):
            yield key, list(records)


def _check(project: Project, params: dict[str, Any], problems: ProblemList) -> int:
    examples = _examples(project, params["source"])
    count = 0
    for key, records in _groups(params, list(examples), problems):
        count += len(records)
        if key not in examples:
            where = records[0]
            message = f"The project has no example '{key}'."
            problems.add(where.file, where.line, message, "an example id of the corpus.")
    if not count and not problems.count:
        problems.add(Path(params["path"]).name, None, "The file holds no unit.", "at least one.")
    return count


# Filling the set -----------------------------------------------------------------------------


def run_import(work: Work) -> dict[str, Any]:
    params = work.job.params
    unit_set = UnitSet.objects.select_related("project", "created_by").get(pk=params["set"])
    examples = _examples(unit_set.project, params["source"])
    problems = ProblemList()
    work.report(work.done, params["count"], phase="Aligning with the references")
    groups = islice(_groups(params, list(examples), problems), work.cursor.get("read", 0), None)
    while chunk := list(islice(groups, EXAMPLES_A_STEP)):
        problems.raise_first()
        with work.step():
            _write(unit_set, [(examples[key], records) for key, records in chunk])
            work.cursor = {"read": work.cursor.get("read", 0) + len(chunk)}
            work.done += sum(len(records) for _, records in chunk)
    with work.step():
        ensure_assignments(unit_set)
        unit_set.unit_count = Unit.objects.filter(set=unit_set).count()
        unit_set.save(update_fields=["unit_count"])
    _forget(params)
    return {"units": unit_set.unit_count}


def _forget(params: dict[str, Any]) -> None:
    """Files that were sent are not needed any more; a path that was named stays."""
    folder = Path(params["path"]).parent
    if folder.parent == Path(settings.IMPORTS_DIR):
        shutil.rmtree(folder, ignore_errors=True)


def _write(unit_set: UnitSet, chunk: list[tuple[int, list[UnitRecord]]]) -> None:
    references = _references([example for example, _ in chunk])
    rows = [
        (example, position, record, _spans(record, references.get(example, [])))
        for example, records in chunk
        for position, record in enumerate(records)
    ]
    ids = reserve_ids(Unit, len(rows))
    insert_rows(
        Unit,
        COPIED,
        [_unit_row(pk, unit_set, *row) for pk, row in zip(ids, rows, strict=True)],
    )
    insert_rows(
        Contributor,
        ["unit", "reference", "sentence", "start", "end", "is_aligned"],
        [
            (pk, span.reference, span.sentence, span.start, span.end, span.is_aligned)
            for pk, (_, _, _, spans) in zip(ids, rows, strict=True)
            for span in spans
        ],
    )


def _unit_row(
    pk: int, unit_set: UnitSet, example: int, position: int, record: UnitRecord, spans: list[Span]
) -> tuple[Any, ...]:
    """A row in the order of `COPIED`."""
    now = timezone.now()
    weight = _weight(record, spans, unit_set)
    head = (pk, unit_set.pk, example, record.kind, record.text, weight, position, 1, False)
    return (*head, unit_set.created_by_id, record.extractor, None, 0.0, now, now)


def _references(examples: list[int]) -> dict[int, list[Reference]]:
    rows = Reference.objects.filter(example__in=examples).prefetch_related("sentences")
    grouped: dict[int, list[Reference]] = {}
    for row in rows.order_by("example_id", "position"):
        grouped.setdefault(row.example_id, []).append(row)
    return grouped


def _weight(record: UnitRecord, spans: list[Span], unit_set: UnitSet) -> int:
    """The file's own weight; where it has none, the references that carry the unit."""
    if unit_set.weighting == Weighting.UNMERGED:
        return 1
    return record.weight if record.weight > 1 else weight_of(spans, unit_set)


def _spans(record: UnitRecord, references: list[Reference]) -> list[Span]:
    if record.contributors:
        return [_given(record, item, references) for item in record.contributors]
    if record.weight == 1 and not record.text:
        return []
    return _aligned(record.text, references)


def _given(record: UnitRecord, item: Any, references: list[Reference]) -> Span:
    reference = references[item.reference] if item.reference < len(references) else None
    if reference is None or not 0 <= item.start < item.end <= len(reference.text):
        raise DomainError(
            f"{record.file}, line {record.line}: the contributor {item.start}–{item.end} does "
            f"not lie in reference {item.reference + 1} of example '{record.key}'."
        )
    sentence = sentence_at(reference, item.start, item.end)
    return Span(reference.pk, sentence, item.start, item.end)


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


KINDS["import_units"] = JobKind(run_import)
