"""Tries that are counted, so that nobody can try without end."""

from __future__ import annotations

from django.db import models

from annotation import clock
from annotation.translation import gettext as _
from annotation.translation import gettext_lazy


class AttemptKind(models.TextChoices):
    SIGN_IN = "sign_in", gettext_lazy("Signing in")
    SIGN_UP = "sign_up", gettext_lazy("Creating an account")
    KEY = "key", gettext_lazy("Creating a key")
    RESET = "reset", gettext_lazy("Requesting a password link")
    CODE = "code", gettext_lazy("Entering a code")


class Attempt(models.Model):
    """One try; by whom and from where is kept as a digest. Rows go when they no longer count."""

    kind = models.CharField(max_length=8, choices=AttemptKind.choices)
    account = models.CharField(max_length=64, blank=True)
    address = models.CharField(max_length=64, blank=True)
    at = models.DateTimeField(default=clock.now)

    class Meta:
        indexes = [
            models.Index(fields=["account", "at"], name="attempt_by_account"),
            models.Index(fields=["address", "at"], name="attempt_by_address"),
            models.Index(fields=["kind", "at"], name="attempt_by_age"),
        ]

    def __str__(self) -> str:
        return _("{kind} at {at:%Y-%m-%d %H:%M}").format(kind=self.get_kind_display(), at=self.at)
