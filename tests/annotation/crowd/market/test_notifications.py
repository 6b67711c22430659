"""Events: kept with what happened, sent until they are taken, and never to the inside."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
from django.conf import LazySettings
from django.utils import timezone

from annotation.crowd.market.deliveries import announce_by_clock, deliver_due
from annotation.crowd.market.models_accounts import Notification, Requester, Webhook
from annotation.crowd.market.models_work import MarketHit
from tests.annotation.crowd.market.requesting import ask, make_hit, make_requester, work
from tests.annotation.crowd.working import make_worker

pytestmark = pytest.mark.django_db


class Hook:
    """A webhook that answers with `status` and remembers what came."""

    def __init__(self) -> None:
        self.status = 200
        self.bodies: list[Any] = []
        hook = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers["Content-Length"])
                hook.bodies.append(json.loads(self.rfile.read(length)))
                self.send_response(hook.status)
                self.send_header("Location", "http://127.0.0.1:1/")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Tests print enough."""

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}/hook?a=1"


@pytest.fixture
def hook() -> Iterator[Hook]:
    running = Hook()
    thread = threading.Thread(target=running.server.serve_forever)
    thread.start()
    yield running
    running.server.shutdown()
    running.server.server_close()
    thread.join()


@pytest.fixture
def lab() -> Requester:
    return make_requester()


def subscribe(hit: MarketHit, lab: Requester, address: str, *events: str) -> dict[str, Any]:
    notice = {
        "Destination": address,
        "Transport": "SNS",
        "Version": "2014-08-15",
        "EventTypes": list(events),
    }
    kind = hit.hit_type.hit_type_id
    ask(lab, "UpdateNotificationSettings", HITTypeId=kind, Notification=notice, Active=True)
    return notice


def make_due() -> None:
    """As if every pause were over."""
    Webhook.objects.update(next_at=timezone.now() - timedelta(seconds=1))


def test_it_tells_what_was_asked_for(lab: Requester, hook: Hook, settings: LazySettings):
    settings.MARKET_WEBHOOK_PRIVATE = True
    hit = make_hit(lab, MaxAssignments=1)
    subscribe(hit, lab, hook.address, "AssignmentSubmitted", "AssignmentApproved", "HITReviewable")
    taken = work(hit, make_worker())
    ask(lab, "ApproveAssignment", AssignmentId=taken.assignment_id)
    for _ in range(2):
        announce_by_clock(timezone.now())
        deliver_due()
    told = [event for body in hook.bodies for event in body["Events"]]
    assert [event["EventType"] for event in told] == [
        "AssignmentSubmitted",
        "AssignmentApproved",
        "HITReviewable",
    ]
    assert told[0]["AssignmentId"] == taken.assignment_id
    assert {event["HITId"] for event in told} == {hit.hit_id}
    ask(lab, "UpdateNotificationSettings", HITTypeId=hit.hit_type.hit_type_id, Active=False)
    make_hit(lab)
    assert Notification.objects.count() == 3


def test_it_tries_again_later_and_follows_no_redirect(
    lab: Requester, hook: Hook, settings: LazySettings
):
    settings.MARKET_WEBHOOK_PRIVATE = True
    hit = make_hit(lab)
    notice = subscribe(hit, lab, hook.address, "HITExtended")
    ask(lab, "SendTestEventNotification", Notification=notice, TestEventType="Ping")
    for status in (500, 302):
        hook.status = status
        make_due()
        assert deliver_due() == 0
        assert str(status) in Webhook.objects.get().failure
    assert deliver_due() == 0
    assert len(hook.bodies) == 2
    hook.status = 204
    make_due()
    assert deliver_due() == 1
    assert [body["Events"][0]["EventType"] for body in hook.bodies] == ["Ping"] * 3
    make_due()
    assert deliver_due() == 0


@pytest.mark.parametrize(
    "address",
    ["http://127.0.0.1:1/", "http://[::1]:1/", "http://localhost:1/", "http://169.254.169.254/"],
)
def test_it_sends_nothing_to_the_inside(lab: Requester, address: str):
    notice = {"Destination": address, "Transport": "SNS", "Version": "2014-08-15"}
    notice["EventTypes"] = ["Ping"]  # type: ignore[assignment]
    ask(lab, "SendTestEventNotification", Notification=notice, TestEventType="Ping")
    assert deliver_due() == 0
    assert "inside this network" in Webhook.objects.get().failure


def test_it_keeps_other_destinations_and_sends_nothing(lab: Requester):
    hit = make_hit(lab)
    subscribe(hit, lab, "arn:aws:sns:us-east-1:1:topic", "HITCreated")
    make_hit(lab)
    hit.hit_type.refresh_from_db()
    assert hit.hit_type.notification["Destination"].startswith("arn:")
    assert Notification.objects.count() == 0
