"""A worker asks for a qualification: granted at once, scored by a key, or left to the requester."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from django.db import transaction

from annotation import clock
from annotation.crowd.answers import read_answer_xml
from annotation.crowd.market.answer_keys import score_answers
from annotation.crowd.market.form_answers import build_form_answers
from annotation.crowd.market.patience import patient
from annotation.crowd.market.questions import read_form
from annotation.crowd.models import (
    Qualification,
    QualificationRequest,
    QualificationType,
    WorkerAccount,
)
from annotation.errors import DomainError
from annotation.translation import gettext as _

# A test is submitted over a network; a moment's delay is not the worker's.
TEST_SLACK = timedelta(seconds=30)


def grant(
    *, kind: QualificationType, worker: WorkerAccount, value: int, at: datetime
) -> Qualification:
    """Give a worker a value of a type, whatever they had of it before."""
    held, __ = Qualification.objects.update_or_create(
        type=kind,
        worker=worker,
        defaults={"value": value, "is_granted": True, "reason": "", "granted_at": at},
    )
    return held


def may_ask(kind: QualificationType, worker: WorkerAccount, now: datetime) -> str:
    """Why the worker can't ask for it now; empty if they can."""
    if kind.is_deleted or not kind.is_active or not kind.is_requestable:
        return _("This qualification can't be requested.")
    held = Qualification.objects.filter(type=kind, worker=worker, is_granted=True).exists()
    if held and not kind.answer_key:
        return _("You already have this qualification.")
    last = kind.requests.filter(worker=worker).order_by("-pk").first()
    if last is None or _is_being_taken(last, now):
        return ""
    if last.state == "open" and last.submitted_at:
        return _("You have already requested it. The requester hasn't decided yet.")
    if kind.retry_seconds is None:
        return _("This qualification can be requested only once.")
    again = (last.submitted_at or last.started_at) + timedelta(seconds=kind.retry_seconds)
    return (
        _("You can request it again after {again:%d %B %Y, %H:%M} UTC.").format(again=again)
        if again > now
        else ""
    )


def _is_being_taken(request: QualificationRequest, now: datetime) -> bool:
    """A test that was begun and whose time is not over."""
    allotted = timedelta(seconds=request.type.test_seconds or 0) + TEST_SLACK
    is_begun = request.state == "open" and request.submitted_at is None
    return is_begun and now <= request.started_at + allotted


@patient
@transaction.atomic
def request_qualification(
    *,
    kind: QualificationType,
    worker: WorkerAccount,
    fields: Mapping[str, Sequence[str]] | None = None,
) -> QualificationRequest:
    """Ask for a qualification. The first call begins a test, the second brings its answers.

    One thing at a time for one worker: of two clicks at once, the first counts.
    """
    list(WorkerAccount.objects.select_for_update().filter(pk=worker.pk).values_list("pk"))
    now = clock.now()
    if problem := may_ask(kind, worker, now):
        raise DomainError(problem)
    request = _begin(kind, worker, now, has_answers=bool(kind.test) and fields is not None)
    if kind.test:
        if fields is None:
            return request
        request.answer = build_form_answers(read_form(kind.test), fields)
    request.submitted_at = now
    _decide_at_once(kind, request, now)
    request.save()
    return request


def _begin(
    kind: QualificationType, worker: WorkerAccount, now: datetime, *, has_answers: bool
) -> QualificationRequest:
    """The attempt in hand, or a new one; one whose time is over is closed."""
    mine = kind.requests.filter(worker=worker, state="open").first()
    if mine is not None and _is_being_taken(mine, now):
        return mine
    if has_answers:
        raise DomainError(
            _("The time for this test has run out, or it wasn't started."),
            _("Start the test again."),
        )
    kind.requests.filter(worker=worker, state="open").update(
        state="rejected", reason=_("The time for the test ran out."), decided_at=now
    )
    return QualificationRequest.objects.create(type=kind, worker=worker, started_at=now)


def _decide_at_once(kind: QualificationType, request: QualificationRequest, now: datetime) -> None:
    if kind.auto_granted:
        value = kind.auto_granted_value
    elif kind.test and kind.answer_key:
        value = score_answers(kind.answer_key, read_answer_xml(request.answer))
    else:
        return
    grant(kind=kind, worker=request.worker, value=value, at=now)
    request.state = "granted"
    request.decided_at = now
