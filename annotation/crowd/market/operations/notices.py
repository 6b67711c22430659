"""What a requester wants to be notified of, by HIT type."""

from __future__ import annotations

from typing import Any

from annotation.crowd.market.errors import invalid
from annotation.crowd.market.notifications import enqueue
from annotation.crowd.market.operations.hit_types import get_hit_type
from annotation.crowd.market.validation import check_between, check_length
from annotation.crowd.models import Requester

Params = dict[str, Any]


def update_notification_settings(requester: Requester, params: Params) -> Params:
    kind = get_hit_type(requester, params["HITTypeId"])
    if "Notification" not in params and "Active" not in params:
        raise invalid("Notification or Active", "one is required.", "AWS.MissingParameters")
    if "Notification" in params:
        kind.notification = _check(params["Notification"], allows_ping=False)
    if not kind.notification:
        raise invalid("Notification", "this HIT type has none yet.", "AWS.MissingParameters")
    kind.notification_active = params.get("Active", True)
    kind.save(update_fields=["notification", "notification_active"])
    return {}


def send_test_event(requester: Requester, params: Params) -> Params:
    """Sent whatever events the specification names, as soon as a worker sweeps."""
    specification = _check(params["Notification"], allows_ping=True)
    enqueue(requester.pk, specification, params["TestEventType"])
    return {}


def _check(specification: Params, *, allows_ping: bool) -> Params:
    check_length("Notification.Destination", specification["Destination"], 1024, 1)
    check_between("Notification.EventTypes", len(specification["EventTypes"]), 1, 12)
    if "Ping" in specification["EventTypes"] and not allows_ping:
        raise invalid("Notification.EventTypes", "Ping can only be sent as a test event.")
    return specification


OPERATIONS = {
    "UpdateNotificationSettings": update_notification_settings,
    "SendTestEventNotification": send_test_event,
}
