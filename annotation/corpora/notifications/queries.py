"""What needs somebody, and how much of it they have not seen."""

from __future__ import annotations

from typing import Any

from django.db.models import BooleanField, Case, Q, QuerySet, Value, When
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import SimpleLazyObject

from annotation.corpora.accounts.models import User
from annotation.corpora.notifications.models import Notification, NotificationKind
from annotation.corpora.targets import KINDS, find_links

# A page shows no greater number than this.
MOST_SHOWN = 99


def list_notifications(user: User, *, unread: bool = False) -> QuerySet[Notification]:
    rows = Notification.objects.filter(user=user).select_related("project")
    return rows.unread() if unread else rows


def list_by_need(user: User, *, unread: bool = False) -> QuerySet[Notification]:
    """What is to be done first (`needs`); below it what was read, and work that is done."""
    is_open = Q(read_at=None) & ~Q(kind=NotificationKind.JOB_DONE)
    needs = Case(When(is_open, then=Value(True)), default=Value(False), output_field=BooleanField())
    return (
        list_notifications(user, unread=unread)
        .annotate(needs=needs)
        .order_by("-needs", "-at", "-pk")
    )


def count_unread(user: User) -> int:
    """At most one more than a page shows: a thousand are counted no longer than a hundred."""
    return Notification.objects.filter(user=user).unread().order_by()[: MOST_SHOWN + 1].count()


def find_place(row: Notification) -> str:
    """Where the thing is; the project, or the list of projects, if the thing is gone."""
    if row.project is None:
        is_global = row.target_kind in KINDS and KINDS[row.target_kind].is_global
        links = find_links([row], "") if is_global else {}
        return next(iter(links.values()), reverse("corpora:projects"))
    found = find_links([row], row.project.slug)
    return next(iter(found.values()), reverse("corpora:project", args=[row.project.slug]))


def list_mail_choices(user: User) -> list[tuple[str, str, bool]]:
    """Every kind, with its words and whether it is mailed to this person."""
    return [
        (kind.value, str(kind.label), kind.value not in user.unmailed) for kind in NotificationKind
    ]


def bell(request: HttpRequest) -> dict[str, Any]:
    """For every page's header; counted only where a template asks."""
    return {"bell_count": SimpleLazyObject(lambda: _count_for(request))}


def _count_for(request: HttpRequest) -> int:
    user = getattr(request, "user", None)
    return count_unread(user) if isinstance(user, User) else 0
