"""Approving and rejecting what workers submitted: by a requester, or by the clock.

An assignment is decided by one UPDATE that asks for its state, so a second decision changes
nothing, and pays nothing.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q
from django.utils.translation import gettext as _

from annotation import clock
from annotation.crowd.market import money
from annotation.crowd.market.deliveries import announce
from annotation.crowd.market.errors import TurkError, missing, own_work, wrong_state
from annotation.crowd.market.models_accounts import Message, Requester, WorkerAccount
from annotation.crowd.market.models_work import AssignmentStatus, MarketAssignment, MarketHit
from annotation.crowd.market.requesters import TIED, acts_for_themselves
from annotation.crowd.market.rows import patient

logger = logging.getLogger(__name__)

OVERRIDE_WITHIN = timedelta(days=30)
SUBMITTED, APPROVED, REJECTED = (
    AssignmentStatus.SUBMITTED,
    AssignmentStatus.APPROVED,
    AssignmentStatus.REJECTED,
)
SHOWN = [SUBMITTED, APPROVED, REJECTED]
SWEEP_SIZE = 200


def get_assignment(requester: Requester, assignment_id: str) -> MarketAssignment:
    """An assignment of one of the requester's HITs; others look like none."""
    found = (
        MarketAssignment.objects.select_related("hit__hit_type", "worker")
        .filter(hit__requester=requester, assignment_id=assignment_id)
        .first()
    )
    if found is None:
        raise missing("Assignment", assignment_id)
    return found


@patient
@transaction.atomic
def approve(
    *,
    requester: Requester,
    assignment_id: str,
    feedback: str | None = None,
    override: bool = False,
) -> None:
    assignment = get_assignment(requester, assignment_id)
    if acts_for_themselves(assignment.worker.user_id) or _is_own(assignment):
        raise own_work("Assignment", assignment_id)
    status = assignment.status
    now = clock.now()
    if status == REJECTED and override:
        _override(assignment, feedback, now)
    elif status != SUBMITTED or not _approve_submitted(assignment, feedback, now):
        raise _undecidable(assignment, override=override)


@patient
@transaction.atomic
def reject(*, requester: Requester, assignment_id: str, feedback: str) -> None:
    assignment = get_assignment(requester, assignment_id)
    now = clock.now()
    # What the clock has approved is approved, even if the sweep has not come by yet.
    on_time = Q(auto_approve_at=None) | Q(auto_approve_at__gt=now)
    # Asked apart: a subquery in an UPDATE would not see that somebody else decided meanwhile.
    if _is_own(assignment):
        on_time = Q()
    row = MarketAssignment.objects.filter(on_time, pk=assignment.pk, status=SUBMITTED)
    if not row.update(status=REJECTED, feedback=feedback, rejected_at=now):
        raise _undecidable(assignment)
    WorkerAccount.objects.filter(pk=assignment.worker_id).update(rejected=F("rejected") + 1)
    if _complete_place(assignment):
        money.release(assignment.hit.requester_id, assignment.hit.place_cost)
    _write_to_worker(assignment, feedback)
    _announce(assignment, "AssignmentRejected")


def _write_to_worker(assignment: MarketAssignment, feedback: str) -> None:
    """Nobody should have to look for a rejection; it counts against them."""
    hit = assignment.hit
    Message.objects.create(
        requester_id=hit.requester_id,
        worker_id=assignment.worker_id,
        subject=_("Rejected: {hit_type}").format(hit_type=hit.hit_type.title)[:200],
        text=_("Your work was rejected, so it isn't paid. Reason: {feedback}").format(
            feedback=feedback
        )[:4096],
        hit_id=hit.hit_id,
    )


def _approve_submitted(assignment: MarketAssignment, feedback: str | None, now: datetime) -> bool:
    row = MarketAssignment.objects.filter(pk=assignment.pk, status=SUBMITTED)
    changes = {} if feedback is None else {"feedback": feedback}
    if not row.update(status=APPROVED, approved_at=now, **changes):
        return False
    WorkerAccount.objects.filter(pk=assignment.worker_id).update(approved=F("approved") + 1)
    money.pay_reward(assignment, is_held=_complete_place(assignment))
    _announce(assignment, "AssignmentApproved")
    return True


def _is_own(assignment: MarketAssignment) -> bool:
    """Whether its worker could decide for the requester when they submitted it."""
    return MarketAssignment.objects.filter(TIED, pk=assignment.pk).exists()


def _complete_place(assignment: MarketAssignment) -> bool:
    """Count the place as done; whether money was held for it, which is then free or paid."""
    row = MarketHit.objects.filter(pk=assignment.hit_id)
    done = {"submitted": F("submitted") - 1, "completed": F("completed") + 1}
    is_held = row.filter(held_places__gt=0).update(**done, held_places=F("held_places") - 1)
    if not is_held:
        row.update(**done)
    # The row is ours now; what a place of it costs may have been changed until a moment ago.
    assignment.hit = row.select_related("hit_type").get()
    return bool(is_held)


def _override(assignment: MarketAssignment, feedback: str | None, now: datetime) -> None:
    if assignment.hit.is_deleted:
        raise wrong_state("HIT", assignment.hit.hit_id, "Disposed", _("Reviewable, Reviewing"))
    if assignment.submitted_at is None or now - assignment.submitted_at > OVERRIDE_WITHIN:
        raise TurkError(
            "AssignmentTooOld",
            _("Assignment {assignment_id} was submitted more than 30 days ago.").format(
                assignment_id=assignment.assignment_id
            ),
        )
    row = MarketAssignment.objects.filter(pk=assignment.pk, status=REJECTED)
    changes = {} if feedback is None else {"feedback": feedback}
    if not row.update(status=APPROVED, approved_at=now, rejected_at=None, **changes):
        raise _undecidable(assignment, override=True)
    WorkerAccount.objects.filter(pk=assignment.worker_id).update(
        approved=F("approved") + 1, rejected=F("rejected") - 1
    )
    money.pay_reward(assignment, is_held=False)
    _announce(assignment, "AssignmentApproved")


def _undecidable(assignment: MarketAssignment, *, override: bool = False) -> TurkError:
    """Read again: it may have been decided by somebody else, or by the clock, a moment ago."""
    assignment.refresh_from_db(fields=["status", "auto_approve_at"])
    status = APPROVED if is_overdue(assignment, clock.now()) else assignment.status
    allowed = _("Submitted, Rejected") if override else "Submitted"
    return wrong_state("Assignment", assignment.assignment_id, status, allowed)


def is_overdue(assignment: MarketAssignment, now: datetime) -> bool:
    at = assignment.auto_approve_at
    return assignment.status == SUBMITTED and at is not None and at <= now


def approve_overdue(now: datetime, hit: MarketHit | None = None) -> int:
    """Approve what nobody decided in time; of one HIT before it is read, of all in the sweep.

    Work for somebody's own requester is left: it can only be rejected.
    """
    overdue = MarketAssignment.objects.filter(~TIED, status=SUBMITTED, auto_approve_at__lte=now)
    if hit is not None:
        overdue = overdue.filter(hit=hit)
    found = overdue.order_by("auto_approve_at").select_related("hit__hit_type")
    return sum(map(_approve_by_clock, found[:SWEEP_SIZE]))


def _approve_by_clock(assignment: MarketAssignment) -> bool:
    try:
        return _approve_as_promised(assignment)
    except TurkError as error:
        # One requester without money must not keep the others' workers from being paid.
        logger.warning("assignment %s is not paid: %s", assignment, error)
        return False


@patient
@transaction.atomic
def _approve_as_promised(assignment: MarketAssignment) -> bool:
    """The time of approval is the time that was promised, whenever the sweep comes."""
    assert assignment.auto_approve_at is not None
    return _approve_submitted(assignment, None, assignment.auto_approve_at)


def _announce(assignment: MarketAssignment, event: str) -> None:
    hit = assignment.hit
    announce(hit.hit_type, event, hit_id=hit.hit_id, assignment_id=assignment.assignment_id)
