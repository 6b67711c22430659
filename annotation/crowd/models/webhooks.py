"""Where a requester's events go, how it went, and the events themselves."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from django.db import models
from django.db.models import Q

from annotation import clock
from annotation.crowd.models.accounts import Requester
from annotation.translation import gettext as _


class WebhookQuerySet(models.QuerySet["Webhook"]):
    def due(self, now: datetime) -> WebhookQuerySet:
        """Those that have something to send, may be tried now, and are in nobody's hands."""
        waiting = Notification.objects.filter(webhook=models.OuterRef("pk"), delivered_at=None)
        return self.filter(
            Q(leased_until=None) | Q(leased_until__lte=now),
            models.Exists(waiting),
            disabled_at=None,
            next_at__lte=now,
        )


class Webhook(models.Model):
    """An address, and how the last tries went. `failures` are those since it last worked.

    A process that sends holds the lease, so that no two send to one address at a time.
    """

    requester = models.ForeignKey(Requester, on_delete=models.CASCADE, related_name="webhooks")
    destination = models.CharField(max_length=1024)
    next_at = models.DateTimeField(default=clock.now)
    leased_until = models.DateTimeField(null=True, blank=True)
    failures = models.PositiveIntegerField(default=0)
    failing_since = models.DateTimeField(null=True, blank=True)
    failure = models.CharField(max_length=300, blank=True)
    last_failure_at = models.DateTimeField(null=True, blank=True)
    last_success_at = models.DateTimeField(null=True, blank=True)
    last_seconds = models.FloatField(null=True, blank=True)
    notified_at = models.DateTimeField(null=True, blank=True)
    disabled_at = models.DateTimeField(null=True, blank=True)
    is_given_up = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=clock.now)

    objects: ClassVar = WebhookQuerySet.as_manager()

    class Meta:
        ordering = ["destination", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["requester", "destination"], name="webhook_once")
        ]
        indexes: ClassVar = [
            models.Index(fields=["next_at"], condition=Q(disabled_at=None), name="webhook_due")
        ]

    def __str__(self) -> str:
        return self.destination


class Notification(models.Model):
    """An event that a requester asked to hear of."""

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="notifications")
    body = models.JSONField()
    created_at = models.DateTimeField(default=clock.now)
    delivered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        indexes: ClassVar = [
            models.Index(
                fields=["webhook"], condition=Q(delivered_at=None), name="notification_waiting"
            ),
            models.Index(fields=["created_at"], name="notification_age"),
        ]

    def __str__(self) -> str:
        return _("to {webhook}").format(webhook=self.webhook)
