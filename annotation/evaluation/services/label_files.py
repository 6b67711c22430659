"""Labels that others have made, from files: checked at once; a job then writes them.

`labels/<system>.label` as the line files of REALSumm and PyrXSum have them, sent by somebody or
kept from the corpus's own import.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction

from annotation.corpora.models import (
    Import,
    Job,
    Project,
    Summary,
    User,
    Verb,
)
from annotation.corpora.services.activity import record_activity
from annotation.corpora.services.import_files import UploadedFile
from annotation.corpora.services.jobs import KINDS, JobKind, Work, create_job
from annotation.corpora.services.received import new_folder, receiving, remove_received
from annotation.errors import DomainError
from annotation.evaluation.models import LabelOrigin, LabelSet, SummaryLabels
from annotation.evaluation.selectors.scores import describe_labels
from annotation.evaluation.services.label_doubts import find_fitting_set, find_label_doubts
from annotation.evaluation.services.labels import (
    create_label_set,
    get_label_set_of,
    get_unit_order,
    hash_labels,
    measure_label_set,
    remove_unfinished,
    show_label_set,
)
from annotation.faults import raise_if_fault
from annotation.translation import gettext as _
from annotation.units.models import UnitSet
from annotation.units.services.reading import list_example_ids
from scoring import __version__
from scoring.io import CorpusError, ProblemList
from scoring.io.labels import ENDING, Row, read_labels

KIND = "import_labels"
RECIPE = {"vote": "imported"}

ByExample = dict[str, dict[str, Row]]


@dataclass(frozen=True, slots=True)
class LabelImport:
    """A label set that is being written, or the problems that kept it from being made.

    If they are only `doubtful`, the same import goes through when it is asked for `anyway`; its
    files may be `held` for that.
    """

    label_set: LabelSet | None
    problems: list[dict[str, Any]] = field(default_factory=list)
    doubtful: bool = False
    held: str = ""
    # How many systems the files label, where they were only checked.
    checked: int | None = None


def import_uploaded_labels(
    *,
    project: Project,
    user: User,
    unit_set: UnitSet,
    files: Sequence[UploadedFile],
    anyway: bool = False,
    check: bool = False,
    hold: bool = False,
    held: str = "",
) -> LabelImport:
    """The files; or, with `held`, those that an earlier check with `hold` left here."""
    with receiving(project=project, user=user, files=files, held=held) as received:
        paths = received.paths
        path = paths[0] if len(paths) == 1 and paths[0].suffix == ".zip" else received.folder
        name = paths[0].name if len(paths) == 1 else _("{paths} files").format(paths=len(paths))
        about: dict[str, Any] = {"unit_set": unit_set, "anyway": anyway, "check": check}
        outcome = import_labels(project=project, user=user, path=path, name=name, **about)
        is_held = hold and outcome.doubtful
        received.is_needed = outcome.label_set is not None or is_held
    return replace(outcome, held=received.folder.name) if is_held else outcome


def import_kept_labels(
    *,
    project: Project,
    user: User | None,
    unit_set: UnitSet,
    source: Import,
    anyway: bool = False,
    check: bool = False,
) -> LabelImport:
    """Label files that came with the corpus; their lines go by that import's examples."""
    folder = new_folder()
    outcome = LabelImport(None)
    try:
        for kept in source.kept_files.filter(name__startswith="labels/"):
            (folder / Path(kept.name).name).write_bytes(bytes(kept.data))
        outcome = import_labels(
            project=project,
            user=user,
            unit_set=unit_set,
            path=folder,
            source=source,
            name=source.name,
            anyway=anyway,
            check=check,
        )
    finally:
        if outcome.label_set is None:
            remove_received(folder)
    return outcome


def import_labels(
    *,
    project: Project,
    user: User | None,
    unit_set: UnitSet,
    path: Path,
    source: Import | None = None,
    name: str = "",
    anyway: bool = False,
    check: bool = False,
) -> LabelImport:
    """Check a folder or a zip of label files against the set; without a problem, write them.

    Labels that don't seem to be of these units are a problem too, unless it is done `anyway`. With
    `check` nothing is written.
    """
    if not unit_set.is_frozen:
        raise DomainError(
            _("{unit_set} is not frozen.").format(unit_set=unit_set),
            _("Freeze it, then import its labels."),
            fix=unit_set,
        )
    params: dict[str, Any] = {"path": str(path), "source": source.pk if source else None}
    params["name"] = name or path.name
    problems = ProblemList()
    try:
        found = _check(project, unit_set, params, problems)
    except CorpusError as error:
        raise_if_fault(error)
        return LabelImport(None, [asdict(error.problem)])
    if problems.count:
        return LabelImport(None, [asdict(problem) for problem in problems.first])
    examples = list_example_ids(project, params["source"])
    if not anyway and (doubts := find_label_doubts(project, unit_set, examples, found)):
        return LabelImport(None, doubts, doubtful=True)
    if check:
        return LabelImport(None, checked=len(found))
    made = create_label_set(
        project,
        user,
        unit_set,
        LabelOrigin.FILES,
        _("Labels from {name}").format(name=params["name"]),
    )
    with transaction.atomic():
        params["label_set"] = made.pk
        title = _("Import {made}").format(made=made)
        files = [f"{system}{ENDING}" for system in sorted(found)]
        made.recipe = {**RECIPE, "source": _came_from(path, source), "files": files}
        made.job = create_job(project=project, user=user, kind=KIND, title=title, params=params)
        made.save()
        text = _("started importing {made}").format(made=made)
        record_activity(project=project, actor=user, verb=Verb.START, target=made, text=text)
    return LabelImport(made)


def _came_from(path: Path, source: Import | None) -> str:
    """What the files lay in, where it has a name that people gave it."""
    if source is not None:
        return source.name
    return "" if path.parent == Path(settings.IMPORTS_DIR) else path.name


def _read(params: dict[str, Any], keys: Sequence[str], problems: ProblemList) -> ByExample:
    most = settings.MAX_UNPACKED_MB * 2**20
    return read_labels(Path(params["path"]), keys, problems, max_bytes=most)


def _check(
    project: Project, unit_set: UnitSet, params: dict[str, Any], problems: ProblemList
) -> ByExample:
    """The labels by system and example."""
    known = set(project.systems.values_list("name", flat=True))
    examples = list_example_ids(project, params["source"])
    units = get_unit_order(unit_set)
    counts = {key: len(units.get(pk, ())) for key, pk in examples.items()}
    found = _read(params, list(examples), problems)
    misfits = ProblemList()
    for system, rows in found.items():
        if system not in known:
            message = _("There is no system '{system}'.").format(system=system)
            problems.add(f"{system}{ENDING}", None, message, _("the name of a system."))
            continue
        _check_rows(system, rows, counts, misfits)
        _check_summaries(system, rows, examples, problems)
    other = find_fitting_set(unit_set, examples, found) if misfits.count else None
    if other is not None:
        problems.add(
            params["name"],
            None,
            _("The labels match {other}, not {unit_set}.").format(other=other, unit_set=unit_set),
            f"{other}.",
        )
    for problem in misfits.first:
        problems.take(problem)
    return found


def _check_rows(
    system: str, rows: dict[str, Row], counts: dict[str, int], problems: ProblemList
) -> None:
    for line, (key, count) in enumerate(counts.items(), start=1):
        if key in rows and len(rows[key]) != count:
            message = _("There are {rows:,} labels for '{key}'.").format(
                rows=len(rows[key]), key=key
            )
            problems.add(
                f"{system}{ENDING}",
                line,
                message,
                _("{count:,}, one per unit.").format(count=count),
            )


def _check_summaries(
    system: str, rows: dict[str, Row], examples: dict[str, int], problems: ProblemList
) -> None:
    """A label is about a summary: there must be one."""
    labelled = {
        key: examples[key] for key, row in rows.items() if key in examples and _has_label(row)
    }
    have = _summaries(system, list(labelled.values()))
    missing = next((key for key, pk in labelled.items() if pk not in have), None)
    if missing is not None:
        line = list(examples).index(missing) + 1
        message = _("There is no summary of '{missing}' by {system}.").format(
            missing=missing, system=system
        )
        problems.add(f"{system}{ENDING}", line, message, _("only labels of imported summaries."))


def _has_label(row: Row) -> bool:
    return any(label is not None for label in row)


def _summaries(system: str, examples: list[int]) -> dict[int, int]:
    """Summary ids by example."""
    found: dict[int, int] = {}
    for start in range(0, len(examples), 500):
        rows = Summary.objects.live().filter(
            system__name=system, example__in=examples[start : start + 500]
        )
        found.update(rows.values_list("example_id", "pk"))
    return found


def run_import(work: Work) -> dict[str, Any]:
    """A system a step; the last step shows them all."""
    label_set = get_label_set_of(work)
    examples = list_example_ids(label_set.project, work.job.params["source"])
    problems = ProblemList()
    systems = _read(work.job.params, list(examples), problems)
    problems.raise_first()
    work.report(work.done, len(systems), phase=_("Writing labels"))
    for system in sorted(systems)[work.cursor.get("systems", 0) :]:
        with work.step():
            _write(label_set, system, systems[system], examples)
            work.done += 1
            work.cursor = {"systems": work.done}
    mark = hash_labels(label_set)
    measure_label_set(
        label_set,
        figures=describe_labels(label_set),
        answers_hash="",
        signature=f"labels:{mark[:16]}|vote:imported|giza:{__version__}",
    )
    with work.step():
        show_label_set(label_set)
    _forget(work.job)
    return {"label_set": label_set.pk, **label_set.figures["counts"]}


def _write(
    label_set: LabelSet, system: str, rows: dict[str, Row], examples: dict[str, int]
) -> None:
    labelled = {examples[key]: row for key, row in rows.items() if _has_label(row)}
    summaries = _summaries(system, list(labelled))
    SummaryLabels.objects.bulk_create(
        (
            SummaryLabels(label_set=label_set, summary_id=summaries[pk], labels=row)
            for pk, row in labelled.items()
        ),
        batch_size=500,
    )


def _forget(job: Job) -> None:
    path = Path(job.params["path"])
    remove_received(path.parent if path.suffix == ".zip" else path)


def _give_up(job: Job) -> None:
    remove_unfinished(job)
    _forget(job)


KINDS[KIND] = JobKind(run_import, undo=_give_up)
