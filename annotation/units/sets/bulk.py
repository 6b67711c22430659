"""Many units of a set changed at once: each example as one action, all of them or none.

- The job that asks the linter about every unit of a set, so that a table can be filtered by it.
- Units from a file, written into a draft that is there: as its author would type them.
"""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation import clock
from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Example, Reference
from annotation.corpora.jobs.kinds import KINDS, JobKind
from annotation.corpora.jobs.models import Job
from annotation.corpora.jobs.service import create_job
from annotation.corpora.jobs.work import Work
from annotation.errors import DomainError, Invalid
from annotation.units.files.filling import Group, find_misfit, list_example_ids, read_groups
from annotation.units.sets.locks import (
    get_set_of,
    hold_draft,
    hold_set,
    hold_writing,
    refuse_if_not_filled,
)
from annotation.units.sets.models import Unit, UnitSet
from annotation.units.studio.linting import find_warnings
from annotation.units.studio.ops import Op, apply_op
from annotation.units.studio.progress import mark_written
from annotation.units.stus.easiness import chunk_examples, live_examples
from annotation.wording import counted
from scoring.io import CorpusError, ProblemList
from scoring.types import UnitRecord

# A request waits for it.
MOST = 500
ACTIONS = ("replace", "delete", "restore")


def edit_units(
    *,
    unit_set: UnitSet,
    user: User,
    action: str,
    units: Mapping[int, int],
    find: str = "",
    replacement: str = "",
) -> int:
    """Change units that somebody saw at these revisions; return how many changed.

    `replace` puts `replacement` where a text has `find`, exactly as written.
    """
    _check(action, units, find)
    with transaction.atomic():
        held = hold_draft(unit_set)
        rows = list(
            Unit.objects.filter(set=held, pk__in=units)
            .select_related("example")
            .order_by("example__position", "example_id", "position")
        )
        if len(rows) < len(units):
            raise DomainError(_("Some of these units no longer exist."), _("Reload the page."))
        _refuse_if_stale(rows, units)
        count = 0
        for example, group in groupby(rows, key=lambda unit: unit.example):
            changes = _changes(group, action, units, find, replacement)
            if changes:
                op = Op(uuid.uuid4(), action, changes)
                apply_op(unit_set=held, example=example, user=user, op=op)
                count += len(changes)
    return count


def _check(action: str, units: Mapping[int, int], find: str) -> None:
    if action not in ACTIONS:
        raise Invalid(
            _("Unknown action '{action}'.").format(action=action),
            _("Use {actions}.").format(actions=", ".join(ACTIONS)),
        )
    if not units:
        raise DomainError(_("No unit is selected."), _("Select the units to change."))
    if len(units) > MOST:
        raise DomainError(
            _("{units:,} units selected. Change at most {most} at a time.").format(
                units=len(units), most=MOST
            )
        )
    if action == "replace" and not find:
        raise DomainError(_("There is no text to replace."), _("Enter the text to replace."))


def _refuse_if_stale(rows: list[Unit], units: Mapping[int, int]) -> None:
    for unit in rows:
        if unit.revision != units[unit.pk]:
            raise DomainError(
                _("Someone else changed “{unit}” in {example}. Nothing was changed.").format(
                    unit=unit, example=unit.example
                ),
                _("Check the selected units and try again."),
            )


def _changes(
    group: Any, action: str, units: Mapping[int, int], find: str, replacement: str
) -> list[dict[str, Any]]:
    changes = []
    for unit in group:
        change = {"unit": unit.pk, "revision": units[unit.pk]}
        if action == "replace":
            text = unit.text.replace(find, replacement)
            if text == unit.text or unit.is_deleted:
                continue
            if not text.strip():
                raise DomainError(
                    _("The unit “{unit}” in {example} would be empty.").format(
                        unit=unit.text, example=unit.example
                    ),
                    _("Delete the unit instead."),
                )
            changes.append({"action": "update", "text": text, **change})
        elif unit.is_deleted == (action == "restore"):
            changes.append({"action": action, **change})
    return changes


def describe_edit(action: str, count: int) -> str:
    units = counted(count, "unit", "units")
    done = {
        "replace": _("{units} changed.").format(units=units),
        "delete": _("{units} deleted.").format(units=units),
        "restore": _("{units} restored.").format(units=units),
    }
    return done[action]


KIND = "check_units"
EXAMPLES_A_STEP = 50


def start_check(*, unit_set: UnitSet, user: User) -> Job:
    """Ask all rules, those that are switched off included: switching one on needs no new check."""
    with transaction.atomic():
        held = hold_set(unit_set)
        refuse_if_not_filled(held)
        if open_jobs := list_checks(held):
            raise DomainError(
                _("{held} is already being checked.").format(held=held),
                _("Wait until the job is done."),
                fix=open_jobs[0],
            )
        return create_job(
            project=held.project,
            user=user,
            kind=KIND,
            title=_("Check the units of {held}").format(held=held)[:200],
            params={"set": held.pk},
        )


def list_checks(unit_set: UnitSet) -> list[Job]:
    """Those that are not over."""
    jobs = Job.objects.filter(project=unit_set.project_id, kind=KIND, params__set=unit_set.pk)
    return [job for job in jobs.order_by("-pk")[:5] if not job.is_over]


def run_check(work: Work) -> dict[str, Any]:
    """From the last example that was checked."""
    unit_set = get_set_of(work.job)
    work.report(work.done, live_examples(unit_set.project).count(), phase=_("Checking"))
    after = work.cursor.get("last", 0)
    totals: Counter[str] = Counter(work.cursor.get("totals", {}))
    for examples in chunk_examples(unit_set.project, after, EXAMPLES_A_STEP):
        with work.step():
            totals += _check_examples(hold_set(unit_set), examples)
            work.cursor = {"last": examples[-1], "totals": dict(totals)}
            work.done += len(examples)
    with work.step():
        at = clock.now().isoformat()
        UnitSet.objects.filter(pk=unit_set.pk).update(lint={"at": at, "rules": dict(totals)})
    return {"warnings": totals.total()}


def _check_examples(unit_set: UnitSet, examples: Sequence[int]) -> Counter[str]:
    """The set is held, so that nobody changes a unit between reading and writing."""
    references: dict[int, list[Reference]] = {pk: [] for pk in examples}
    rows = Reference.objects.filter(example__in=examples).prefetch_related("sentences")
    for row in rows.order_by("position"):
        references[row.example_id].append(row)
    units: dict[int, list[Unit]] = {pk: [] for pk in examples}
    live = Unit.objects.filter(set=unit_set, example__in=examples, is_deleted=False)
    for unit in live.order_by("position", "pk").prefetch_related("contributors"):
        units[unit.example_id].append(unit)
    totals: Counter[str] = Counter()
    for pk in examples:
        totals += _note(units[pk], references[pk])
    Unit.objects.bulk_update([unit for rows in units.values() for unit in rows], ["lint"], 500)
    return totals


def _note(units: list[Unit], references: list[Reference]) -> Counter[str]:
    found = find_warnings(references, units, disabled=[])
    totals: Counter[str] = Counter()
    for unit in units:
        rules = dict.fromkeys(warning["rule"] for warning in found[str(unit.pk)])
        unit.lint = f",{','.join(rules)},".replace(",,", ",")
        totals.update(list(rules))
    return totals


KINDS[KIND] = JobKind(run_check)


MOST_PER_CALL = 5000


def add_units(*, unit_set: UnitSet, user: User, path: Path, format: str = "") -> dict[str, int]:
    """Add every unit of the file after those of its example, and mark these as written.

    All or nothing. For the thousands of units of a whole study, a set is made of the file instead.
    """
    with transaction.atomic():
        held = hold_writing(unit_set)
        examples = list_example_ids(held.project, None)
        counts = {"units": 0, "examples": 0}
        for group in _read(path, format, examples):
            if group.key not in examples:
                raise DomainError(
                    _("{file}: the project has no example '{group}'.").format(
                        file=group.records[0].file, group=group.key
                    ),
                    _("Use the example IDs of the corpus."),
                )
            example = Example.objects.get(pk=examples[group.key])
            _add(held, example, user, group.records)
            counts["units"] += len(group.records)
            counts["examples"] += 1
            if counts["units"] > MOST_PER_CALL:
                raise DomainError(
                    _("The file has more than {most_per_call:,} units.").format(
                        most_per_call=MOST_PER_CALL
                    ),
                    _("Import the file as a new set instead: import_units."),
                    fix=reverse("units:import", args=[held.project.slug]),
                )
    unit_set.refresh_from_db()
    return counts


def _read(path: Path, format: str, examples: dict[str, int]) -> list[Group]:
    problems = ProblemList()
    params: dict[str, Any] = {"path": str(path), "format": format}
    try:
        groups = list(read_groups(params, examples, problems))
        problems.raise_first()
    except CorpusError as error:
        found = error.problem
        line = _(", line {line}").format(line=found.line) if found.line else ""
        raise DomainError(
            f"{found.file}{line}: {found.message}",
            _("Expected {expected}").format(expected=found.expected),
        ) from None
    return groups


def _add(unit_set: UnitSet, example: Example, user: User, records: list[UnitRecord]) -> None:
    references = list(Reference.objects.filter(example=example).order_by("position"))
    changes = [
        {"action": "create", "text": record.text, "spans": _spans(record, references)}
        for record in records
    ]
    op = Op(uuid.uuid4(), "create", changes)
    apply_op(unit_set=unit_set, example=example, user=user, op=op)
    mark_written(unit_set=unit_set, example=example, user=user)


def _spans(record: UnitRecord, references: list[Reference]) -> list[dict[str, int]]:
    lengths = [len(reference.text) for reference in references]
    for item in record.contributors:
        if fault := find_misfit(item, lengths):
            raise DomainError(
                _("Example '{record}': {fault}").format(record=record.key, fault=fault),
                _("Use a range within the reference's text."),
            )
    return [
        {"reference": references[item.reference].pk, "start": item.start, "end": item.end}
        for item in record.contributors
    ]
