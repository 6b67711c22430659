"""Becoming a worker, what workers say about themselves, and what they write to requesters."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F

from annotation import clock
from annotation.corpora.models import User
from annotation.crowd.models import (
    MarketHit,
    Message,
    Requester,
    WorkerAccount,
    WorkerInvitation,
)
from annotation.errors import DomainError, Forbidden, NotFound


def join_workers(
    *, user: User, country: str, subdivision: str = "", invitation: WorkerInvitation | None = None
) -> WorkerAccount:
    """Make somebody a worker; who is one already stays the same one."""
    if invitation is None and settings.MARKET_SIGN_UP != "open":
        raise Forbidden("Workers join this marketplace by invitation.", "Ask for a link.")
    try:
        with transaction.atomic():
            worker = WorkerAccount.objects.create(
                user=user, country=country, subdivision=subdivision, is_adult=True
            )
            if invitation is not None:
                _use(invitation)
            return worker
    except IntegrityError:
        return WorkerAccount.objects.get(user=user)


def _use(invitation: WorkerInvitation) -> None:
    open_ = WorkerInvitation.objects.open().filter(pk=invitation.pk)
    if not open_.update(uses_left=F("uses_left") - 1):
        raise DomainError("This invitation is used up or has run out.", "Ask for a new link.")


def get_invitation(token: str) -> WorkerInvitation:
    found = WorkerInvitation.objects.filter(token=token).first()
    if found is None:
        raise NotFound("There is no such invitation.", "Check that the link is whole.")
    return found


def invite_workers(*, user: User, uses: int, days: int, note: str = "") -> WorkerInvitation:
    expires_at = clock.now() + timedelta(days=days)
    return WorkerInvitation.objects.create(
        created_by=user, uses_left=uses, expires_at=expires_at, note=note
    )


def update_worker(*, worker: WorkerAccount, country: str, subdivision: str) -> None:
    worker.country = country
    worker.subdivision = subdivision
    worker.save(update_fields=["country", "subdivision"])


def write_to_requester(
    *, worker: WorkerAccount, requester: Requester, subject: str, text: str, hit_id: str = ""
) -> Message:
    if worker.is_suspended:
        raise Forbidden("Your account is suspended.")
    return Message.objects.create(
        requester=requester,
        worker=worker,
        is_from_worker=True,
        subject=subject,
        text=text,
        hit_id=hit_id,
    )


def get_reachable_requester(*, hit_id: str) -> Requester:
    """The requester of a HIT, whom a worker may write to about it."""
    hit = MarketHit.objects.select_related("requester").filter(hit_id=hit_id).first()
    if hit is None:
        raise NotFound("There is no such HIT.")
    return hit.requester


def mark_read(*, worker: WorkerAccount) -> None:
    """What the worker has now seen."""
    unread = worker.messages.filter(is_from_worker=False, read_at=None)
    unread.update(read_at=clock.now())
