"""The job that asks the linter about every unit of a set, so that a table can be filtered by it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from django.db import transaction

from annotation import clock
from annotation.corpora.models import Job, Reference, User
from annotation.corpora.services.jobs import KINDS, JobKind, Work, create_job
from annotation.errors import DomainError
from annotation.translation import gettext as _
from annotation.units.models import Unit, UnitSet
from annotation.units.selectors.linting import find_warnings
from annotation.units.services.locks import get_set_of, hold_set, refuse_if_not_filled
from annotation.units.services.sentences import chunk_examples, live_examples

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
            totals += _check(hold_set(unit_set), examples)
            work.cursor = {"last": examples[-1], "totals": dict(totals)}
            work.done += len(examples)
    with work.step():
        at = clock.now().isoformat()
        UnitSet.objects.filter(pk=unit_set.pk).update(lint={"at": at, "rules": dict(totals)})
    return {"warnings": totals.total()}


def _check(unit_set: UnitSet, examples: Sequence[int]) -> Counter[str]:
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
