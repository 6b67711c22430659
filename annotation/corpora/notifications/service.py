"""Telling people what needs them: in the app always, and by mail where they want it.

- Sending notifications by mail: each at most once.
- Messages to workers. One that can't be sent costs time only: a sweep sends it again.
"""

from __future__ import annotations

import logging
import smtplib
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.db.models import F, Model
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from kombu.exceptions import OperationalError

from annotation import clock
from annotation.breaker import Breaker
from annotation.corpora.accounts.models import User
from annotation.corpora.notifications.models import MailState, Notification, NotificationKind
from annotation.corpora.projects.models import Membership, Project
from annotation.corpora.targets import Subject, name_target
from annotation.errors import NotFound

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


logger = logging.getLogger(__name__)

MOST_ATTEMPTS = 6
MAIL_FAULTS = (smtplib.SMTPException, OSError)
FIRST_PAUSE = timedelta(minutes=1)
SWEEP_SIZE = 50
# The server said no to the mail itself: nothing was sent.
REFUSED = (smtplib.SMTPSenderRefused, smtplib.SMTPRecipientsRefused, smtplib.SMTPDataError)


def send_mail(*, notification_id: int) -> bool:
    """Send the mail of a notification unless somebody else has, or does; tells whether it went."""
    now = clock.now()
    due = Notification.objects.filter(pk=notification_id, mail=MailState.DUE, mail_after__lte=now)
    if not due.update(mail=MailState.SENDING, mail_attempts=F("mail_attempts") + 1):
        return False
    row = Notification.objects.select_related("user", "project").get(pk=notification_id)
    connection = get_connection()
    try:
        connection.open()
    except MAIL_FAULTS as error:
        return _put_off(row, error)
    try:
        connection.send_messages([_compose(row)])
    except REFUSED as error:
        return _put_off(row, error)
    except MAIL_FAULTS as error:
        logger.warning("mail %s may have been sent: %s", row.pk, error)
        return _note(row, MailState.UNSURE)
    finally:
        connection.close()
    return _note(row, MailState.SENT)


def _compose(row: Notification) -> EmailMessage:
    base = settings.PUBLIC_URL.rstrip("/")
    about = f"{row.project.name}: " if row.project else ""
    subject = " ".join(f"{about}{row.text}".split())
    lines = [
        row.text,
        "",
        f"{base}{reverse('corpora:notification', args=[row.pk])}",
        "",
        _("Choose on your account page which notifications you get by e-mail:"),
        f"{base}{reverse('corpora:account')}#notifications",
    ]
    return EmailMessage(subject[:200], "\n".join(lines), to=[row.user.email])


def _put_off(row: Notification, error: Exception) -> bool:
    """To be tried later, each time four times as late; given up within a day."""
    logger.warning("mail %s was not sent: %s", row.pk, error)
    if row.mail_attempts >= MOST_ATTEMPTS:
        return _note(row, MailState.FAILED)
    pause = FIRST_PAUSE * 4 ** (row.mail_attempts - 1)
    sending = Notification.objects.filter(pk=row.pk, mail=MailState.SENDING)
    sending.update(mail=MailState.DUE, mail_after=clock.now() + pause)
    return False


def _note(row: Notification, state: MailState) -> bool:
    Notification.objects.filter(pk=row.pk, mail=MailState.SENDING).update(mail=state)
    return state == MailState.SENT


def deliver_mail() -> int:
    """Send what is due. Who waits for a slow server here keeps nobody else waiting."""
    if not settings.EMAIL_HOST:
        return 0
    due = Notification.objects.filter(mail=MailState.DUE, mail_after__lte=clock.now())
    ids = list(due.order_by("mail_after").values_list("pk", flat=True)[:SWEEP_SIZE])
    return sum(send_mail(notification_id=pk) for pk in ids)


FAULTS = (OperationalError, OSError)
broker = Breaker("broker")


def send_message(task: Any, *arguments: object) -> bool:
    """Tell a worker to run a task; whether the broker took the message.

    While the broker is away, one caller in five seconds finds out whether it is back, and the
    others don't wait for it.
    """
    if not broker.allows():
        return False
    try:
        task.apply_async(arguments, retry=False)
    except FAULTS as error:
        broker.fail(error)
        return False
    broker.succeed()
    return True
