"""What the marketplace holds: HIT types, HITs, assignments, and what they cost.

Ids, states and limits are those of the MTurk Requester API 2017-01-17.
"""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext as _

from annotation import clock
from annotation.corpora.activity.models import AppendOnly
from annotation.crowd.market.models_accounts import Money, Requester, WorkerAccount, make_id
from annotation.translation import gettext_lazy


class MarketHitType(models.Model):
    """What HITs of a kind have in common. The same properties give the same type (`digest`)."""

    requester = models.ForeignKey(Requester, on_delete=models.CASCADE, related_name="hit_types")
    hit_type_id = models.CharField(max_length=30, unique=True, default=make_id)
    group_id = models.CharField(max_length=30, default=make_id)
    digest = models.CharField(max_length=64)
    title = models.CharField(max_length=128)
    description = models.TextField(max_length=2000)
    keywords = models.TextField(max_length=1000, blank=True)
    reward = Money()
    assignment_seconds = models.PositiveIntegerField()
    auto_approval_seconds = models.PositiveIntegerField()
    requirements = models.JSONField(default=list)
    notification = models.JSONField(default=dict, blank=True)
    notification_active = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["requester", "digest"], name="hit_type_once")
        ]

    def __str__(self) -> str:
        return self.title


class QuestionKind(models.TextChoices):
    HTML = "html", "HTMLQuestion"
    EXTERNAL = "external", "ExternalQuestion"
    FORM = "form", "QuestionForm"


class MarketHitQuerySet(models.QuerySet["MarketHit"]):
    """MTurk's states, which follow from the counts and the clock and so are never stale."""

    def alive(self) -> MarketHitQuerySet:
        return self.filter(is_deleted=False)

    def assignable(self, now: datetime) -> MarketHitQuerySet:
        return self.alive().filter(available__gt=0, expires_at__gt=now)

    def reviewable(self, now: datetime) -> MarketHitQuerySet:
        """Nothing is out and nothing can be taken; `is_reviewing` tells which of the two it is."""
        over = Q(available=0) | Q(expires_at__lte=now)
        return self.alive().filter(over, pending=0)


class MarketHit(models.Model):
    """One task. `available + pending + submitted + completed` is `max_assignments` at all times.

    `held_places` are the places for which the requester's money is held, `place_cost` each, the
    fee included. `told_…` keep an event from being announced twice.
    """

    requester = models.ForeignKey(Requester, on_delete=models.CASCADE, related_name="hits")
    hit_type = models.ForeignKey(MarketHitType, on_delete=models.CASCADE, related_name="hits")
    hit_id = models.CharField(max_length=30, unique=True, default=make_id)
    question = models.TextField()
    question_kind = models.CharField(max_length=8, choices=QuestionKind.choices)
    layout_id = models.CharField(max_length=30, blank=True)
    annotation = models.CharField(max_length=255, blank=True)
    max_assignments = models.PositiveIntegerField(default=1)
    available = models.PositiveIntegerField()
    pending = models.PositiveIntegerField(default=0)
    submitted = models.PositiveIntegerField(default=0)
    completed = models.PositiveIntegerField(default=0)
    held_places = models.PositiveIntegerField(default=0)
    place_cost = Money(default=Decimal(0))
    expires_at = models.DateTimeField()
    is_reviewing = models.BooleanField(default=False)
    is_deleted = models.BooleanField(default=False)
    review_status = models.CharField(max_length=24, default="NotReviewed")
    review_policies = models.JSONField(default=dict, blank=True)
    has_review_actions = models.BooleanField(default=False)
    told_expired = models.BooleanField(default=False)
    told_reviewable = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=clock.now)

    objects: ClassVar = MarketHitQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(
                    max_assignments=F("available") + F("pending") + F("submitted") + F("completed")
                ),
                name="places_add_up",
            )
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["hit_type", "expires_at"],
                condition=Q(is_deleted=False, available__gt=0),
                name="hit_to_take",
            ),
            models.Index(fields=["requester", "-created_at"], name="hit_by_requester"),
            models.Index(
                fields=["expires_at"], condition=Q(held_places__gt=0), name="hit_with_money_held"
            ),
            models.Index(
                fields=["id"],
                condition=Q(has_review_actions=True, submitted__gt=0),
                name="hit_to_review_by_policy",
            ),
        ]

    def __str__(self) -> str:
        return self.hit_id

    def status(self, now: datetime) -> str:
        """Assignable, Unassignable, Reviewable, Reviewing or Disposed."""
        if self.is_deleted:
            return "Disposed"
        if self.available and self.expires_at > now:
            return "Assignable"
        if self.pending:
            return "Unassignable"
        return "Reviewing" if self.is_reviewing else "Reviewable"


class AssignmentStatus(models.TextChoices):
    ACCEPTED = "Accepted", gettext_lazy("In progress")
    SUBMITTED = "Submitted", gettext_lazy("Submitted")
    APPROVED = "Approved", gettext_lazy("Approved")
    REJECTED = "Rejected", gettext_lazy("Rejected")
    RETURNED = "Returned", gettext_lazy("Returned")
    ABANDONED = "Abandoned", gettext_lazy("Timed out")
    LATE = "Late", gettext_lazy("Submitted late")


HOLDS_PLACE = ["Accepted", "Submitted", "Approved", "Rejected"]


class MarketAssignment(models.Model):
    """A HIT in one worker's hands, and what they made of it."""

    hit = models.ForeignKey(MarketHit, on_delete=models.CASCADE, related_name="assignments")
    worker = models.ForeignKey(WorkerAccount, on_delete=models.CASCADE, related_name="assignments")
    assignment_id = models.CharField(max_length=30, unique=True, default=make_id)
    status = models.CharField(
        max_length=9, choices=AssignmentStatus.choices, default=AssignmentStatus.ACCEPTED
    )
    answer = models.TextField(blank=True)
    is_late = models.BooleanField(default=False)
    feedback = models.TextField(blank=True)
    # At work on the task's page, as the page reported: it outlives the page and its browser.
    seconds_worked = models.FloatField(default=0)
    accepted_at = models.DateTimeField(default=clock.now)
    deadline = models.DateTimeField()
    submitted_at = models.DateTimeField(null=True, blank=True)
    auto_approve_at = models.DateTimeField(null=True, blank=True)
    approved_at = models.DateTimeField(null=True, blank=True)
    rejected_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["hit", "worker"],
                condition=Q(status__in=HOLDS_PLACE),
                name="place_once_per_worker",
            )
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["deadline"], condition=Q(status="Accepted"), name="assignment_running_out"
            ),
            models.Index(
                fields=["auto_approve_at"],
                condition=Q(status="Submitted"),
                name="assignment_to_approve",
            ),
            models.Index(fields=["worker", "-accepted_at"], name="assignment_by_worker"),
        ]

    def __str__(self) -> str:
        return self.assignment_id


class RequestToken(models.Model):
    """A UniqueRequestToken, and what was made under it; good for a day."""

    requester = models.ForeignKey(Requester, on_delete=models.CASCADE, related_name="tokens")
    operation = models.CharField(max_length=40)
    token = models.CharField(max_length=64)
    made = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["requester", "operation", "token"], name="request_token_once"
            )
        ]

    def __str__(self) -> str:
        return self.token


class Bonus(models.Model):
    requester = models.ForeignKey(Requester, on_delete=models.CASCADE, related_name="bonuses")
    assignment = models.ForeignKey(
        MarketAssignment, on_delete=models.CASCADE, related_name="bonuses"
    )
    amount = Money()
    reason = models.TextField()
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "bonuses"

    def __str__(self) -> str:
        return _("{amount} for {assignment}").format(amount=self.amount, assignment=self.assignment)


class EntryKind(models.TextChoices):
    DEPOSIT = "deposit", gettext_lazy("Deposit")
    REWARD = "reward", gettext_lazy("Reward")
    BONUS = "bonus", gettext_lazy("Bonus")
    FEE = "fee", gettext_lazy("Fee")
    PAYOUT = "payout", gettext_lazy("Payout")


class MarketEntry(AppendOnly):
    """One movement of the marketplace's books. Rows are added, never changed.

    `amount` is what it does to the requester's balance: a deposit adds, the others take away.
    A payout touches no balance: it records that a worker was paid outside of Giza.
    """

    requester = models.ForeignKey(
        Requester, null=True, on_delete=models.PROTECT, related_name="entries"
    )
    worker = models.ForeignKey(
        WorkerAccount, null=True, on_delete=models.PROTECT, related_name="entries"
    )
    assignment = models.ForeignKey(
        MarketAssignment, null=True, on_delete=models.PROTECT, related_name="entries"
    )
    kind = models.CharField(max_length=8, choices=EntryKind.choices)
    key = models.CharField(max_length=80, unique=True)
    amount = Money()
    # Of a deposit: where the money came from, and who of the staff added it; a command is nobody.
    note = models.CharField(max_length=200, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = gettext_lazy("market entries")

    def __str__(self) -> str:
        return f"{self.kind} {self.amount}"


class HitLayout(models.Model):
    """A HIT keeps the page as it was filled, so that a change of its layout changes no HIT."""

    requester = models.ForeignKey(Requester, on_delete=models.CASCADE, related_name="layouts")
    layout_id = models.CharField(max_length=30, unique=True, default=make_id)
    name = models.CharField(max_length=120)
    html = models.TextField()
    frame_height = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=clock.now)
    updated_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.name


class QualificationType(models.Model):
    requester = models.ForeignKey(
        Requester, on_delete=models.CASCADE, related_name="qualification_types"
    )
    qualification_type_id = models.CharField(max_length=30, unique=True, default=make_id)
    name = models.CharField(max_length=200)
    description = models.TextField(max_length=2000)
    keywords = models.TextField(max_length=1000, blank=True)
    is_active = models.BooleanField(default=True)
    retry_seconds = models.BigIntegerField(null=True, blank=True)
    test = models.TextField(blank=True)
    test_seconds = models.BigIntegerField(null=True, blank=True)
    answer_key = models.TextField(blank=True)
    auto_granted = models.BooleanField(default=False)
    auto_granted_value = models.IntegerField(default=1)
    is_requestable = models.BooleanField(default=True)
    is_deleted = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["requester", "name"],
                condition=Q(is_deleted=False),
                name="qualification_name_once",
            )
        ]

    def __str__(self) -> str:
        return self.name


class QualificationRequest(models.Model):
    """A worker asks for a qualification, perhaps with the answers to its test."""

    type = models.ForeignKey(QualificationType, on_delete=models.CASCADE, related_name="requests")
    worker = models.ForeignKey(
        WorkerAccount, on_delete=models.CASCADE, related_name="qualification_requests"
    )
    request_id = models.CharField(max_length=30, unique=True, default=make_id)
    answer = models.TextField(blank=True)
    state = models.CharField(max_length=8, default="open")
    reason = models.TextField(blank=True)
    started_at = models.DateTimeField(default=clock.now)
    submitted_at = models.DateTimeField(null=True, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["type", "worker"], condition=Q(state="open"), name="request_open_once"
            )
        ]

    def __str__(self) -> str:
        return self.request_id


class Qualification(models.Model):
    """What a worker holds of a type."""

    type = models.ForeignKey(QualificationType, on_delete=models.CASCADE, related_name="holders")
    worker = models.ForeignKey(
        WorkerAccount, on_delete=models.CASCADE, related_name="qualifications"
    )
    value = models.IntegerField(default=1)
    is_granted = models.BooleanField(default=True)
    reason = models.TextField(blank=True)
    granted_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["type", "worker"], name="qualification_once")
        ]

    def __str__(self) -> str:
        return f"{self.type}: {self.value}"
