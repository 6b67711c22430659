"""What the keys of REST and of the marketplace have in common: a person, a scope, an end."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db import models
from django.db.models import Q

from annotation import clock
from annotation.faults import if_free
from annotation.translation import gettext_lazy

USE_NOTED_EVERY = timedelta(minutes=1)
LONGEST_DAYS = 3650


class KeyScope(models.TextChoices):
    """Each scope includes the scopes before it."""

    READ = "read", gettext_lazy("Read")
    PUBLISH = "publish", gettext_lazy("Read and publish")
    PAY = "pay", gettext_lazy("Read, publish and pay")

    def includes(self, needed: KeyScope) -> bool:
        order = list(KeyScope)
        return order.index(self) >= order.index(needed)


class Key(models.Model):
    """A credential of one person. It works until it is revoked, or `expires_at`."""

    scope = models.CharField(max_length=8, choices=KeyScope.choices, default=KeyScope.READ)
    expires_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=clock.now)
    last_used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    @property
    def is_expired(self) -> bool:
        return self.expires_at is not None and self.expires_at <= clock.now()

    def allows(self, needed: KeyScope) -> bool:
        return KeyScope(self.scope).includes(needed)

    def note_use(self) -> None:
        """Written at most once a minute, so that reading stays cheap."""
        before = clock.now() - USE_NOTED_EVERY
        if self.last_used_at is None or self.last_used_at < before:
            stale = Q(last_used_at=None) | Q(last_used_at__lt=before)
            rows: Any = type(self)._default_manager
            with if_free():
                rows.filter(stale, pk=self.pk).update(last_used_at=clock.now())
