"""Events on their way to webhooks: one address at a time, each at least once.

State lives in the database, so that several workers share it. A worker takes the lease of an
address, sends its events in their order, and notes each before the next. If it dies between the
answer and the note, the event goes out again under the same EventDocId. An address that fails or
is slow is left alone for ever longer, and given up after three days.

- Events that a requester asked to hear of: kept in a table, from which `deliveries` sends them.
- What happens to assignments, announced to requesters who subscribed to it.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import F, Q
from django.utils.translation import gettext as _

from annotation import clock
from annotation.corpora.notifications.models import NotificationKind
from annotation.corpora.notifications.service import notify
from annotation.crowd.market.models_accounts import Notification, Webhook
from annotation.crowd.market.models_work import MarketAssignment, MarketHit, MarketHitType
from annotation.crowd.requesters.queries import list_people
from annotation.origins import AddressError, read_url
from annotation.wording import counted
from scoring.outgoing import Bounds, OutgoingError, exchange

logger = logging.getLogger(__name__)

SWEEP_SIZE = 20
# For the whole exchange, from the name to the last byte of the answer.
SECONDS = 10.0
MOST_BYTES = 65_536
# One that takes longer is left alone for a while, though it took the event.
SLOW_SECONDS = 3.0
# What one address may take of a sweep; the lease is longer than that and one more exchange.
ROUND_SECONDS = 20.0
LEASE = timedelta(seconds=60)
FIRST_PAUSE = timedelta(seconds=10)
LONGEST_PAUSE = timedelta(hours=1)
GIVEN_UP_AFTER = timedelta(days=3)
NOTIFY_AFTER = 3
KEPT = timedelta(days=30)


class Refused(Exception):
    """The server answered, but did not take the event."""


def deliver_due() -> int:
    """Send what waits; the address that was left alone longest comes first."""
    due = Webhook.objects.due(clock.now()).order_by("next_at", "pk")[:SWEEP_SIZE]
    return sum(_deliver_to(webhook) for webhook in due.select_related("requester"))


def _deliver_to(webhook: Webhook) -> int:
    now = clock.now()
    row = Webhook.objects.filter(pk=webhook.pk)
    if not row.due(now).update(leased_until=now + LEASE):
        return 0
    sent, ends = 0, time.monotonic() + ROUND_SECONDS
    while (event := _next_event(webhook)) and time.monotonic() < ends:
        began = time.monotonic()
        try:
            post_event(webhook.destination, event)
        except (OutgoingError, Refused) as error:
            _note_failure(webhook, str(error), time.monotonic() - began)
            break
        sent += 1
        if _note_success(event, time.monotonic() - began):
            break
    row.update(leased_until=None)
    return sent


def _next_event(webhook: Webhook) -> Notification | None:
    """The oldest that waits, unless somebody has just disabled the webhook."""
    waiting = Notification.objects.filter(webhook=webhook, delivered_at=None)
    return waiting.filter(webhook__disabled_at=None).select_related("webhook").first()


def post_event(destination: str, event: Notification) -> None:
    body = json.dumps({**event.body, "EventDocId": str(event.pk)}).encode()
    bounds = Bounds(SECONDS, MOST_BYTES, is_public_only=not settings.MARKET_WEBHOOK_PRIVATE)
    reply = exchange("POST", destination, bounds, {"Content-Type": "application/json"}, body)
    if not 200 <= reply.status < 300:
        raise Refused(_("answered with status {status}").format(status=reply.status))


def _note_success(event: Notification, seconds: float) -> bool:
    """Whether it was so slow that the address is left alone for a while."""
    now, is_slow = clock.now(), seconds > SLOW_SECONDS
    Notification.objects.filter(pk=event.pk).update(delivered_at=now)
    Webhook.objects.filter(pk=event.webhook_id).update(
        failures=0,
        failing_since=None,
        failure="",
        notified_at=None,
        last_success_at=now,
        last_seconds=seconds,
        next_at=now + FIRST_PAUSE if is_slow else now,
    )
    return is_slow


def _note_failure(webhook: Webhook, why: str, seconds: float) -> None:
    now = clock.now()
    webhook.refresh_from_db()
    since = webhook.failing_since or now
    is_given_up = now - since >= GIVEN_UP_AFTER
    logger.info("webhook %s failed: %s", webhook.pk, why)
    Webhook.objects.filter(pk=webhook.pk).update(
        failures=F("failures") + 1,
        failing_since=since,
        failure=why[:300],
        last_failure_at=now,
        last_seconds=seconds,
        next_at=now + pause_after(webhook.failures),
        is_given_up=is_given_up or webhook.is_given_up,
        disabled_at=webhook.disabled_at or (now if is_given_up else None),
    )
    if webhook.failures + 1 >= NOTIFY_AFTER:
        _notify_owner(webhook, why, now)


def pause_after(failures: int) -> timedelta:
    """Twice as long each time."""
    # Twelve doublings are more than the longest pause, and no overflow.
    return min(FIRST_PAUSE * 2 ** min(failures, 12), LONGEST_PAUSE)


def _notify_owner(webhook: Webhook, why: str, now: datetime) -> None:
    """Once, until it works again."""
    fresh = Webhook.objects.filter(pk=webhook.pk, notified_at=None)
    if not fresh.update(notified_at=now):
        return
    requester = webhook.requester
    notify(
        users=list_people(requester),
        project=requester.project,
        kind=NotificationKind.WEBHOOK,
        key=f"webhook:{webhook.pk}:{now:%Y%m%d%H%M%S}",
        text=_("Events of {requester} can't be delivered to {destination}: {why}").format(
            requester=requester.name, destination=webhook.destination[:120], why=why
        ),
        target=requester,
    )


def retry_webhook(*, webhook: Webhook) -> int:
    """Send to it again at the next sweep, even if it was given up; the number of waiting events."""
    Webhook.objects.filter(pk=webhook.pk).update(
        next_at=clock.now(),
        failing_since=None,
        failures=0,
        disabled_at=None,
        is_given_up=False,
    )
    return webhook.notifications.filter(delivered_at=None).count()


def disable_webhook(*, webhook: Webhook) -> None:
    """Nothing more is sent to it, and no new events are kept for it."""
    enabled = Webhook.objects.filter(pk=webhook.pk, disabled_at=None)
    enabled.update(disabled_at=clock.now(), is_given_up=False)


def describe_waiting(count: int) -> str:
    return (
        _("{events} will be sent within seconds.").format(events=counted(count, "event", "events"))
        if count
        else _("No events are waiting.")
    )


def drop_old_events(now: datetime) -> None:
    """What was delivered, or can't be, is of no use after a month."""
    over = Q(delivered_at__isnull=False) | Q(webhook__disabled_at__isnull=False)
    Notification.objects.filter(over, created_at__lte=now - KEPT).delete()


DOC_VERSION = "2014-08-15"
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
    found, __ = Webhook.objects.get_or_create(requester_id=requester_id, destination=url)
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


def tell_assignment(assignment: MarketAssignment, event: str) -> None:
    """Belongs into the transaction that changed the assignment."""
    hit = assignment.hit
    announce(hit.hit_type, event, hit_id=hit.hit_id, assignment_id=assignment.assignment_id)
