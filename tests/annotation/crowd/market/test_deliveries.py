"""Webhooks that fail or are slow: backed off, given up, shown to their owner."""

from __future__ import annotations

import threading
import time
from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import connection
from django.test import Client

from annotation import clock
from annotation.corpora.accounts.models import User
from annotation.corpora.notifications import models as corpora
from annotation.corpora.notifications.models import NotificationKind
from annotation.corpora.notifications.queries import find_place
from annotation.corpora.projects.models import Project
from annotation.crowd.market import deliveries
from annotation.crowd.market.deliveries import (
    GIVEN_UP_AFTER,
    LONGEST_PAUSE,
    deliver_due,
    enqueue,
    pause_after,
)
from annotation.crowd.market.models_accounts import Notification, Requester, Webhook
from annotation.crowd.market.requesters import create_requester
from scoring.outgoing import NoReply, Reply
from tests.dripping import HEAD, answering, dripping

pytestmark = pytest.mark.django_db

OK = b"HTTP/1.1 204 No Content\r\n\r\n"
AWAY = "http://127.0.0.1:9/hook"


@pytest.fixture
def lab(owner: User, settings: LazySettings) -> Requester:
    settings.MARKET_WEBHOOK_PRIVATE = True
    return create_requester(name="Lab", owner=owner)


def send(lab: Requester, url: str, count: int = 1) -> Webhook:
    for _ in range(count):
        enqueue(lab.pk, {"Destination": url}, "Ping")
    return Webhook.objects.get(destination=url)


def make_due(webhook: Webhook) -> None:
    Webhook.objects.filter(pk=webhook.pk).update(next_at=clock.now() - timedelta(seconds=1))


def fail(webhook: Webhook, times: int) -> None:
    for _ in range(times):
        make_due(webhook)
        assert deliver_due() == 0
    webhook.refresh_from_db()


def test_it_ends_at_its_deadline_and_goes_on_with_the_others(
    lab: Requester, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(deliveries, "SECONDS", 0.5)
    with dripping(HEAD) as slow, answering(lambda _: OK) as port:
        bad = send(lab, slow.url, count=3)
        good = send(lab, f"http://127.0.0.1:{port}/", count=2)
        began = time.monotonic()
        assert deliver_due() == 2
        assert time.monotonic() - began < 2
        assert slow.calls == 1
    bad.refresh_from_db()
    good.refresh_from_db()
    assert bad.failure == "no complete answer within 0.5 s"
    assert (bad.failures, good.failures) == (1, 0)
    assert bad.leased_until is None
    assert bad.next_at > clock.now() + timedelta(seconds=8)
    assert bad.notifications.filter(delivered_at=None).count() == 3


def test_it_waits_twice_as_long_each_time_up_to_an_hour(lab: Requester):
    assert [pause_after(n).total_seconds() for n in range(4)] == [10, 20, 40, 80]
    assert pause_after(50) == LONGEST_PAUSE == timedelta(hours=1)
    webhook = send(lab, AWAY)
    fail(webhook, 3)
    assert webhook.failures == 3
    left = webhook.next_at - clock.now()
    assert timedelta(seconds=35) < left <= timedelta(seconds=40)
    assert deliver_due() == 0


def test_it_leaves_a_slow_one_alone_though_it_answers(
    lab: Requester, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(deliveries, "SLOW_SECONDS", 0.0)
    with answering(lambda _: OK) as port:
        webhook = send(lab, f"http://127.0.0.1:{port}/", count=3)
        assert deliver_due() == 1
        assert deliver_due() == 0
    webhook.refresh_from_db()
    assert webhook.last_success_at is not None
    assert webhook.next_at > clock.now()


def test_it_gives_up_after_three_days_and_keeps_no_more_events(lab: Requester):
    webhook = send(lab, AWAY)
    fail(webhook, 1)
    Webhook.objects.update(failing_since=clock.now() - GIVEN_UP_AFTER)
    fail(webhook, 1)
    assert webhook.is_given_up
    assert webhook.disabled_at is not None
    make_due(webhook)
    assert deliver_due() == 0
    send(lab, AWAY)
    assert Notification.objects.count() == 1
    webhook.refresh_from_db()
    assert webhook.failures == 2


def test_it_notifies_its_owner_once_until_it_works_again(lab: Requester, owner: User):
    webhook = send(lab, AWAY)
    fail(webhook, 2)
    assert not owner.notifications.exists()
    fail(webhook, 4)
    row = owner.notifications.get()
    assert row.kind == NotificationKind.WEBHOOK
    assert row.text.startswith(f"Events of Lab can't be delivered to {AWAY}: ")
    assert find_place(row) == f"/account/requesters/{lab.pk}/webhooks/"
    with answering(lambda _: OK) as port:
        Webhook.objects.update(destination=f"http://127.0.0.1:{port}/")
        make_due(webhook)
        assert deliver_due() == 1
    webhook.refresh_from_db()
    assert (webhook.failures, webhook.failure, webhook.notified_at) == (0, "", None)
    assert webhook.last_success_at is not None


def test_it_notifies_the_owners_of_a_project(project: Project, owner: User, editor: User):
    lab = create_requester(name="Study", project=project)
    webhook = send(lab, AWAY)
    fail(webhook, 3)
    assert corpora.Notification.objects.get().user == owner


def test_two_workers_never_send_to_one_address_at_a_time(
    lab: Requester, monkeypatch: pytest.MonkeyPatch
):
    """The lease is in the database; one that was left by a dead worker runs out."""
    webhook = send(lab, AWAY, count=2)
    sent: list[int] = []

    def post(*_: Any) -> Reply:
        sent.append(len(sent))
        assert deliver_due() == 0  # as another worker would, while this one waits
        return Reply(204, {}, b"")

    monkeypatch.setattr(deliveries, "exchange", post)
    assert deliver_due() == 2
    assert len(sent) == 2
    send(lab, AWAY)
    later = clock.now() + timedelta(seconds=30)
    Webhook.objects.filter(pk=webhook.pk).update(leased_until=later)
    assert deliver_due() == 0
    Webhook.objects.filter(pk=webhook.pk).update(leased_until=clock.now())
    assert deliver_due() == 1


@pytest.mark.django_db(transaction=True)
def test_four_workers_deliver_each_event_once(settings: LazySettings):
    settings.MARKET_WEBHOOK_PRIVATE = True
    lab = create_requester(name="Lab")
    bodies: list[bytes] = []

    def take(request: bytes) -> bytes:
        bodies.append(request)
        return OK

    gate, total = threading.Barrier(4), []

    def work() -> None:
        gate.wait()
        total.append(deliver_due())
        connection.close()

    with answering(take) as port:
        send(lab, f"http://127.0.0.1:{port}/", count=5)
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sum(total) == len(bodies) == 5


def test_an_event_that_was_perhaps_taken_goes_out_again_under_its_id(
    lab: Requester, monkeypatch: pytest.MonkeyPatch
):
    webhook = send(lab, AWAY)
    bodies: list[Any] = []

    def post(*arguments: Any) -> Reply:
        bodies.append(arguments[-1])
        if len(bodies) == 1:
            raise NoReply("lost")
        return Reply(200, {}, b"")

    monkeypatch.setattr(deliveries, "exchange", post)
    assert deliver_due() == 0
    make_due(webhook)
    assert deliver_due() == 1
    assert bodies[0] == bodies[1]


def test_its_page_shows_how_each_is_doing(lab: Requester, as_owner: Client):
    webhook = send(lab, AWAY, count=2)
    page = as_owner.get(f"/account/requesters/{lab.pk}/webhooks/").content.decode()
    assert "Not tried yet" in page
    fail(webhook, 2)
    page = as_owner.get(f"/account/requesters/{lab.pk}/webhooks/").content.decode()
    assert "Failing (2 in a row)" in page
    assert webhook.failure.split(":")[0] in page
    assert "Retry now" in page
    assert "Disable webhook" in page


def test_its_owner_retries_and_disables_it(lab: Requester, as_owner: Client):
    webhook = send(lab, AWAY)
    fail(webhook, 3)
    base = f"/account/requesters/{lab.pk}/webhooks/"
    answer = as_owner.post(f"{base}{webhook.pk}/disable/", follow=True)
    assert f"No more events are sent to {AWAY}." in answer.content.decode()
    assert "Enable webhook" in answer.content.decode()
    make_due(webhook)
    assert deliver_due() == 0
    answer = as_owner.post(f"{base}{webhook.pk}/retry/", follow=True)
    assert "1 event will be sent within seconds." in answer.content.decode()
    webhook.refresh_from_db()
    assert (webhook.failures, webhook.disabled_at) == (0, None)
    with answering(lambda _: OK) as port:
        Webhook.objects.update(destination=f"http://127.0.0.1:{port}/")
        assert deliver_due() == 1


def test_disabling_takes_effect_between_two_events(lab: Requester, monkeypatch: pytest.MonkeyPatch):
    webhook = send(lab, AWAY, count=3)

    def post(*_: Any) -> Reply:
        deliveries.disable_webhook(webhook=webhook)
        return Reply(200, {}, b"")

    monkeypatch.setattr(deliveries, "exchange", post)
    assert deliver_due() == 1
    webhook.refresh_from_db()
    assert webhook.disabled_at is not None


def test_it_drops_what_nobody_needs_after_a_month(lab: Requester):
    send(lab, AWAY, count=3)
    first, second, third = Notification.objects.all()
    now = clock.now()
    old = now - timedelta(days=31)
    Notification.objects.filter(pk=first.pk).update(created_at=old, delivered_at=old)
    Notification.objects.filter(pk=second.pk).update(delivered_at=now)
    Notification.objects.filter(pk=third.pk).update(created_at=old)
    deliveries.drop_old_events(now)
    assert list(Notification.objects.all()) == [second, third]
