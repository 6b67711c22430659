"""A requester's webhooks, with what waits for each."""

from __future__ import annotations

from django.db.models import Count, Q, QuerySet

from annotation.crowd.models import Requester, Webhook
from annotation.errors import NotFound
from annotation.translation import gettext as _


def list_webhooks(requester: Requester) -> QuerySet[Webhook]:
    waiting = Count("notifications", filter=Q(notifications__delivered_at=None))
    return requester.webhooks.annotate(waiting=waiting)


def get_webhook(requester: Requester, pk: int) -> Webhook:
    found = requester.webhooks.filter(pk=pk).first()
    if found is None:
        raise NotFound(_("There is no such webhook."))
    return found
