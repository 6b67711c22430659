"""What the corpus must ask before it lets go of examples that units were written on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from django.db import transaction
from django.db.models.functions import Length
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Reference
from annotation.corpora.imports.models import Import, KeptFile
from annotation.corpora.imports.uploads import UploadedFile, new_folder, receiving, remove_received
from annotation.corpora.imports.writing import REFUSALS
from annotation.corpora.jobs.service import create_job
from annotation.corpora.projects.models import Project
from annotation.corpora.projects.service import REMOVE_FIRST
from annotation.errors import DomainError, Invalid
from annotation.faults import raise_if_fault
from annotation.removal import remove_rows
from annotation.translation import gettext_lazy
from annotation.units.files.filling import (
    Group,
    find_misfit,
    forget_files,
    get_provenance,
    list_example_ids,
    read_groups,
    read_peers,
)
from annotation.units.sets.models import Unit, UnitKind, UnitSet, Weighting
from annotation.units.sets.service import create_set
from annotation.units.studio.ops import MAX_TEXT
from annotation.wording import counted
from scoring.errors import InputError
from scoring.io import CorpusError, ProblemList
from scoring.io.errors import shown
from scoring.io.units import Provenance
from scoring.stemming import content_stems, stem_set
from scoring.types import Problem, UnitRecord


def refuse_if_units_are_written(import_: Import) -> None:
    unit = Unit.objects.filter(example__source=import_).select_related("set").first()
    if unit is not None:
        raise DomainError(
            _("{set} contains units of this import's examples.").format(set=unit.set),
            _("Delete the unit set first. If it is frozen, the import can't be undone."),
            fix=unit.set,
        )


def remove_units(project: Project) -> None:
    for job in project.jobs.filter(kind="import_units"):
        transaction.on_commit(partial(forget_files, job.params))
    remove_rows(UnitSet.objects.filter(project=project))


REFUSALS.append(refuse_if_units_are_written)
REMOVE_FIRST.append(remove_units)


# Letters by which forms of a word meet that stemming keeps apart.
PREFIX = 5
EXPECTED = gettext_lazy("units of this example's references, in the order of the examples.")


class Strays:
    """Collected while a file is checked, some examples at a time."""

    def __init__(self) -> None:
        self.units = 0
        self.found: list[UnitRecord] = []

    def add(self, groups: list[Group], examples: dict[str, int]) -> None:
        ids = {examples[group.key] for group in groups if group.key in examples}
        texts: dict[int, list[str]] = {}
        rows = Reference.objects.filter(example__in=ids)
        for example, text in rows.values_list("example_id", "text"):
            texts.setdefault(example, []).append(text)
        for group in groups:
            if references := texts.get(examples.get(group.key, 0)):
                self._compare(group.records, references)

    def _compare(self, records: list[UnitRecord], references: list[str]) -> None:
        known = stem_set(references)
        known |= {stem[:PREFIX] for stem in known}
        for record in records:
            stems = content_stems(record.text)
            self.units += 1
            if stems and not any(stem in known or stem[:PREFIX] in known for stem in stems):
                self.found.append(record)

    def describe(self, file: str, doubts: ProblemList) -> None:
        """Even one is named: REALSumm, PyrXSum and units that models wrote of them have none."""
        count = len(self.found)
        if not count:
            return
        message = ngettext(
            "{count:,} of {units} shares no content word with its reference.",
            "{count:,} of {units} share no content word with their reference.",
            count,
        ).format(count=count, units=counted(self.units, "unit", "units"))
        doubts.take(Problem(shown(file), None, message, str(EXPECTED)))
        for record in self.found:
            message = _("“{record}” shares no content word with “{record_2}”.").format(
                record=record.text, record_2=record.key
            )
            doubts.add(record.file, record.line, message, str(EXPECTED))


# The longest that the tables hold; the formats themselves allow more.
LIMITS = {"text": MAX_TEXT, "extractor": 80, "extractor_version": 120}
UNTOLD = Provenance()
GROUPS_AT_ONCE = 400


@dataclass(frozen=True, slots=True)
class Outcome:
    """A set that is being filled, or the problems that kept it from being made.

    If they are only `doubtful`, the same import goes through when it is asked for `anyway`; its
    file may be `held` for that.
    """

    unit_set: UnitSet | None
    problems: list[dict[str, Any]] = field(default_factory=list)
    doubtful: bool = False
    held: str = ""
    # How many units the file has, where it was only checked.
    checked: int | None = None
    # What of the file is not imported.
    notes: list[str] = field(default_factory=list)


def make_provenance(
    *, kind: str = "", extractor: str = "", extractor_version: str = ""
) -> Provenance:
    """What is told of a file's units beside the file; refused where it makes no sense."""
    try:
        return Provenance(kind, extractor, extractor_version)
    except InputError as error:
        raise Invalid(str(error), _("Give both, or neither.")) from None


def import_uploaded_units(
    *,
    project: Project,
    user: User,
    name: str,
    files: Iterable[UploadedFile],
    format: str = "",
    provenance: Provenance = UNTOLD,
    anyway: bool = False,
    check: bool = False,
    hold: bool = False,
    held: str = "",
) -> Outcome:
    """The first file; or, with `held`, the one that an earlier check with `hold` left here."""
    with receiving(project=project, user=user, files=files, held=held) as received:
        outcome = import_unit_file(
            project=project,
            user=user,
            name=name,
            path=received.paths[0],
            format=format,
            provenance=provenance,
            anyway=anyway,
            check=check,
        )
        is_held = hold and outcome.doubtful
        received.is_needed = outcome.unit_set is not None or is_held
    return replace(outcome, held=received.folder.name) if is_held else outcome


def import_kept_units(
    *, project: Project, user: User | None, kept: KeptFile, anyway: bool = False
) -> Outcome:
    """Make a set of a units file that came with the corpus; its lines go by that import."""
    path = new_folder() / Path(kept.name).name
    outcome = Outcome(None)
    try:
        path.write_bytes(bytes(kept.data))
        name = _free_name(project, path.stem)
        outcome = import_unit_file(
            project=project, user=user, name=name, path=path, source=kept.source, anyway=anyway
        )
    finally:
        if outcome.unit_set is None:
            remove_received(path.parent)
    return outcome


def import_unit_file(
    *,
    project: Project,
    user: User | None,
    name: str,
    path: Path,
    format: str = "",
    provenance: Provenance = UNTOLD,
    source: Import | None = None,
    anyway: bool = False,
    check: bool = False,
) -> Outcome:
    """Read the file through; without a problem, make the set and have it filled.

    Units that don't seem to belong to their examples are a problem too, unless it is done `anyway`.
    With `check` nothing is made.
    """
    params = {
        "path": str(path),
        "format": format,
        "provenance": asdict(provenance),
        "source": source.pk if source else None,
    }
    problems, doubts = ProblemList(), ProblemList()
    try:
        checked = _check(project, params, problems, doubts)
    except CorpusError as error:
        raise_if_fault(error)
        return Outcome(None, [asdict(error.problem)])
    if problems.count:
        return Outcome(None, [asdict(problem) for problem in problems.first])
    if doubts.count and not anyway:
        return Outcome(None, [asdict(doubt) for doubt in doubts.first], doubtful=True)
    if check:
        return Outcome(None, checked=checked.count, notes=checked.notes)
    with transaction.atomic():
        unit_set = create_set(project=project, user=user, name=name)
        if checked.is_weighted:
            unit_set.weighting = Weighting.MERGED
        unit_set.job = create_job(
            project=project,
            user=user,
            kind="import_units",
            title=_("Import units from {path}").format(path=path.name)[:200],
            params={**params, "set": unit_set.pk, "count": checked.count, "notes": checked.notes},
        )
        unit_set.save(update_fields=["job", "weighting"])
    return Outcome(unit_set, notes=checked.notes)


def _free_name(project: Project, wanted: str) -> str:
    taken = set(UnitSet.objects.filter(project=project).values_list("name", flat=True))
    numbered = (f"{wanted} {number}" for number in range(2, len(taken) + 3))
    return wanted if wanted not in taken else next(n for n in numbered if n not in taken)


@dataclass(slots=True)
class _Checked:
    """What a first reading found: how many units, whether they bring weights, and STUs."""

    count: int = 0
    is_weighted: bool = False
    has_stus: bool = False
    notes: list[str] = field(default_factory=list)

    def add(self, records: list[UnitRecord]) -> None:
        self.count += len(records)
        self.is_weighted |= any(record.weight > 1 for record in records)
        self.has_stus |= any(record.kind == UnitKind.STU for record in records)


def _check(
    project: Project, params: dict[str, Any], problems: ProblemList, doubts: ProblemList
) -> _Checked:
    examples = list_example_ids(project, params["source"])
    found, strays = _Checked(), Strays()
    groups = read_groups(params, examples, problems, found.notes)
    while chunk := list(islice(groups, GROUPS_AT_ONCE)):
        for group in chunk:
            found.add(group.records)
            _check_group(examples, group, problems)
        strays.add(chunk, examples)
    name = Path(params["path"]).name
    strays.describe(name, doubts)
    if problems.count:
        return found
    if not found.count:
        problems.add(name, None, _("The file contains no units."), _("at least one unit."))
    elif get_provenance(params).extractor and not found.has_stus:
        message = _("An extractor is given, but the file contains no STUs.")
        problems.add(name, None, message, _("units of the kind STU, or no extractor."))
    _check_peers(examples, params, problems)
    return found


def _check_group(examples: dict[str, int], group: Group, problems: ProblemList) -> None:
    first = group.records[0]
    if group.key in examples:
        _check_contributors(examples[group.key], group.records, problems)
    else:
        _add_unknown(group.key, first.file, first.line, problems)
    for record in group.records:
        _check_length(record, problems)


def _check_peers(examples: dict[str, int], params: dict[str, Any], problems: ProblemList) -> None:
    """A peer's example may have no units, so that no group of them has named it."""
    for pyramid in read_peers(params, examples, problems):
        if pyramid.key not in examples:
            _add_unknown(pyramid.key, Path(params["path"]).name, None, problems)


def _add_unknown(key: str, file: str, line: int | None, problems: ProblemList) -> None:
    message = _("The project has no example '{key}'.").format(key=key)
    problems.add(file, line, message, _("an example ID of the corpus."))


def _check_contributors(example: int, records: list[UnitRecord], problems: ProblemList) -> None:
    if not any(record.contributors for record in records):
        return
    rows = Reference.objects.filter(example=example).order_by("position")
    lengths = list(rows.values_list(Length("text"), flat=True))
    for record in records:
        for item in record.contributors:
            if fault := find_misfit(item, lengths):
                message = _("In example '{record}': {fault}").format(record=record.key, fault=fault)
                problems.add(
                    record.file, record.line, message, _("a range within the reference's text.")
                )


def _check_length(record: UnitRecord, problems: ProblemList) -> None:
    for name, most in LIMITS.items():
        length = len(getattr(record, name))
        if length > most:
            what = name.replace("_", " ")
            message = _(
                "In example '{record}', the {what} of a unit has {length:,} characters."
            ).format(record=record.key, what=what, length=length)
            problems.add(
                record.file, record.line, message, _("at most {most:,}.").format(most=most)
            )
