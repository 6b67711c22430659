"""All spans of a set that are whole sentences, narrowed to the words of their units; and undone.

Each example is one change, as if somebody had pressed `q` there, so that its history shows it.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from django.db import transaction

from annotation.corpora.models import Example, Job, User, Verb
from annotation.corpora.services.activity import record_activity
from annotation.corpora.services.jobs import KINDS, JobKind, Work, create_job
from annotation.errors import DomainError
from annotation.translation import gettext as _
from annotation.units.models import Change, UnitSet
from annotation.units.selectors.narrowing import (
    KIND,
    find_undoable,
    list_narrowed,
    list_narrowings,
)
from annotation.units.services.locks import get_set_of, hold_draft, refuse_if_closed
from annotation.units.services.ops import Op, apply_op
from annotation.units.services.sentences import chunk_examples, live_examples
from annotation.units.states import unit_state, units_with_spans

EXAMPLES_A_STEP = 20
NAMESPACE = uuid.UUID("5b6f2f0c-6a39-4c0f-9a52-9e1f0f2f6a11")
Spans = list[dict[str, Any]]


def narrow_spans(*, unit_set: UnitSet, user: User, undo: bool = False) -> Job:
    """Begin the job; with `undo`, the one that takes the last narrowing back."""
    with transaction.atomic():
        held = hold_draft(unit_set)
        refuse_if_closed(held, user)
        open_jobs = [job for job in list_narrowings(held) if not job.is_over]
        if open_jobs:
            raise DomainError(
                _("The spans of {held} are already being changed.").format(held=held),
                _("Wait until the job is done."),
                fix=open_jobs[0],
            )
        last = find_undoable(held) if undo else None
        if undo and last is None:
            raise DomainError(_("There is no narrowing to undo."))
        what = _("Undo narrowing the spans") if undo else _("Narrow the spans")
        job = create_job(
            project=held.project,
            user=user,
            kind=KIND,
            title=_("{what} of {held}").format(what=what, held=held)[:200],
            params={"set": held.pk, "undo": last.pk if last else None},
        )
        text = (
            _("undid the narrowing of spans of {held}").format(held=held)
            if undo
            else _("narrowed the spans of {held}").format(held=held)
        )
        record_activity(project=held.project, actor=user, verb=Verb.CHANGE, target=held, text=text)
    return job


def run_narrowing(work: Work) -> dict[str, Any]:
    """From the last example that was changed."""
    unit_set = get_set_of(work.job)
    if work.job.created_by is None:
        raise DomainError(
            _("The person who started this job no longer has an account."), _("Start it again.")
        )
    work.report(work.done, live_examples(unit_set.project).count(), phase=_("Changing spans"))
    changed = work.cursor.get("changed", 0)
    for examples in chunk_examples(unit_set.project, work.cursor.get("last", 0), EXAMPLES_A_STEP):
        with work.step():
            changed += _change(work.job, hold_draft(unit_set), examples)
            work.cursor = {"last": examples[-1], "changed": changed}
            work.done += len(examples)
    return {"changed": changed}


def _change(job: Job, unit_set: UnitSet, examples: Sequence[int]) -> int:
    """One action for each example that has something to change."""
    undone = job.params["undo"]
    find = _list_widened if undone else _list_narrow
    found = find(unit_set, examples, undone)
    rows = {row.pk: row for row in Example.objects.filter(pk__in=found)}
    for pk, changes in found.items():
        op = Op(name_op(job.pk, pk), "widen" if undone else "narrow", changes)
        assert job.created_by is not None
        apply_op(unit_set=unit_set, example=rows[pk], user=job.created_by, op=op)
    return sum(map(len, found.values()))


def name_op(job: int, example: int) -> uuid.UUID:
    """What a job does in an example has one name, so that a kill repeats nothing."""
    return uuid.uuid5(NAMESPACE, f"{job}:{example}")


def _list_narrow(unit_set: UnitSet, examples: Sequence[int], __: None) -> dict[int, list[Any]]:
    found: dict[int, list[Any]] = {}
    for row in list_narrowed(unit_set, examples):
        unit = row.unit
        change = {"unit": unit.pk, "revision": unit.revision, "spans": row.after}
        found.setdefault(unit.example_id, []).append({"action": "update", **change})
    return found


def _list_widened(unit_set: UnitSet, examples: Sequence[int], job: int) -> dict[int, list[Any]]:
    """Units whose spans are still those that the job left."""
    names = [name_op(job, pk) for pk in examples]
    made = Change.objects.filter(set=unit_set, op__in=names).select_related("example")
    found: dict[int, list[Any]] = {}
    for change in made:
        for unit in units_with_spans(unit_set, change.example).filter(is_deleted=False):
            after = change.after.get(str(unit.pk))
            if after and _places(after["spans"]) == _places(unit_state(unit)["spans"]):
                spans = change.before[str(unit.pk)]["spans"]
                row = {"unit": unit.pk, "revision": unit.revision, "spans": spans}
                found.setdefault(change.example_id, []).append({"action": "update", **row})
    return found


def _places(spans: Spans) -> set[tuple[int, int, int]]:
    return {(span["reference"], span["start"], span["end"]) for span in spans}


KINDS[KIND] = JobKind(run_narrowing)
