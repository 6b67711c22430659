"""Telling people what needs them: in the app always, and by mail where they want it."""

from __future__ import annotations

from collections.abc import Iterable

from django.conf import settings
from django.db.models import Model
from django.utils import timezone

from annotation import clock
from annotation.corpora.models import (
    MailState,
    Membership,
    Notification,
    NotificationKind,
    Project,
    User,
)
from annotation.corpora.targets import Subject, name_target
from annotation.errors import NotFound
from annotation.translation import gettext as _

RENEWED = ["kind", "text", "target_kind", "target_id", "at", "read_at"]


def notify(
    *,
    users: Iterable[User | None],
    project: Project | None,
    kind: NotificationKind,
    key: str,
    text: str,
    target: Model | Subject | None = None,
    actor: User | None = None,
    renew: bool = False,
) -> None:
    """One row for each person and key, however often it is told.

    Nobody is told of what they did themselves, nor of a project that they do not belong to; what is
    of no project, such as the end of a membership, anybody is told of. With `renew`, a row that is
    there comes to the top and is unread again; its mail went out once.
    """
    told = {user for user in users if user is not None and user != actor and user.is_active}
    people = list(told) if project is None else _list_members(project, told)
    subject = name_target(target) if isinstance(target, Model) else target or ("", None)
    rows = [
        Notification(
            user=user,
            project=project,
            kind=kind,
            key=key,
            text=text[:300],
            target_kind=subject[0],
            target_id=subject[1],
            mail=_wants_mail(user, kind),
        )
        for user in people
    ]
    _keep(rows, renew=renew)


def name_day(thing: str) -> str:
    """A key for what may happen often: once a day it is news."""
    return f"{thing}:{timezone.localdate(clock.now()).isoformat()}"


def _list_members(project: Project, told: set[User]) -> list[User]:
    if not told:
        return []
    members = Membership.objects.filter(project=project, user__in=told, user__is_active=True)
    return [row.user for row in members.select_related("user")]


def _wants_mail(user: User, kind: NotificationKind) -> MailState:
    wanted = bool(settings.EMAIL_HOST) and kind not in user.unmailed
    return MailState.DUE if wanted else MailState.OFF


def _keep(rows: list[Notification], *, renew: bool) -> None:
    """What is to be mailed waits in its row until a worker sends it."""
    if renew:
        Notification.objects.bulk_create(
            rows, update_conflicts=True, unique_fields=["user", "key"], update_fields=RENEWED
        )
    else:
        Notification.objects.bulk_create(rows, ignore_conflicts=True)


def mark_read(*, user: User, pk: int) -> Notification:
    """The first reading counts."""
    mine = Notification.objects.filter(user=user, pk=pk)
    mine.unread().update(read_at=clock.now())
    found = mine.select_related("project").first()
    if found is None:
        raise NotFound(_("You have no such notification."))
    return found


def mark_settled(*, user: User, key: str) -> None:
    """Nothing is left to do about what this key tells of."""
    Notification.objects.filter(user=user, key=key).unread().update(read_at=clock.now())


def mark_done_read(*, user: User) -> None:
    """Who has seen in the list that work is done has read of it."""
    done = Notification.objects.filter(user=user, kind=NotificationKind.JOB_DONE)
    done.unread().update(read_at=clock.now())


def mark_all_read(*, user: User) -> int:
    return Notification.objects.filter(user=user).unread().update(read_at=clock.now())


def choose_mail(*, user: User, kinds: Iterable[str]) -> None:
    """The kinds that somebody wants by mail; in the app all of them are shown."""
    wanted = set(kinds)
    user.unmailed = [kind for kind in NotificationKind.values if kind not in wanted]
    user.save(update_fields=["unmailed"])
