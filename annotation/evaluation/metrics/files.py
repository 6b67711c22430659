"""Scores that others have computed, from a file: checked at once; a job then writes them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from django.db import transaction
from django.utils.translation import gettext as _
from numpy.typing import NDArray

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Example, Summary, System
from annotation.corpora.imports.uploads import UploadedFile, receiving, remove_received
from annotation.corpora.jobs.kinds import KINDS, JobKind
from annotation.corpora.jobs.models import Job
from annotation.corpora.jobs.work import Work
from annotation.corpora.projects.models import Project
from annotation.evaluation.metrics.models import ExampleScores, ScoreOrigin, ScoreSet
from annotation.evaluation.metrics.queries import pack
from annotation.evaluation.metrics.service import (
    finish_set,
    get_set_of,
    remove_unfinished,
    start_job,
)
from annotation.faults import raise_if_fault
from annotation.translation import gettext_lazy
from scoring import __version__
from scoring.io import CorpusError, ProblemList
from scoring.io.cells import undefuse
from scoring.io.score_files import ScoreRow, list_unread, read_scores
from scoring.io.sheets import ENDINGS as TABLES

KIND = "import_scores"
ENDINGS = (*TABLES, ".jsonl", ".ndjson")  # no zip: what is in one may be of any size
_EXPECTED = gettext_lazy("a .csv, .tsv, .xlsx or .jsonl file.")
EXAMPLES_A_STEP = 500
MOST_COLUMNS = 100
LONGEST_COLUMN = 100

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ScoreImport:
    """A score set that is being written, or the problems that kept it from being made."""

    score_set: ScoreSet | None
    problems: list[dict[str, Any]] = field(default_factory=list)
    # How many scores the file has, where it was only checked.
    checked: int | None = None


@dataclass
class Sheet:
    """Scores of a file on the project's examples × systems, a table for each column."""

    examples: dict[str, int]
    systems: dict[str, int]
    tables: dict[str, Floats] = field(default_factory=dict)
    seen: dict[str, NDArray[np.bool_]] = field(default_factory=dict)
    flags: Counter[str] = field(default_factory=Counter)

    def used(self) -> NDArray[np.bool_]:
        """Which cells the file speaks of, in any column."""
        shape = (len(self.examples), len(self.systems))
        return np.asarray(np.any([np.zeros(shape, bool), *self.seen.values()], axis=0))


def import_uploaded_scores(
    *,
    project: Project,
    user: User,
    files: Sequence[UploadedFile],
    name: str = "",
    lower: Sequence[str] = (),
    flagged: bool = True,
    check: bool = False,
) -> ScoreImport:
    with receiving(project=project, user=user, files=files) as received:
        [path] = received.paths
        about: dict[str, Any] = {"lower": lower, "flagged": flagged, "check": check}
        outcome = import_scores(project=project, user=user, path=path, name=name, **about)
        received.is_needed = outcome.score_set is not None
    return outcome


def import_scores(
    *,
    project: Project,
    user: User | None,
    path: Path,
    name: str = "",
    lower: Sequence[str] = (),
    flagged: bool = True,
    check: bool = False,
) -> ScoreImport:
    """Check a file against the project's summaries; without a problem, write all of it.

    `lower` are the columns in which less is better; without `flagged`, rows that the file itself
    warns of are left out. With `check` nothing is written.
    """
    problems = ProblemList()
    if path.suffix.lower() not in ENDINGS:
        problems.add(path.name, None, _("The file type is not recognised."), str(_EXPECTED))
        return ScoreImport(None, [asdict(problem) for problem in problems.first])
    try:
        sheet = _read(project, path, problems, flagged=flagged)
    except CorpusError as error:
        raise_if_fault(error)
        return ScoreImport(None, [asdict(error.problem)])
    _check_sheet(project, sheet, path.name, lower, problems)
    if problems.count:
        return ScoreImport(None, [asdict(problem) for problem in problems.first])
    if check:
        return ScoreImport(None, checked=sum(int(seen.sum()) for seen in sheet.seen.values()))
    used = _flat(sheet.used(), 0)
    with transaction.atomic():
        made = ScoreSet.objects.create(
            project=project,
            name=(name.strip() or path.name)[:100],
            origin=ScoreOrigin.FILE,
            options={
                "flagged": flagged,
                "flags": dict(sheet.flags.most_common(MOST_COLUMNS)),
                "unread": list_unread(path)[:MOST_COLUMNS],
            },
            systems=[name for name, place in sheet.systems.items() if used[place]],
            columns=list(sheet.tables),
            lower=sorted(set(lower)),
            created_by=user,
        )
        start_job(made, KIND, {"score_set": made.pk, "path": str(path)})
    return ScoreImport(made)


def _read(project: Project, path: Path, problems: ProblemList, *, flagged: bool) -> Sheet:
    examples = Example.objects.live().filter(project=project).order_by("position", "pk")
    systems = System.objects.live().filter(project=project).order_by("name")
    sheet = Sheet(
        {key: place for place, key in enumerate(examples.values_list("key", flat=True))},
        {name: place for place, name in enumerate(systems.values_list("name", flat=True))},
    )
    has_summary = _find_summaries(project, sheet)
    for row in read_scores(path, problems):
        if row.flag:
            sheet.flags[row.flag[:LONGEST_COLUMN]] += 1
        if flagged or not row.flag:
            _take(sheet, row, has_summary, problems)
    return sheet


def _find_summaries(project: Project, sheet: Sheet) -> NDArray[np.bool_]:
    found = np.zeros((len(sheet.examples), len(sheet.systems)), bool)
    rows = Summary.objects.live().filter(example__project=project)
    for example, system in rows.values_list("example__key", "system__name").iterator(5000):
        if example in sheet.examples and system in sheet.systems:
            found[sheet.examples[example], sheet.systems[system]] = True
    return found


def _take(
    sheet: Sheet, row: ScoreRow, has_summary: NDArray[np.bool_], problems: ProblemList
) -> None:
    document, system, metric = map(undefuse, (row.document, row.system, row.metric))
    place = (sheet.examples.get(document, -1), sheet.systems.get(system, -1))
    problem = _find_problem(sheet, place, document, system, metric)
    if problem is None and not has_summary[place]:
        problem = (
            _("There is no summary of '{document}' by '{system}'.").format(
                document=document, system=system
            ),
            _("scores of summaries."),
        )
    if problem is not None:
        problems.add(row.file, row.line, *problem)
        return
    if metric not in sheet.tables:
        sheet.tables[metric] = np.full(has_summary.shape, np.nan)
        sheet.seen[metric] = np.zeros(has_summary.shape, bool)
    if sheet.seen[metric][place]:
        message = _("'{system}' has more than one '{metric}' score for '{document}'.").format(
            system=system, metric=metric, document=document
        )
        problems.add(row.file, row.line, message, _("one score per example, system and metric."))
    sheet.tables[metric][place], sheet.seen[metric][place] = row.score, True


def _find_problem(
    sheet: Sheet, place: tuple[int, int], document: str, system: str, metric: str
) -> tuple[str, str] | None:
    if place[0] < 0:
        return _("There is no example '{document}'.").format(document=document), _(
            "an example's name."
        )
    if place[1] < 0:
        return _("There is no system '{system}'.").format(system=system), _("a system's name.")
    if len(metric) > LONGEST_COLUMN:
        return _("The metric's name is too long."), _(
            "at most {longest_column} characters."
        ).format(longest_column=LONGEST_COLUMN)
    if metric not in sheet.tables and len(sheet.tables) >= MOST_COLUMNS:
        return (
            _("'{metric}' exceeds the number of metrics allowed.").format(metric=metric),
            _("at most {most_columns} in a file.").format(most_columns=MOST_COLUMNS),
        )
    return None


def _check_sheet(
    project: Project, sheet: Sheet, file: str, lower: Sequence[str], problems: ProblemList
) -> None:
    if not sheet.tables and not problems.count:
        problems.add(file, None, _("The file has no scores."), _("at least one score."))
    for column in lower:
        if sheet.tables and column not in sheet.tables:
            known = ", ".join(sheet.tables)
            problems.add(
                file,
                None,
                _("There is no metric '{column}'.").format(column=column),
                _("one of {known}.").format(known=known),
            )


def run_import(work: Work) -> dict[str, Any]:
    """Some examples a step; the last step shows them all."""
    score_set = get_set_of(work)
    if not score_set.is_ready:
        work.report(work.done, phase=_("Reading the file"))
        problems = ProblemList()
        path = Path(work.job.params["path"])
        flagged = score_set.options["flagged"]
        sheet = _read(score_set.project, path, problems, flagged=flagged)
        problems.raise_first()
        _write(score_set, sheet, work)
        finish_set(score_set, work, lambda mark: _sign(mark, path.name))
    _forget(work.job)
    return {"score_set": score_set.pk, **score_set.counts}


def _sign(mark: str, file: str) -> str:
    """The numbers speak for themselves; who made them is not known here."""
    return f"scores:{mark[:16]}|from:{file}|giza:{__version__}"


def _write(score_set: ScoreSet, sheet: Sheet, work: Work) -> None:
    used = _flat(sheet.used(), 1)
    keys = [key for key, place in sheet.examples.items() if used[place]]
    ids = dict(Example.objects.filter(project=score_set.project).values_list("key", "pk"))
    chosen = [sheet.systems[name] for name in score_set.systems]
    work.report(work.done, len(keys), phase=_("Writing scores"))
    for start in range(work.cursor.get("examples", 0), len(keys), EXAMPLES_A_STEP):
        part = keys[start : start + EXAMPLES_A_STEP]
        tables = (_values(sheet, key, score_set.columns)[chosen] for key in part)
        rows = [
            ExampleScores(score_set=score_set, example_id=ids[key], values=pack(values))
            for key, values in zip(part, tables, strict=True)
        ]
        with work.step():
            ExampleScores.objects.bulk_create(rows)
            work.done = start + len(part)
            work.cursor = {"examples": work.done}


def _flat(cells: NDArray[np.bool_], axis: int) -> list[bool]:
    return [bool(cell) for cell in np.asarray(cells.any(axis=axis))]


def _values(sheet: Sheet, key: str, columns: Sequence[str]) -> Floats:
    """One example's scores: systems × columns."""
    place = sheet.examples[key]
    return np.column_stack([sheet.tables[column][place] for column in columns])


def _forget(job: Job) -> None:
    remove_received(Path(job.params["path"]).parent)


def _give_up(job: Job) -> None:
    remove_unfinished(job)
    _forget(job)


KINDS[KIND] = JobKind(run_import, undo=_give_up)
