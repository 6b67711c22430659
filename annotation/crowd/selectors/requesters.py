"""Requesters as their owners see them: money, keys, work that came too late, messages."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from annotation.corpora.models import Role, User
from annotation.crowd.models import (
    AssignmentStatus,
    MarketAssignment,
    MarketEntry,
    Message,
    Requester,
)
from annotation.errors import NotFound

SHOWN = 20


def get_requester(user: User, pk: int) -> Requester:
    """One's own, one's project's, or any for staff; others are not told apart from none."""
    mine = Q(owner=user) | Q(project__memberships__user=user, project__memberships__role=Role.OWNER)
    rows = Requester.objects.filter(pk=pk)
    found = rows.first() if user.is_staff else rows.filter(mine).first()
    if found is None:
        raise NotFound("There is no such requester of yours.")
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
