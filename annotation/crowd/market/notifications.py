"""Events that a requester asked to hear of: kept in a table, and sent to their webhook.

MTurk sends to queues, topics and mailboxes. Here a destination that is an http(s) address gets the
message as a POST; any other is kept with the HIT type and nothing is sent.
"""

from __future__ import annotations

import http.client
import ipaddress
import json
import logging
import socket
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.db.models import F, Q
from django.utils import timezone

from annotation.crowd.models import MarketHit, MarketHitType, Notification
from annotation.origins import AddressError, read_url

logger = logging.getLogger(__name__)

DOC_VERSION = "2014-08-15"
SWEEP_SIZE = 20
TIMEOUT_SECONDS = 5
MAX_ATTEMPTS = 12
FIRST_PAUSE = timedelta(seconds=10)
LONGEST_PAUSE = timedelta(hours=6)


def announce(hit_type: MarketHitType, event: str, *, hit_id: str, assignment_id: str = "") -> None:
    """Keep an event for delivery, in the transaction of what happened."""
    if not hit_type.notification_active or event not in hit_type.notification.get("EventTypes", []):
        return
    enqueue(hit_type.requester_id, hit_type.notification, event, hit_type, hit_id, assignment_id)


def enqueue(
    requester_id: int,
    specification: Mapping[str, Any],
    event: str,
    hit_type: MarketHitType | None = None,
    hit_id: str = "",
    assignment_id: str = "",
) -> None:
    destination = str(specification["Destination"])
    if not is_web_address(destination):
        return
    told = {
        "EventType": event,
        "EventTimestamp": f"{timezone.now():%Y-%m-%dT%H:%M:%SZ}",
        "HITTypeId": hit_type.hit_type_id if hit_type else "",
        "HITId": hit_id,
        "AssignmentId": assignment_id,
    }
    body = {
        "EventDocId": "",
        "EventDocVersion": DOC_VERSION,
        "SourceId": str(requester_id),
        "Events": [{name: value for name, value in told.items() if value}],
    }
    Notification.objects.create(requester_id=requester_id, destination=destination, body=body)


def is_web_address(destination: str) -> bool:
    try:
        read_url(destination)
    except AddressError:
        return False
    return True


def announce_by_clock(now: datetime) -> None:
    """Events that nobody causes: a HIT that ran out, or that is ready for review."""
    kinds = list(
        MarketHitType.objects.filter(notification_active=True).values_list("pk", flat=True)
    )
    if not kinds:
        return
    told = MarketHit.objects.alive().filter(hit_type__in=kinds)
    expired = told.filter(expires_at__lte=now, told_expired=False)
    reviewable = told.reviewable(now).filter(told_reviewable=False)
    for hits, flag, event in [
        (expired, "told_expired", "HITExpired"),
        (reviewable, "told_reviewable", "HITReviewable"),
    ]:
        for hit in hits.select_related("hit_type")[:SWEEP_SIZE]:
            if MarketHit.objects.filter(pk=hit.pk, **{flag: False}).update(**{flag: True}):
                announce(hit.hit_type, event, hit_id=hit.hit_id)


def deliver_waiting(now: datetime) -> int:
    """Send what is due. A row is put off before it is sent, so two sweeps never send it at once."""
    waiting = Q(delivered_at=None, next_at__lte=now, attempts__lt=MAX_ATTEMPTS)
    return sum(map(_deliver, Notification.objects.filter(waiting).order_by("next_at")[:SWEEP_SIZE]))


def _deliver(notification: Notification) -> bool:
    pause = min(FIRST_PAUSE * 2**notification.attempts, LONGEST_PAUSE)
    mine = Notification.objects.filter(
        pk=notification.pk, attempts=notification.attempts, delivered_at=None
    )
    if not mine.update(attempts=F("attempts") + 1, next_at=timezone.now() + pause):
        return False
    row = Notification.objects.filter(pk=notification.pk)
    body = {**notification.body, "EventDocId": str(notification.pk)}
    try:
        post_json(notification.destination, body)
    except (OSError, http.client.HTTPException, ValueError) as error:
        row.update(failure=str(error)[:300])
        return False
    row.update(delivered_at=timezone.now(), failure="")
    return True


def post_json(address: str, body: Mapping[str, Any]) -> None:
    """POST to an address on the outside. Redirects are not followed: they could lead inside."""
    parts = urlsplit(address)
    connection = _connect(parts)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    headers = {"Content-Type": "application/json", "Host": parts.netloc.rpartition("@")[2]}
    try:
        connection.request("POST", target, json.dumps(body), headers)
        status = connection.getresponse().status
    finally:
        connection.close()
    if not 200 <= status < 300:
        raise ValueError(f"answered with {status}")


def _connect(parts: SplitResult) -> http.client.HTTPConnection:
    """Connected to the very address that was checked, whatever the name resolves to later."""
    host, port = str(parts.hostname), parts.port or (443 if parts.scheme == "https" else 80)
    checked = _resolve(host, port)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(host, port, timeout=TIMEOUT_SECONDS)
    create = socket.create_connection
    # http.client has this one seam: how it opens its socket.
    connection._create_connection = (  # type: ignore[attr-defined]
        lambda _, timeout, source: create((checked, port), timeout, source)
    )
    return connection


def _resolve(host: str, port: int) -> str:
    found = [str(info[4][0]) for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    private = [address for address in found if not ipaddress.ip_address(address).is_global]
    if private and not settings.MARKET_WEBHOOK_PRIVATE:
        raise ValueError(f"{host} is an address inside this network ({private[0]})")
    return found[0]
