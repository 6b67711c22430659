"""The campaign's books: what was meant to be spent, and what came of it. Rows are only added."""

from __future__ import annotations

import hashlib
from typing import ClassVar

from django.conf import settings
from django.db import models

from annotation import clock
from annotation.corpora.models.append_only import AppendOnly
from annotation.crowd.models.accounts import Money
from annotation.crowd.models.campaigns import Assignment, Campaign, Hit
from annotation.translation import gettext_lazy


class IntentKind(models.TextChoices):
    PUBLISH = "publish", gettext_lazy("Publish HIT")
    EXTEND = "extend", gettext_lazy("More assignments")
    APPROVE = "approve", gettext_lazy("Approve")
    REJECT = "reject", gettext_lazy("Reject")
    BONUS = "bonus", gettext_lazy("Bonus")
    OVERTURN = "overturn", gettext_lazy("Overturn rejection")
    RELEASE = "release", gettext_lazy("Release unused budget")


class Intent(AppendOnly):
    """Committed before the call that costs. `base` says what it is for: one call, one payment.

    Only what the provider refused can be attempted again. `token` is what the provider gets to
    know it by.

    `amount` is what workers get, `fee` what the provider takes on top of it. Publishing and
    extending commit money; approving turns committed money into spent money; a bonus does both.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="intents")
    kind = models.CharField(max_length=8, choices=IntentKind.choices)
    base = models.CharField(max_length=120)
    attempt = models.PositiveSmallIntegerField(default=1)
    amount = Money()
    fee = Money()
    hit = models.ForeignKey(Hit, null=True, on_delete=models.CASCADE, related_name="intents")
    assignment = models.ForeignKey(
        Assignment, null=True, on_delete=models.CASCADE, related_name="intents"
    )
    params = models.JSONField(default=dict)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["pk"]
        indexes: ClassVar = [models.Index(fields=["campaign", "kind"], name="intent_by_kind")]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["base", "attempt"], name="intent_once")
        ]

    def __str__(self) -> str:
        return f"{self.base}#{self.attempt}"

    @property
    def token(self) -> str:
        """At most 64 characters, the same on every machine and after every restart."""
        return hashlib.sha256(f"{self.campaign.token}/{self}".encode()).hexdigest()


class Outcome(models.TextChoices):
    DONE = "done", gettext_lazy("Done")
    VOID = "void", gettext_lazy("Not done")


class Settlement(AppendOnly):
    """How an intent ended: done, as the provider confirmed, or void because it refused."""

    intent = models.OneToOneField(Intent, on_delete=models.CASCADE, related_name="settlement")
    outcome = models.CharField(max_length=4, choices=Outcome.choices)
    provider_id = models.CharField(max_length=80, blank=True)
    note = models.CharField(max_length=300, blank=True)
    at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.intent}: {self.outcome}"
