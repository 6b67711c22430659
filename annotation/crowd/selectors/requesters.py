"""Requesters as their owners see them: money, keys, work that came too late, messages."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from annotation.corpora.models import Membership, Role, User
from annotation.crowd.models import (
    AssignmentStatus,
    MarketAssignment,
    MarketEntry,
    Message,
    Requester,
    RequesterKey,
)
from annotation.errors import NotFound

SHOWN = 20


def get_requester(user: User, pk: int) -> Requester:
    """One's own, one's project's, or any for staff; others are not told apart from none."""
    found = list_accessible(user).filter(pk=pk).first()
    if found is None:
        raise NotFound("There is no such requester of yours.")
    return found


def list_accessible(user: User) -> QuerySet[Requester]:
    """Every requester that this person may use: for somebody inactive, none."""
    rows = Requester.objects.all()
    if not user.is_active:
        return rows.none()
    owned = Membership.objects.filter(user=user, role=Role.OWNER)
    mine = Q(owner=user) | Q(project__in=owned.values("project"))
    return rows if user.is_staff else rows.filter(mine)


def get_key(user: User, *, requester: int, pk: int) -> RequesterKey:
    """A key that this person may revoke: their own, or one of a requester of theirs."""
    rows = RequesterKey.objects.select_related("requester", "requester__project", "user")
    mine = Q(user=user) | Q(requester__in=list_accessible(user))
    found = rows.filter(mine, pk=pk, requester=requester).first()
    if found is None:
        raise NotFound("There is no such key.")
    return found


def list_entries(requester: Requester) -> QuerySet[MarketEntry]:
    rows = requester.entries.select_related("worker", "assignment")
    return rows.order_by("-pk")[:SHOWN]


def list_late_work(requester: Requester) -> QuerySet[MarketAssignment]:
    """Submitted after the place was given away; the API has no state for it, so it is shown."""
    rows = MarketAssignment.objects.filter(
        hit__requester=requester, status=AssignmentStatus.LATE
    ).select_related("worker", "hit")
    return rows.defer("hit__question", "answer").order_by("-pk")[:SHOWN]


def list_messages(requester: Requester) -> QuerySet[Message]:
    return requester.messages.filter(is_from_worker=True).select_related("worker")[:SHOWN]
