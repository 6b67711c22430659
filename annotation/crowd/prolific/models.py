"""What Giza keeps about campaigns on Prolific: one study, its places by HIT, who came, bonuses."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext as _

from annotation import clock
from annotation.crowd.campaigns.models import Campaign, Hit
from annotation.translation import gettext_lazy


class ProlificStudy(models.Model):
    """A campaign's study, and the group of participants who are kept from it."""

    campaign = models.OneToOneField(
        Campaign, on_delete=models.CASCADE, related_name="prolific_study"
    )
    study_id = models.CharField(max_length=64, unique=True)
    group_id = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        verbose_name_plural = gettext_lazy("prolific studies")

    def __str__(self) -> str:
        return self.study_id


class ProlificPlaces(models.Model):
    """How many of the study's places are for one HIT: meant, and confirmed by Prolific.

    Prolific counts places for the study as a whole, so that which HIT they are for is ours to
    know. No participant is sent to a HIT after `open_until`.
    """

    hit = models.OneToOneField(Hit, on_delete=models.CASCADE, related_name="prolific_places")
    asked = models.PositiveIntegerField()
    confirmed = models.PositiveIntegerField(default=0)
    open_until = models.DateTimeField()

    class Meta:
        verbose_name_plural = gettext_lazy("prolific places")

    def __str__(self) -> str:
        return _("{confirmed} of {asked} places for {hit_id}").format(
            confirmed=self.confirmed, asked=self.asked, hit_id=self.hit_id
        )


class SessionStatus(models.TextChoices):
    STARTED = "started", gettext_lazy("In progress")
    SUBMITTED = "submitted", gettext_lazy("Submitted")
    RELEASED = "released", gettext_lazy("Returned or timed out")
    REJECTED = "rejected", gettext_lazy("Rejected")


HOLDS_PROLIFIC_PLACE = ["started", "submitted"]


class ProlificSession(models.Model):
    """A participant at work on a HIT. `session_id` is Prolific's name for their submission.

    `key` is what their page answers with: it can't be guessed, as Prolific's ids perhaps can.
    """

    campaign = models.ForeignKey(
        Campaign, on_delete=models.CASCADE, related_name="prolific_sessions"
    )
    hit = models.ForeignKey(Hit, on_delete=models.CASCADE, related_name="prolific_sessions")
    participant = models.CharField(max_length=64)
    session_id = models.CharField(max_length=64)
    key = models.UUIDField(default=uuid.uuid4, unique=True)
    status = models.CharField(
        max_length=9, choices=SessionStatus.choices, default=SessionStatus.STARTED
    )
    raw = models.TextField(blank=True)
    started_at = models.DateTimeField(default=clock.now)
    deadline = models.DateTimeField()
    submitted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["campaign", "session_id"], name="prolific_session_once"
            ),
            models.UniqueConstraint(
                fields=["hit", "participant"],
                condition=Q(status__in=HOLDS_PROLIFIC_PLACE),
                name="prolific_hit_once_per_participant",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["campaign", "deadline"],
                condition=Q(status="started"),
                name="prolific_running_out",
            )
        ]

    def __str__(self) -> str:
        return _("{participant} on {hit_id}").format(
            participant=self.participant, hit_id=self.hit_id
        )


class ProlificBonus(models.Model):
    """One bonus, by the token of its intent. `asked_at` is written before the call that pays.

    Paying twice under one batch pays twice: a row with `asked_at` and no `paid_at` is never asked
    for again before somebody has looked.
    """

    token = models.CharField(max_length=64, unique=True)
    session_id = models.CharField(max_length=64)
    cents = models.PositiveIntegerField()
    batch_id = models.CharField(max_length=64, blank=True)
    asked_at = models.DateTimeField(null=True, blank=True)
    paid_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = gettext_lazy("prolific bonuses")
        indexes: ClassVar = [models.Index(fields=["session_id"], name="prolific_bonus_of")]

    def __str__(self) -> str:
        return _("{cents} cents for {session_id}").format(
            cents=self.cents, session_id=self.session_id
        )


class ProlificEvent(models.Model):
    """A webhook that has come: Prolific delivers at least once, we act once."""

    event_id = models.CharField(max_length=128, unique=True)
    received_at = models.DateTimeField(default=clock.now)

    def __str__(self) -> str:
        return self.event_id
