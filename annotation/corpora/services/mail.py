"""Sending notifications by mail: each at most once.

The row says `sending` before a word goes to the server, in one statement that only one process can
win. Who dies after that leaves it so, and nobody sends again: a mail that is lost costs little, as
the notification is in the app, while one that comes twice teaches people not to read them. Only
where the server has refused, or was never reached, is the mail due again a while later.
"""

from __future__ import annotations

import logging
import smtplib
from datetime import timedelta

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.db.models import F
from django.urls import reverse

from annotation import clock
from annotation.corpora.models import MailState, Notification
from annotation.translation import gettext as _

logger = logging.getLogger(__name__)

MOST_ATTEMPTS = 6
FAULTS = (smtplib.SMTPException, OSError)
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
    except FAULTS as error:
        return _put_off(row, error)
    try:
        connection.send_messages([_compose(row)])
    except REFUSED as error:
        return _put_off(row, error)
    except FAULTS as error:
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
