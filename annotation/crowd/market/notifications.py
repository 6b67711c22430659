"""Events that a requester asked to hear of: kept in a table, from which `deliveries` sends them.

MTurk sends to queues, topics and mailboxes. Here a destination that is an http(s) address gets the
message as a POST; any other is kept with the HIT type and nothing is sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from annotation import clock
from annotation.crowd.models import MarketHit, MarketHitType, Notification, Webhook
from annotation.origins import AddressError, read_url

DOC_VERSION = "2014-08-15"
SWEEP_SIZE = 20
LONGEST = 1024


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
    webhook = _find_webhook(requester_id, str(specification["Destination"]))
    if webhook is None or webhook.disabled_at is not None:
        return
    fields = {
        "EventType": event,
        "EventTimestamp": f"{clock.now():%Y-%m-%dT%H:%M:%SZ}",
        "HITTypeId": hit_type.hit_type_id if hit_type else "",
        "HITId": hit_id,
        "AssignmentId": assignment_id,
    }
    body = {
        "EventDocId": "",
        "EventDocVersion": DOC_VERSION,
        "SourceId": str(requester_id),
        "Events": [{name: value for name, value in fields.items() if value}],
    }
    Notification.objects.create(webhook=webhook, body=body)


def _find_webhook(requester_id: int, destination: str) -> Webhook | None:
    """The requester's one for this address, if it is a web address at all."""
    try:
        url = read_url(destination)
    except AddressError:
        return None
    if len(url) > LONGEST:
        return None
    found, _ = Webhook.objects.get_or_create(requester_id=requester_id, destination=url)
    return found


def announce_by_clock(now: datetime) -> None:
    """Events that nobody causes: a HIT that ran out, or that is ready for review."""
    kinds = list(
        MarketHitType.objects.filter(notification_active=True).values_list("pk", flat=True)
    )
    if not kinds:
        return
    watched = MarketHit.objects.alive().filter(hit_type__in=kinds)
    expired = watched.filter(expires_at__lte=now, told_expired=False)
    reviewable = watched.reviewable(now).filter(told_reviewable=False)
    for hits, flag, event in [
        (expired, "told_expired", "HITExpired"),
        (reviewable, "told_reviewable", "HITReviewable"),
    ]:
        for hit in hits.select_related("hit_type")[:SWEEP_SIZE]:
            if MarketHit.objects.filter(pk=hit.pk, **{flag: False}).update(**{flag: True}):
                announce(hit.hit_type, event, hit_id=hit.hit_id)
