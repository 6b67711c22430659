"""Notifications by mail, handed to a real server: once, and never twice."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail as django_mail
from django.db import connection
from django.utils import timezone

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs import kinds
from annotation.corpora.notifications import service as notifications_service
from annotation.corpora.notifications.models import MailState, Notification, NotificationKind
from annotation.corpora.projects.models import Project
from tests.annotation.corpora.places import tell
from tests.annotation.corpora.smtp import Mailbox, mail_server
from tests.dripping import BEGINNINGS, dripping

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def server() -> Iterator[Mailbox]:
    with mail_server() as box:
        yield box


@pytest.fixture
def box(server: Mailbox, settings: Any) -> Mailbox:
    server.mails.clear()
    server.recipients.clear()
    server.refuse.clear()
    server.hang_up = False
    settings.EMAIL_BACKEND = "annotation.mail_backend.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.port
    settings.DEFAULT_FROM_EMAIL = "Giza <giza@example.org>"
    settings.PUBLIC_URL = "https://giza.example.org"
    return server


def state_of(row: Notification) -> str:
    row.refresh_from_db()
    return row.mail


def make_due(row: Notification) -> None:
    """As if its pause were over."""
    past = timezone.now() - timedelta(hours=1)
    Notification.objects.filter(pk=row.pk).update(mail_after=past)


def test_it_is_sent_once(box: Mailbox, project: Project, owner: User):
    row = tell(owner, project)
    assert row.mail == MailState.DUE
    assert notifications_service.send_mail(notification_id=row.pk)
    assert state_of(row) == MailState.SENT
    assert not notifications_service.send_mail(notification_id=row.pk)
    [sent] = box.mails
    assert box.recipients == ["owner@example.org"]
    assert (sent["Subject"], sent["To"]) == ("A study: “Check it” has failed.", "owner@example.org")
    assert sent["From"] == "Giza <giza@example.org>"
    assert sent.get_content_type() == "text/plain"
    assert f"https://giza.example.org/notifications/{row.pk}/" in sent.get_content()


def test_it_is_sent_once_however_many_workers_try(box: Mailbox, transactional_db: None):
    from tests import factories

    owner = factories.make_user("Owner")
    row = tell(owner, factories.make_project(owner))
    gate = threading.Barrier(4)

    def send() -> None:
        gate.wait()
        notifications_service.send_mail(notification_id=row.pk)
        connection.close()

    workers = [threading.Thread(target=send) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(box.mails) == 1
    assert state_of(row) == MailState.SENT


def test_a_worker_sends_what_is_due(box: Mailbox, project: Project, owner: User):
    row = tell(owner, project)
    assert notifications_service.deliver_mail() == 1
    assert state_of(row) == MailState.SENT
    tell(owner, project)
    assert notifications_service.deliver_mail() == 0
    assert len(box.mails) == 1


@pytest.mark.parametrize(
    ("beginning", "state"), [(BEGINNINGS["greeting"], MailState.DUE), (b"220 ", MailState.DUE)]
)
def test_it_ends_at_its_deadline_if_the_server_drips(
    box: Mailbox,
    project: Project,
    owner: User,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    beginning: bytes,
    state: str,
):
    monkeypatch.setattr("annotation.mail_backend.SECONDS", 0.5)
    row = tell(owner, project)
    with dripping(beginning) as server:
        settings.EMAIL_PORT = server.port
        began = time.monotonic()
        assert not notifications_service.send_mail(notification_id=row.pk)
        assert 0.4 < time.monotonic() - began < 3
    assert state_of(row) == state
    assert row.mail_after > timezone.now()


def test_mail_is_a_delivery_with_a_thread_of_its_own():
    assert notifications_service.deliver_mail in kinds.DELIVERIES
    assert notifications_service.deliver_mail not in kinds.SWEEPS


def test_it_waits_longer_after_each_refusal_and_then_gives_up(
    box: Mailbox, project: Project, owner: User
):
    box.refuse = {"RCPT": "450 try later"}
    row = tell(owner, project)
    pauses = []
    for _ in range(notifications_service.MOST_ATTEMPTS - 1):
        make_due(row)
        assert not notifications_service.send_mail(notification_id=row.pk)
        assert state_of(row) == MailState.DUE
        pauses.append(row.mail_after - timezone.now())
        assert not notifications_service.send_mail(
            notification_id=row.pk
        )  # not before the pause is over
    assert pauses == sorted(pauses)
    assert pauses[-1] < timedelta(days=1)
    make_due(row)
    notifications_service.send_mail(notification_id=row.pk)
    assert state_of(row) == MailState.FAILED
    assert box.mails == []


def test_it_is_sent_later_if_no_server_answers(
    box: Mailbox, project: Project, owner: User, settings: Any
):
    settings.EMAIL_PORT = 1
    row = tell(owner, project)
    assert not notifications_service.send_mail(notification_id=row.pk)
    assert state_of(row) == MailState.DUE
    settings.EMAIL_PORT = box.port
    make_due(row)
    assert notifications_service.send_mail(notification_id=row.pk)


def test_it_is_not_sent_again_if_the_line_went_dead(box: Mailbox, project: Project, owner: User):
    """The server may have kept it, as this one did: twice would be worse than a doubt."""
    box.hang_up = True
    row = tell(owner, project)
    assert not notifications_service.send_mail(notification_id=row.pk)
    assert state_of(row) == MailState.UNSURE
    make_due(row)
    assert notifications_service.deliver_mail() == 0
    assert not notifications_service.send_mail(notification_id=row.pk)
    assert len(box.mails) == 1


def test_it_is_not_sent_again_by_who_finds_a_dead_senders_row(
    box: Mailbox, project: Project, owner: User
):
    row = tell(owner, project)
    Notification.objects.filter(pk=row.pk).update(mail=MailState.SENDING)
    make_due(row)
    assert notifications_service.deliver_mail() == 0
    assert not notifications_service.send_mail(notification_id=row.pk)
    assert box.mails == []


def test_it_is_sent_only_to_who_wants_it(box: Mailbox, project: Project, owner: User):
    notifications_service.choose_mail(user=owner, kinds=[NotificationKind.ANSWERS])
    row = tell(owner, project)
    assert row.mail == MailState.OFF
    assert not notifications_service.send_mail(notification_id=row.pk)
    notifications_service.choose_mail(user=owner, kinds=NotificationKind.values)
    assert tell(owner, project, "another").mail == MailState.DUE


def test_it_sends_nothing_without_a_server(project: Project, owner: User, settings: Any):
    settings.EMAIL_HOST = ""
    row = tell(owner, project)
    assert row.mail == MailState.OFF
    assert notifications_service.deliver_mail() == 0
    assert django_mail.outbox == []


def test_it_puts_no_line_break_into_a_header(box: Mailbox, project: Project, owner: User):
    project.name = "Dams\r\nBcc: everybody@example.org"
    project.save()
    row = tell(owner, project)
    assert notifications_service.send_mail(notification_id=row.pk)
    assert box.mails[0]["Bcc"] is None
    assert box.recipients == ["owner@example.org"]
