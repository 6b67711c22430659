"""Labels that don't seem to be of the units and summaries that they were put to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.corpora.corpus.models import Summary
from annotation.corpora.imports.models import Import
from annotation.corpora.imports.uploads import UploadedFile, new_folder, receiving, remove_received
from annotation.corpora.jobs.kinds import KINDS, JobKind
from annotation.corpora.jobs.models import Job
from annotation.corpora.jobs.service import create_job
from annotation.corpora.jobs.work import Work
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError
from annotation.evaluation.labels.models import LabelOrigin, LabelSet, SummaryLabels
from annotation.evaluation.labels.scores import describe_labels
from annotation.evaluation.labels.service import (
    create_label_set,
    get_label_set_of,
    get_unit_order,
    hash_labels,
    measure_label_set,
    remove_unfinished,
    show_label_set,
)
from annotation.faults import raise_if_fault
from annotation.translation import gettext_lazy
from annotation.units.files.filling import list_example_ids
from annotation.units.sets.models import Unit, UnitSet
from scoring import __version__
from scoring.io import CorpusError, ProblemList
from scoring.io.errors import shown
from scoring.io.labels import ENDING, Row, read_labels
from scoring.relatedness import Words, content_words, share
from scoring.types import Problem

# Labels of each kind; fewer say nothing.
LEAST = 15
# Units that are present share more of their words with the summary than others, by so much: 0.33
# in REALSumm and 0.39 in PyrXSum, but less than 0.1 if the lines are shifted. Single systems have
# 0.14 at least.
LEAST_GAP, LEAST_OF_SYSTEM = 0.2, 0.05
Shares = dict[int, list[float]]
EXPECTED = gettext_lazy("labels of these summaries, in the order of the examples and their units.")


def find_label_doubts(
    project: Project,
    unit_set: UnitSet,
    examples: Mapping[str, int],
    found: Mapping[str, Mapping[str, Row]],
) -> list[dict[str, Any]]:
    """Where units labelled present share hardly more words with summaries than others do."""
    units = _read_units(unit_set)
    doubts, everything = ProblemList(), _new_shares()
    for system, rows in sorted(found.items()):
        summaries, shares = _read_summaries(project, system), _new_shares()
        for key, row in rows.items():
            pk = examples.get(key, 0)
            if pk in summaries:
                _collect(row, units.get(pk, []), summaries[pk], shares)
        _compare(f"{system}{ENDING}", shares, LEAST_OF_SYSTEM, doubts)
        for label, values in shares.items():
            everything[label] += values
    _compare(_("All files together"), everything, LEAST_GAP, doubts)
    return [asdict(problem) for problem in doubts.first]


def _new_shares() -> Shares:
    return {0: [], 1: []}


def _collect(row: Row, units: list[Words], summary: Words, shares: Shares) -> None:
    for label, words in zip(row, units, strict=False):
        if label is not None and words:
            shares[label].append(share(words, summary))


def _compare(file: str, shares: Shares, least: float, doubts: ProblemList) -> None:
    if min(map(len, shares.values())) < LEAST:
        return
    absent, present = (sum(shares[label]) / len(shares[label]) for label in (0, 1))
    if present - absent < least:
        message = _(
            "Units labelled present share {present:.0%} of their words with the summaries; "
            "units labelled not present share {absent:.0%}."
        ).format(present=present, absent=absent)
        doubts.take(Problem(shown(file), None, message, str(EXPECTED)))


def _read_units(unit_set: UnitSet) -> dict[int, list[Words]]:
    """By example, in the order in which labels go by them."""
    found: dict[int, list[Words]] = {}
    rows = Unit.objects.filter(set=unit_set, is_deleted=False).order_by("position", "pk")
    for example, text in rows.values_list("example_id", "text").iterator(5000):
        found.setdefault(example, []).append(content_words(text))
    return found


def _read_summaries(project: Project, system: str) -> dict[int, Words]:
    rows = Summary.objects.live().filter(system__project=project, system__name=system)
    texts = rows.values_list("example_id", "text").iterator(5000)
    return {example: content_words(text) for example, text in texts}


def find_fitting_set(
    unit_set: UnitSet, examples: Mapping[str, int], found: Mapping[str, Mapping[str, Row]]
) -> UnitSet | None:
    """Another frozen set of the project that has a unit for each of the labels."""
    others = UnitSet.objects.filter(project=unit_set.project).exclude(pk=unit_set.pk)
    for other in others.exclude(content_hash="").order_by("-pk"):
        counts: dict[int, int] = {}
        rows = Unit.objects.filter(set=other, is_deleted=False).order_by()
        for example in rows.values_list("example_id", flat=True):
            counts[example] = counts.get(example, 0) + 1
        if all(
            len(row) == counts.get(examples.get(key, 0), 0)
            for rows_of in found.values()
            for key, row in rows_of.items()
        ):
            return other
    return None


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
