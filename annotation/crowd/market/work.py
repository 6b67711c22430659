"""A HIT in a worker's hands: accepted, submitted, returned, abandoned.

Every change moves one place of the HIT in the same transaction, by an UPDATE that names the state
it expects. Rows are locked in one order: assignment, worker, HIT.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils.translation import gettext as _

from annotation import clock
from annotation.crowd.campaigns.models import Hit
from annotation.crowd.market import rows
from annotation.crowd.market.accepting import Deactivated, OwnWork, accept_hit, accept_next
from annotation.crowd.market.answers import (
    SECONDS_FIELD,
    build_answer_xml,
    build_form_answers,
    read_seconds,
)
from annotation.crowd.market.content import DocumentError
from annotation.crowd.market.deliveries import tell_assignment
from annotation.crowd.market.models_accounts import WorkerAccount
from annotation.crowd.market.models_work import (
    HOLDS_PLACE,
    AssignmentStatus,
    MarketAssignment,
    MarketHit,
    QuestionKind,
)
from annotation.crowd.market.question_forms import read_form
from annotation.crowd.market.rows import patient
from annotation.errors import DomainError, Invalid, NotFound
from annotation.translation import gettext_lazy

__all__ = [
    "PREVIEW_ID",
    "Outcome",
    "Submitted",
    "Unanswered",
    "abandon_overdue",
    "accept_hit",
    "accept_next",
    "return_assignment",
    "save_time",
    "submit_assignment",
]

PREVIEW_ID = "ASSIGNMENT_ID_NOT_AVAILABLE"
SWEPT_AT_ONCE = 500


class Unanswered(Invalid):
    status = 422
    code = "unanswered"
    title = gettext_lazy("Nothing was answered")


class Outcome(StrEnum):
    """What became of a submission."""

    KEPT = "kept"
    LATE = "late"
    ALREADY = "already"


@dataclass(frozen=True, slots=True)
class Submitted:
    assignment: MarketAssignment
    outcome: Outcome


@patient
def submit_assignment(*, assignment_id: str, fields: Mapping[str, Sequence[str]]) -> Submitted:
    """Keep a worker's answers, once; late ones too, and say so."""
    if assignment_id == PREVIEW_ID:
        raise Invalid(
            _("This is a preview, so nothing was submitted."), _("Accept the HIT to work on it.")
        )
    assignment = _get_assignment(assignment_id)
    if assignment.status not in (AssignmentStatus.ACCEPTED, AssignmentStatus.ABANDONED):
        return _already(assignment)
    # The account may have ended, or its owner may have joined the project, after accepting.
    bars = rows.read_bars(assignment.hit.hit_type, assignment.worker_id)
    if not bars.is_active:
        raise Deactivated()
    if bars.is_own:
        raise OwnWork()
    if _is_blank(fields) and _belongs_to_campaign(assignment.hit):
        raise Unanswered(
            _("No answers were submitted. You still have this HIT."),
            _("Go back, answer the questions and submit again."),
        )
    return _keep(assignment, _write_answer(assignment, fields), clock.now())


def _get_assignment(assignment_id: str) -> MarketAssignment:
    found = rows.read_assignment(assignment_id)
    if found is None:
        raise NotFound(
            _("There is no such assignment."), _("Open the HIT from your list of work again.")
        )
    return found


def _already(assignment: MarketAssignment) -> Submitted:
    if assignment.status == AssignmentStatus.RETURNED:
        raise DomainError(
            _("You returned this HIT, so its answers can't be submitted."),
            _("Accept it again first."),
        )
    return Submitted(assignment, Outcome.ALREADY)


def _write_answer(assignment: MarketAssignment, fields: Mapping[str, Sequence[str]]) -> str:
    """Of a QuestionForm its answers, checked; of any other page all that it sent."""
    hit = assignment.hit
    if hit.question_kind != QuestionKind.FORM:
        sent = _with_all_seconds(fields, assignment.seconds_worked)
        return build_answer_xml(_put_ids_last(sent))
    xml = MarketHit.objects.values_list("question", flat=True).get(pk=hit.pk)
    try:
        return build_form_answers(read_form(xml), fields)
    except DocumentError as error:
        raise Invalid(
            _("This task can't be checked: {error}.").format(error=error), _("Return the HIT.")
        ) from error


def _with_all_seconds(
    fields: Mapping[str, Sequence[str]], worked: float
) -> Mapping[str, Sequence[str]]:
    """A judging page that was opened again may have measured only since then."""
    if SECONDS_FIELD not in fields:
        return fields
    measured = read_seconds("".join(fields[SECONDS_FIELD])) or 0.0
    return {**fields, SECONDS_FIELD: [f"{worked:.1f}"]} if worked > measured else fields


def save_time(*, assignment: MarketAssignment, seconds: float) -> None:
    """How long the worker was at it. It only grows, and never beyond the time since accepting."""
    elapsed = (clock.now() - assignment.accepted_at).total_seconds()
    worked = min(seconds, elapsed)
    in_hand = MarketAssignment.objects.filter(pk=assignment.pk, status=AssignmentStatus.ACCEPTED)
    in_hand.filter(seconds_worked__lt=worked).update(seconds_worked=worked)


# What forms send besides answers.
NOT_ANSWERS = {"assignmentId", "hitId", "workerId", "turkSubmitTo"}


def _put_ids_last(fields: Mapping[str, Sequence[str]]) -> dict[str, Sequence[str]]:
    """Scripts read the first text of an Answer as their own, where forms have the ids."""
    return dict(sorted(fields.items(), key=lambda item: item[0] in NOT_ANSWERS))


def _is_blank(fields: Mapping[str, Sequence[str]]) -> bool:
    given = (
        values
        for name, values in fields.items()
        if name not in NOT_ANSWERS and not name.startswith("giza_")
    )
    return not any(value.strip() for values in given for value in values)


def _belongs_to_campaign(hit: MarketHit) -> bool:
    """Our own judging pages need answers. A task of others may be a button without fields."""
    return Hit.objects.filter(provider_id=hit.hit_id).exists()


def _keep(assignment: MarketAssignment, answer: str, now: datetime) -> Submitted:
    grace = timedelta(seconds=settings.MARKET_GRACE_SECONDS)
    is_late = now > assignment.deadline + grace
    approve_at = now + timedelta(seconds=assignment.hit.hit_type.auto_approval_seconds)
    with transaction.atomic():
        if not rows.submit_in_hand(assignment.pk, answer, is_late, now, approve_at):
            return _keep_late(
                assignment,
                answer=answer,
                is_late=True,
                submitted_at=now,
                auto_approve_at=approve_at,
            )
        assignment.status = AssignmentStatus.SUBMITTED
        rows.count_submitted(assignment.worker_id)
        if not rows.submit_place(assignment.hit_id):
            raise IntegrityError(f"HIT {assignment.hit_id} has no place that is pending")
        tell_assignment(assignment, "AssignmentSubmitted")
        return Submitted(assignment, Outcome.LATE if is_late else Outcome.KEPT)


def _keep_late(assignment: MarketAssignment, **kept: object) -> Submitted:
    """The time was over and the place given up: take a free one again, or save the work without.

    Nothing is written before the lock says that the assignment is still abandoned, so there is
    nothing to undo if another tab submitted it at the same moment.
    """
    _lock(assignment)
    if assignment.status != AssignmentStatus.ABANDONED:
        return _already(assignment)
    _lock_worker(assignment.worker_id)
    if _has_place_again(assignment):
        _change(assignment, "Abandoned", "Submitted", **kept)
        _count(assignment.worker_id, submitted=1, abandoned=-1)
        tell_assignment(assignment, "AssignmentSubmitted")
    else:
        _change(assignment, "Abandoned", "Late", **{**kept, "auto_approve_at": None})
    return Submitted(assignment, Outcome.LATE)


def _lock(assignment: MarketAssignment) -> None:
    """Wait for a change in progress, and read its result."""
    locked = MarketAssignment.objects.select_for_update().filter(pk=assignment.pk)
    fields = locked.values("status", "submitted_at", "is_late").get()
    for name, value in fields.items():
        setattr(assignment, name, value)


def _has_place_again(assignment: MarketAssignment) -> bool:
    """Only a place that is paid for, and only if the worker did not accept the HIT again."""
    holders = MarketAssignment.objects.filter(
        hit=assignment.hit_id, worker=assignment.worker_id, status__in=HOLDS_PLACE
    )
    if holders.exists():
        return False
    free = MarketHit.objects.alive().filter(
        pk=assignment.hit_id,
        available__gt=0,
        held_places__gt=F("pending") + F("submitted"),
    )
    return bool(free.update(available=F("available") - 1, submitted=F("submitted") + 1))


@patient
def return_assignment(*, assignment: MarketAssignment) -> None:
    """The worker gives the HIT back; somebody else may take it."""
    with transaction.atomic():
        if not _give_up(assignment, "Returned", returned=1):
            assignment.refresh_from_db(fields=["status"])
            raise DomainError(
                _("This HIT is no longer in progress."),
                _("Its status is: {status}.").format(
                    status=assignment.get_status_display().lower()
                ),
            )
        tell_assignment(assignment, "AssignmentReturned")


def abandon_overdue(now: datetime) -> int:
    """Free the places of work whose time is over. Safe to run anywhere, at any time."""
    grace = timedelta(seconds=settings.MARKET_GRACE_SECONDS)
    overdue = MarketAssignment.objects.select_related("hit__hit_type").defer("hit__question")
    found = overdue.filter(status="Accepted", deadline__lt=now - grace)[:SWEPT_AT_ONCE]
    return sum(_abandon(assignment) for assignment in found)


@patient
def _abandon(assignment: MarketAssignment) -> bool:
    with transaction.atomic():
        was_given_up = _give_up(assignment, "Abandoned", abandoned=1)
        if was_given_up:
            tell_assignment(assignment, "AssignmentAbandoned")
    return was_given_up


def _give_up(assignment: MarketAssignment, status: str, **counts: int) -> bool:
    if not _change(assignment, "Accepted", status):
        return False
    _count(assignment.worker_id, **counts)
    _move_place(assignment.hit_id, "pending", "available")
    return True


def _change(assignment: MarketAssignment, old: str, new: str, **fields: object) -> bool:
    """Change the state if it is still the old one; nobody else's change is overwritten."""
    row = MarketAssignment.objects.filter(pk=assignment.pk, status=old)
    if not row.update(status=new, **fields):
        return False
    for name, value in {"status": new, **fields}.items():
        setattr(assignment, name, value)
    return True


def _move_place(hit_id: int, source: str, target: str) -> None:
    row = MarketHit.objects.filter(pk=hit_id, **{f"{source}__gt": 0})
    moved = row.update(**{source: F(source) - 1, target: F(target) + 1})
    if not moved:
        raise IntegrityError(f"HIT {hit_id} has no place that is {source}")


def _count(worker_id: int, **counts: int) -> None:
    """Add to the counts of a worker."""
    changes = {name: F(name) + number for name, number in counts.items()}
    WorkerAccount.objects.filter(pk=worker_id).update(**changes)


def _lock_worker(worker_id: int) -> None:
    """One thing at a time for one worker, whatever their tabs do."""
    list(WorkerAccount.objects.select_for_update().filter(pk=worker_id).values_list("pk"))
