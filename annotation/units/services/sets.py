"""Making, reviewing, freezing and continuing sets of units."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Count, Max, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from annotation.corpora.models import Project, Role, User
from annotation.corpora.services.bulk import insert_rows, reserve_ids
from annotation.corpora.services.events import record_event
from annotation.corpora.services.jobs import KINDS, JobKind, Work, create_job
from annotation.errors import DomainError
from annotation.units.models import (
    Assignment,
    AssignmentState,
    Change,
    Comment,
    Contributor,
    SetState,
    StudioSettings,
    Unit,
    UnitSet,
    Weighting,
)
from annotation.units.services.locks import (
    get_set_of,
    hold_draft,
    hold_set,
    refuse_if_frozen,
)
from annotation.units.services.progress import ensure_assignments
from annotation.units.services.received import forget_files

COPY_CHUNK = 2000


def get_settings(project: Project) -> StudioSettings:
    return StudioSettings.objects.filter(project=project).first() or StudioSettings(project=project)


def update_settings(
    *, project: Project, weighting: Weighting, disabled_rules: list[str]
) -> StudioSettings:
    """For sets made from now on; those that are there keep their weighting."""
    settings, _ = StudioSettings.objects.update_or_create(
        project=project,
        defaults={"weighting": weighting, "disabled_rules": sorted(set(disabled_rules))},
    )
    return settings


def create_set(*, project: Project, user: User | None, name: str) -> UnitSet:
    try:
        with transaction.atomic():
            unit_set = UnitSet.objects.create(
                project=project,
                name=name,
                created_by=user,
                weighting=get_settings(project).weighting,
            )
            ensure_assignments(unit_set)
            text = f"started the unit set {unit_set.name}"
            record_event(project=project, actor=user, action="unit_set", text=text)
    except IntegrityError:
        raise DomainError(
            f"A unit set is called '{name}' already.", "Choose another name."
        ) from None
    return unit_set


def send_to_review(*, unit_set: UnitSet, user: User) -> None:
    _move(unit_set, SetState.DRAFT, SetState.REVIEW)
    text = f"sent {unit_set} to review"
    record_event(project=unit_set.project, actor=user, action="review", text=text)


def back_to_draft(*, unit_set: UnitSet, user: User) -> None:
    _move(unit_set, SetState.REVIEW, SetState.DRAFT)
    text = f"took {unit_set} back to draft"
    record_event(project=unit_set.project, actor=user, action="draft", text=text)


def _move(unit_set: UnitSet, before: SetState, after: SetState) -> None:
    moved = UnitSet.objects.filter(pk=unit_set.pk, state=before).update(state=after)
    if not moved:
        raise DomainError(f"{unit_set} is {unit_set.get_state_display().lower()}.", "Reload.")
    unit_set.state = after


def delete_set(*, unit_set: UnitSet, user: User) -> None:
    """The set with its units and all that was said of them; one that is being filled stays."""
    with transaction.atomic():
        held = hold_set(unit_set)
        refuse_if_frozen(held)
        if held.job and not held.job.is_over:
            raise DomainError(f"{held} is still being filled.", "Cancel its job first.")
        text = f"deleted the unit set {unit_set}"
        record_event(project=unit_set.project, actor=user, action="delete_set", text=text)
        remove_sets(UnitSet.objects.filter(pk=held.pk))
    if held.job:
        forget_files(held.job.params)


def remove_sets(sets: QuerySet[UnitSet]) -> None:
    """Row by table, without loading them: a set may have a hundred thousand units."""
    units = Unit.objects.filter(set__in=sets)
    Unit.objects.filter(promoted_from__in=units).update(promoted_from=None)
    UnitSet.objects.filter(parent__in=sets).update(parent=None)
    for rows in (
        Contributor.objects.filter(unit__in=units),
        Comment.objects.filter(set__in=sets),
        Change.objects.filter(set__in=sets),
        Assignment.objects.filter(set__in=sets),
        units,
        sets,
    ):
        rows.order_by()._raw_delete(rows.db)


# Freezing ------------------------------------------------------------------------------------


def freeze_set(*, unit_set: UnitSet, user: User, role: Role, reason: str = "") -> str:
    """Give the set its hash; from then on it never changes.

    Every example with units must be signed off by somebody other than its author, or an owner
    says why not.
    """
    with transaction.atomic():
        locked = hold_draft(unit_set)
        _refuse_if_unwritten(locked)
        _refuse_if_unsigned(locked, role, reason)
        locked.content_hash = content_hash(locked)
        locked.unit_count = Unit.objects.filter(set=locked, is_deleted=False).count()
        locked.state = SetState.FROZEN
        locked.frozen_by, locked.frozen_at = user, timezone.now()
        locked.freeze_reason = reason
        locked.save()
        text = f"froze {locked} with {locked.unit_count:,} units"
        record_event(project=locked.project, actor=user, action="freeze", text=text)
    unit_set.refresh_from_db()
    return unit_set.content_hash


def _refuse_if_unwritten(unit_set: UnitSet) -> None:
    units = Unit.objects.filter(set=unit_set, is_deleted=False)
    if not units.exists():
        raise DomainError(f"{unit_set} has no units.", "Write some first.")
    empty = units.filter(text="").select_related("example")
    if first := empty.order_by("example__position").first():
        raise DomainError(
            f"{empty.count():,} units have no text, the first in example '{first.example.key}'.",
            "Write or delete them.",
        )


def count_unsigned(unit_set: UnitSet) -> int:
    """Examples that nobody but their author has looked at."""
    signed = Assignment.objects.filter(set=unit_set, state=AssignmentState.SIGNED)
    return unit_set.project.example_count - signed.count()


def _refuse_if_unsigned(unit_set: UnitSet, role: Role, reason: str) -> None:
    unsigned = count_unsigned(unit_set)
    if not unsigned:
        return
    if role != Role.OWNER or not reason.strip():
        raise DomainError(
            f"{unsigned:,} example{'s' * (unsigned > 1)} not signed off by a second person.",
            "Have them checked, or let an owner freeze the set and say why.",
        )


def content_hash(unit_set: UnitSet) -> str:
    """SHA-256 over every unit, in the order of the corpus: id, kind, text, weight, words.

    Words found by overlap are a guess that can be made again, perhaps otherwise; what counts are
    those that a person or a file has named.
    """
    digest = hashlib.sha256()
    for line in iter_canonical(unit_set):
        digest.update(json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode())
        digest.update(b"\n")
    return digest.hexdigest()


def iter_canonical(unit_set: UnitSet) -> Iterator[list[Any]]:
    """What a set is made of, without anything that differs between two servers."""
    rows = (
        Unit.objects.filter(set=unit_set, is_deleted=False)
        .select_related("example")
        .prefetch_related("contributors__reference")
        .order_by("example__position", "example_id", "position", "pk")
    )
    for unit in rows.iterator(chunk_size=COPY_CHUNK):
        spans = sorted(
            [span.reference.position, span.start, span.end]
            for span in unit.contributors.all()
            if not span.is_aligned
        )
        yield [unit.example.key, unit.kind, unit.text, unit.weight, unit.extractor, spans]


# The next version ----------------------------------------------------------------------------


def create_next_version(*, unit_set: UnitSet, user: User) -> UnitSet:
    """A draft that starts as a copy of a frozen set, filled by a job."""
    if not unit_set.is_frozen:
        raise DomainError(f"{unit_set} is not frozen: change it as it is.")
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
                title=f"Copy {unit_set} to version {copy.version}",
                params={"set": copy.pk},
            )
            copy.save(update_fields=["job"])
    except IntegrityError:
        raise DomainError("Somebody else made the next version just now.", "Reload.") from None
    return copy


def run_copy(work: Work) -> dict[str, Any]:
    """Copy the parent's units, a few thousand in each step, from where the last one ended."""
    copy = get_set_of(work.job)
    assert copy.parent is not None
    rows = _placed(copy.parent).order_by("pk")
    work.report(work.done, copy.parent.unit_count, phase="Copying")
    last = work.cursor.get("last", 0)
    while units := list(rows.filter(pk__gt=last).prefetch_related("contributors")[:COPY_CHUNK]):
        with work.step():
            _copy_units(units, copy)
            last = units[-1].pk
            work.cursor = {"last": last}
            work.done += len(units)
    with work.step():
        ensure_assignments(copy)
        copy.unit_count = copy.parent.unit_count
        copy.save(update_fields=["unit_count"])
    return {"units": copy.unit_count}


def _placed(unit_set: UnitSet) -> QuerySet[Unit]:
    """The units that are not deleted, with the `place` of each among them."""
    live = Unit.objects.filter(set=unit_set, is_deleted=False)
    before = live.filter(example=OuterRef("example"), position__lt=OuterRef("position"))
    count = before.order_by().values("example").annotate(n=Count("pk")).values("n")
    return live.annotate(place=Coalesce(Subquery(count), 0))


def _copy_units(units: list[Unit], copy: UnitSet) -> None:
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
    *("author", "extractor", "promoted_from", "seconds", "created_at", "updated_at"),
]


def _copied(pk: int, unit: Unit, copy: UnitSet) -> tuple[Any, ...]:
    """A row in the order of `COPIED`."""
    place = unit.place  # type: ignore[attr-defined]
    head = (pk, copy.pk, unit.example_id, unit.kind, unit.text, unit.weight, place)
    written = (unit.author_id, unit.extractor, unit.promoted_from_id, unit.seconds)
    return (*head, 1, False, *written, unit.created_at, unit.updated_at)


KINDS["copy_units"] = JobKind(run_copy)
