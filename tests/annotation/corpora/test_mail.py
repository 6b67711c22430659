"""Notifications by mail, handed to a real server: once, and never twice."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail as django_mail
from django.db import connection
from django.utils import timezone

from annotation.corpora import services, tasks
from annotation.corpora.models import MailState, Notification, NotificationKind, Project, User
from annotation.corpora.services import mail
from tests.annotation.corpora.places import tell
from tests.annotation.corpora.smtp import Mailbox, mail_server

pytestmark = pytest.mark.django_db
Commit = Callable[..., AbstractContextManager[list[Callable[[], None]]]]


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
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
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
    assert services.send_mail(notification_id=row.pk)
    assert state_of(row) == MailState.SENT
    assert not services.send_mail(notification_id=row.pk)
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
        services.send_mail(notification_id=row.pk)
        connection.close()

    workers = [threading.Thread(target=send) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(box.mails) == 1
    assert state_of(row) == MailState.SENT


def test_it_is_told_to_a_worker_after_the_commit(
    box: Mailbox,
    project: Project,
    owner: User,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Commit,
):
    told: list[int] = []
    monkeypatch.setattr(tasks.send_mail, "apply_async", lambda ids, retry: told.extend(ids))
    with django_capture_on_commit_callbacks(execute=True):
        row = tell(owner, project)
        assert told == []
    assert told == [row.pk]
    with django_capture_on_commit_callbacks(execute=True):
        tell(owner, project)
    assert told == [row.pk, row.pk]  # still due: a second message finds it sent
    for pk in told:
        tasks.send_mail(pk)
    assert len(box.mails) == 1


def test_it_is_sent_though_the_message_was_lost(
    box: Mailbox, project: Project, owner: User, monkeypatch: pytest.MonkeyPatch
):
    told: list[int] = []
    monkeypatch.setattr(tasks.send_mail, "apply_async", lambda ids, retry: told.extend(ids))
    row = tell(owner, project)
    assert services.recover_mail() == []  # a moment old: its message may still be on the way
    make_due(row)
    assert services.recover_mail() == [row.pk]
    assert services.recover_mail() == []
    assert told == [row.pk]


def test_it_waits_longer_after_each_refusal_and_then_gives_up(
    box: Mailbox, project: Project, owner: User
):
    box.refuse = {"RCPT": "450 try later"}
    row = tell(owner, project)
    pauses = []
    for _ in range(mail.MOST_ATTEMPTS - 1):
        make_due(row)
        assert not services.send_mail(notification_id=row.pk)
        assert state_of(row) == MailState.DUE
        pauses.append(row.mail_after - timezone.now())
        assert not services.send_mail(notification_id=row.pk)  # not before the pause is over
    assert pauses == sorted(pauses)
    assert pauses[-1] < timedelta(days=1)
    make_due(row)
    services.send_mail(notification_id=row.pk)
    assert state_of(row) == MailState.FAILED
    assert box.mails == []


def test_it_is_sent_later_if_no_server_answers(
    box: Mailbox, project: Project, owner: User, settings: Any
):
    settings.EMAIL_PORT = 1
    row = tell(owner, project)
    assert not services.send_mail(notification_id=row.pk)
    assert state_of(row) == MailState.DUE
    settings.EMAIL_PORT = box.port
    make_due(row)
    assert services.send_mail(notification_id=row.pk)


def test_it_is_not_sent_again_if_the_line_went_dead(box: Mailbox, project: Project, owner: User):
    """The server may have kept it, as this one did: twice would be worse than a doubt."""
    box.hang_up = True
    row = tell(owner, project)
    assert not services.send_mail(notification_id=row.pk)
    assert state_of(row) == MailState.UNSURE
    make_due(row)
    assert services.recover_mail() == []
    assert not services.send_mail(notification_id=row.pk)
    assert len(box.mails) == 1


def test_it_is_not_sent_again_by_who_finds_a_dead_senders_row(
    box: Mailbox, project: Project, owner: User
):
    row = tell(owner, project)
    Notification.objects.filter(pk=row.pk).update(mail=MailState.SENDING)
    make_due(row)
    assert services.recover_mail() == []
    assert not services.send_mail(notification_id=row.pk)
    assert box.mails == []


def test_it_is_sent_only_to_who_wants_it(box: Mailbox, project: Project, owner: User):
    services.choose_mail(user=owner, kinds=[NotificationKind.ANSWERS])
    row = tell(owner, project)
    assert row.mail == MailState.OFF
    assert not services.send_mail(notification_id=row.pk)
    services.choose_mail(user=owner, kinds=NotificationKind.values)
    assert tell(owner, project, "another").mail == MailState.DUE


def test_it_sends_nothing_without_a_server(project: Project, owner: User, settings: Any):
    settings.EMAIL_HOST = ""
    row = tell(owner, project)
    assert row.mail == MailState.OFF
    assert services.recover_mail() == []
    assert django_mail.outbox == []


def test_it_puts_no_line_break_into_a_header(box: Mailbox, project: Project, owner: User):
    project.name = "Dams\r\nBcc: everybody@example.org"
    project.save()
    row = tell(owner, project)
    assert services.send_mail(notification_id=row.pk)
    assert box.mails[0]["Bcc"] is None
    assert box.recipients == ["owner@example.org"]
