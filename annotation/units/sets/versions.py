"""The next version of a frozen set: its units, who wrote them and who signed them off."""

from __future__ import annotations

from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Count, Max, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.corpora.bulk import insert_rows, reserve_ids
from annotation.corpora.jobs.kinds import KINDS, JobKind
from annotation.corpora.jobs.service import create_job
from annotation.corpora.jobs.work import Work
from annotation.errors import DomainError
from annotation.units.files.peers import copy_peers
from annotation.units.sets.locks import get_set_of
from annotation.units.sets.models import Contributor, Unit, UnitSet
from annotation.units.studio.models import Assignment
from annotation.units.studio.progress import ensure_assignments
from annotation.units.stus.models import SentencePlan

COPY_CHUNK = 2000
CARRIED = [
    *("author", "reviewer", "state", "written_by", "written_at"),
    *("signed_by", "signed_at", "priority"),
]


def create_next_version(*, unit_set: UnitSet, user: User) -> UnitSet:
    """A draft that starts as a copy of a frozen set, filled by a job."""
    if not unit_set.is_frozen:
        raise DomainError(
            _("{unit_set} is not frozen. Change it directly.").format(unit_set=unit_set)
        )
    newest = UnitSet.objects.filter(project=unit_set.project, name=unit_set.name)
    last = newest.aggregate(last=Max("version"))["last"]
    try:
        with transaction.atomic():
            copy = UnitSet.objects.create(
                project=unit_set.project,
                name=unit_set.name,
                version=last + 1,
                weighting=unit_set.weighting,
                parent=unit_set,
                created_by=user,
            )
            copy.job = create_job(
                project=unit_set.project,
                user=user,
                kind="copy_units",
                title=_("Copy {unit_set} to version {version}").format(
                    unit_set=unit_set, version=copy.version
                ),
                params={"set": copy.pk},
            )
            copy.save(update_fields=["job"])
            text = _("created {copy} as a copy of {unit_set}").format(copy=copy, unit_set=unit_set)
            record_activity(
                project=copy.project, actor=user, verb=Verb.CREATE, target=copy, text=text
            )
    except IntegrityError:
        raise DomainError(
            _("Someone else has just created the next version."), _("Reload the page.")
        ) from None
    return copy


def run_copy(work: Work) -> dict[str, Any]:
    """Copy the parent's units, a few thousand in each step, from where the last one ended."""
    copy = get_set_of(work.job)
    assert copy.parent is not None
    rows = _placed(copy.parent).order_by("pk")
    work.report(work.done, copy.parent.unit_count, phase=_("Copying"))
    last = work.cursor.get("last", 0)
    while units := list(rows.filter(pk__gt=last).prefetch_related("contributors")[:COPY_CHUNK]):
        with work.step():
            copy_units(units, copy)
            last = units[-1].pk
            work.cursor = {**work.cursor, "last": last}
            work.done += len(units)
    copy_peers(work, copy.parent, copy)
    with work.step():
        _carry_assignments(copy.parent, copy)
        _carry_plans(copy.parent, copy)
        ensure_assignments(copy)
        copy.unit_count = copy.parent.unit_count
        copy.save(update_fields=["unit_count"])
    return {"units": copy.unit_count}


def _carry_assignments(parent: UnitSet, copy: UnitSet) -> None:
    """Who writes, who checks and how far each example is.

    A sign-off holds for what was read, and the copy holds the same units; the first change of an
    example asks for another look at it.
    """
    rows = Assignment.objects.filter(set=parent).iterator(chunk_size=COPY_CHUNK)
    # Whoever asked for work meanwhile may have made rows already, with nobody in them.
    Assignment.objects.bulk_create(
        (_as_new(row, copy) for row in rows),
        batch_size=500,
        update_conflicts=True,
        unique_fields=["set", "example"],
        update_fields=CARRIED,
    )


def _carry_plans(parent: UnitSet, copy: UnitSet) -> None:
    rows = SentencePlan.objects.filter(set=parent).order_by("pk")
    values = rows.values_list("pk", "sentence_id", "difficulty", "is_human", "model")
    last = 0
    # Read before anything is written: a connection can't do both at once.
    while chunk := list(values.filter(pk__gt=last)[:COPY_CHUNK]):
        insert_rows(
            SentencePlan,
            ["set", "sentence", "difficulty", "is_human", "model"],
            [(copy.pk, *row) for __, *row in chunk],
        )
        last = chunk[-1][0]


def _as_new(row: Assignment, copy: UnitSet) -> Assignment:
    row.pk, row.set = None, copy
    return row


def _placed(unit_set: UnitSet) -> QuerySet[Unit]:
    """The units that are not deleted, with the `place` of each among them."""
    live = Unit.objects.filter(set=unit_set, is_deleted=False)
    before = live.filter(example=OuterRef("example"), position__lt=OuterRef("position"))
    count = before.order_by().values("example").annotate(n=Count("pk")).values("n")
    return live.annotate(place=Coalesce(Subquery(count), 0))


def copy_units(units: list[Unit], copy: UnitSet) -> None:
    ids = reserve_ids(Unit, len(units))
    insert_rows(
        Unit, COPIED, [_copied(pk, unit, copy) for pk, unit in zip(ids, units, strict=True)]
    )
    insert_rows(
        Contributor,
        ["unit", "reference", "sentence", "start", "end", "is_aligned"],
        [
            (pk, span.reference_id, span.sentence_id, span.start, span.end, span.is_aligned)
            for pk, unit in zip(ids, units, strict=True)
            for span in unit.contributors.all()
        ],
    )


COPIED = [
    *("id", "set", "example", "kind", "text", "weight", "position", "revision", "is_deleted"),
    *("author", "extractor", "extractor_version", "promoted_from", "seconds"),
    *("created_at", "updated_at"),
]


def _copied(pk: int, unit: Unit, copy: UnitSet) -> tuple[Any, ...]:
    """A row in the order of `COPIED`."""
    place = unit.place  # type: ignore[attr-defined]
    head = (pk, copy.pk, unit.example_id, unit.kind, unit.text, unit.weight, place)
    made_by = (unit.author_id, unit.extractor, unit.extractor_version, unit.promoted_from_id)
    return (*head, 1, False, *made_by, unit.seconds, unit.created_at, unit.updated_at)


KINDS["copy_units"] = JobKind(run_copy)
