"""Tries that are counted, so that nobody can try without end."""

from __future__ import annotations

from django.db import models

from annotation import clock


class AttemptKind(models.TextChoices):
    SIGN_IN = "sign_in", "Signing in"
    SIGN_UP = "sign_up", "Creating an account"
    KEY = "key", "Creating a key"
    RESET = "reset", "Requesting a password link"
    CODE = "code", "Entering a code"


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
        return f"{self.get_kind_display()} at {self.at:%Y-%m-%d %H:%M}"
