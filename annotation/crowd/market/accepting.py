"""Taking a HIT: one place for one worker, never more places out than were asked for."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet

from annotation import clock
from annotation.crowd.market import rows
from annotation.crowd.market.eligibility import unmet
from annotation.crowd.market.events import tell_assignment
from annotation.crowd.market.patience import patient
from annotation.crowd.models import (
    HOLDS_PLACE,
    AssignmentStatus,
    MarketAssignment,
    MarketHit,
    MarketHitType,
    WorkerAccount,
)
from annotation.errors import DomainError, Forbidden, NotFound
from annotation.translation import gettext as _
from annotation.translation import gettext_lazy

OWN_WORK = gettext_lazy(
    "This work belongs to your own requester or project, so you can't be paid for it"
)
DONE = [*HOLDS_PLACE, AssignmentStatus.LATE]


class NoPlace(DomainError):
    code = "no_place"
    title = gettext_lazy("This HIT is no longer available")


class EnoughDone(NoPlace):
    code = "enough_done"
    title = gettext_lazy("You have reached the limit")

    def __init__(self) -> None:
        super().__init__(
            _("You have reached the maximum number of these HITs per worker."),
            _("Choose other work."),
        )


class _HasOne(Exception):
    """The worker has this work already. It leaves the transaction, which undoes the count."""

    def __init__(self, assignment: MarketAssignment) -> None:
        super().__init__(assignment.assignment_id)
        self.assignment = assignment


class NotQualified(Forbidden):
    code = "not_qualified"
    title = gettext_lazy("This work is not available to you")


class OwnWork(NotQualified):
    code = "own_work"
    title = gettext_lazy("You can't work on your own HITs")

    def __init__(self) -> None:
        super().__init__(
            f"{OWN_WORK}.", _("Leave it to other workers. If you have accepted it, return it.")
        )


def accept_hit(*, hit_id: str, worker: WorkerAccount) -> MarketAssignment:
    """Accept this HIT; accepting one in progress again gives the same assignment."""
    hit = MarketHit.objects.select_related("hit_type").defer("question").filter(hit_id=hit_id)
    found: MarketHit | None = hit.first()
    if found is None or found.is_deleted:
        raise NotFound(_("There is no such HIT."), _("Choose another one from your list of work."))
    check_may_work(found.hit_type, worker)
    return _accept(found, worker)


def accept_next(*, hit_type: MarketHitType, worker: WorkerAccount) -> MarketAssignment:
    """Accept any HIT of a type that the worker has not had; one in progress comes first."""
    check_may_work(hit_type, worker)
    return _accept_next(hit_type, worker)


class Deactivated(NotQualified):
    code = "deactivated"
    title = gettext_lazy("Your account is deactivated")

    def __init__(self) -> None:
        super().__init__(
            _("Your account is deactivated, so you can't work here."),
            _("Write to the people who run this site."),
        )


def check_may_work(hit_type: MarketHitType, worker: WorkerAccount) -> None:
    bars = rows.read_bars(hit_type, worker.pk)
    if not bars.is_active:
        raise Deactivated()
    if worker.is_suspended:
        raise NotQualified(
            _("Your account is suspended."), _("Write to the people who run this site.")
        )
    if bars.is_blocked:
        raise NotQualified(_("The requester of this work doesn't accept submissions from you."))
    if bars.is_own:
        raise OwnWork()
    if missing := unmet(hit_type.requirements, worker):
        raise NotQualified(f"{'. '.join(missing)}.")


@patient
def _accept(hit: MarketHit, worker: WorkerAccount) -> MarketAssignment:
    now = clock.now()
    try:
        with transaction.atomic():
            rows.count_accepted(worker.pk)
            mine = MarketAssignment.objects.filter(hit=hit, worker=worker, status__in=DONE).first()
            if mine is not None:
                raise _HasOne(mine)
            if rows.has_had_enough(hit.pk, worker.pk):
                raise EnoughDone()
            if not _take_place(hit, now):
                raise NoPlace(_("Other workers have taken this HIT, or it has expired."))
            return _hand_over(hit, worker, now)
    except _HasOne as found:
        return _in_hand(found.assignment)


def _in_hand(mine: MarketAssignment) -> MarketAssignment:
    if mine.status != AssignmentStatus.ACCEPTED:
        raise DomainError(_("You have already done this HIT."), _("Choose another one."))
    return mine


@patient
def _accept_next(hit_type: MarketHitType, worker: WorkerAccount) -> MarketAssignment:
    now = clock.now()
    try:
        with transaction.atomic():
            rows.count_accepted(worker.pk)
            mine = rows.read_in_hand(worker.pk, hit_type.pk, now)
            if mine is not None:
                raise _HasOne(mine)
            hit = rows.take_free_place(hit_type, worker.pk, now)
            if hit is None:
                raise NoPlace(_("No more HITs of this kind are available to you."))
            return _hand_over(hit, worker, now)
    except _HasOne as found:
        return found.assignment


def list_free(hit_type: MarketHitType, worker: WorkerAccount, now: datetime) -> QuerySet[MarketHit]:
    """HITs of a type that have a place and that the worker has never had."""
    had = MarketAssignment.objects.filter(worker=worker, hit=OuterRef("pk"))
    free: QuerySet[MarketHit] = MarketHit.objects.assignable(now).filter(
        ~Exists(had), hit_type=hit_type
    )
    return free


def _take_place(hit: MarketHit, now: datetime) -> bool:
    row = MarketHit.objects.assignable(now).filter(pk=hit.pk)
    return bool(row.update(available=F("available") - 1, pending=F("pending") + 1))


def _hand_over(hit: MarketHit, worker: WorkerAccount, now: datetime) -> MarketAssignment:
    allotted = timedelta(seconds=hit.hit_type.assignment_seconds)
    assignment = MarketAssignment.objects.create(
        hit=hit, worker=worker, accepted_at=now, deadline=now + allotted
    )
    tell_assignment(assignment, "AssignmentAccepted")
    return assignment
