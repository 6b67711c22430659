"""A campaign: the HITs that a project publishes about a frozen unit set, and what came back."""

from __future__ import annotations

import hashlib
import uuid
from decimal import Decimal
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext as _

from annotation import clock
from annotation.corpora.activity.models import AppendOnly
from annotation.corpora.corpus.models import Summary
from annotation.corpora.jobs.models import Job
from annotation.corpora.projects.models import Project
from annotation.crowd.market.models_accounts import Money
from annotation.translation import gettext_lazy
from annotation.units.sets.models import Unit, UnitSet


class ProviderName(models.TextChoices):
    MARKETPLACE = "marketplace", gettext_lazy("Giza marketplace")
    MTURK = "mturk", gettext_lazy("MTurk endpoint")
    PROLIFIC = "prolific", gettext_lazy("Prolific")
    OFFLINE = "offline", gettext_lazy("Offline files")


class CampaignState(models.TextChoices):
    DRAFT = "draft", gettext_lazy("Draft")
    PUBLISHING = "publishing", gettext_lazy("Publishing")
    LIVE = "live", gettext_lazy("Live")
    PAUSED = "paused", gettext_lazy("Paused")
    ENDED = "ended", gettext_lazy("Ended")


class Delivery(models.TextChoices):
    HTML = "html", gettext_lazy("Self-contained page (HTMLQuestion)")
    EXTERNAL = "external", gettext_lazy("Page served by Giza (ExternalQuestion)")


class ApproveRule(models.TextChoices):
    """What is approved without anybody looking at it."""

    OFF = "off", gettext_lazy("None: every assignment is reviewed")
    DEADLINE = "deadline", gettext_lazy("Shortly before the deadline, if nobody has decided")
    GOLD = "gold", gettext_lazy("Immediately, if every attention item is correct")
    ALL = "all", gettext_lazy("Immediately, if every statement is answered")


class Campaign(models.Model):
    """What is asked, of whom, for how much; fixed once published, but for what can be extended.

    `scope` names the systems and examples whose summaries are judged (none: all of them).
    `cleaning` names the rules by which summaries are cleaned before workers see them (none: they
    see what is stored); `cleaning_signature` and `shown_hash` tell what they see once HITs are
    planned. `requirements` are qualification requirements in the MTurk API's shape.
    `provider_state` keeps what the provider gave us: HIT types by reward, study, qualifications.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="campaigns")
    unit_set = models.ForeignKey(UnitSet, on_delete=models.PROTECT, related_name="campaigns")
    token = models.UUIDField(default=uuid.uuid4, unique=True)
    name = models.CharField(max_length=120)
    provider = models.CharField(
        max_length=11, choices=ProviderName.choices, default=ProviderName.MARKETPLACE
    )
    delivery = models.CharField(max_length=8, choices=Delivery.choices, default=Delivery.HTML)
    state = models.CharField(
        max_length=10, choices=CampaignState.choices, default=CampaignState.DRAFT
    )
    scope = models.JSONField(default=dict, blank=True)

    cleaning = models.JSONField(default=list, blank=True)
    cleaning_signature = models.CharField(max_length=200, blank=True)
    shown_hash = models.CharField(max_length=64, blank=True)

    title = models.CharField(max_length=128)
    description = models.TextField(max_length=2000)
    keywords = models.CharField(max_length=1000, blank=True)
    instructions = models.TextField(max_length=10_000)
    worked_examples = models.JSONField(default=list, blank=True)
    training = models.JSONField(default=list, blank=True)
    gold = models.JSONField(default=list, blank=True)
    gold_per_hit = models.PositiveSmallIntegerField(default=1)
    units_per_hit = models.PositiveSmallIntegerField(default=16)

    reward = Money(default=Decimal("0.15"))
    rewards_by_kind = models.JSONField(default=dict, blank=True)
    assignments_per_hit = models.PositiveSmallIntegerField(default=4)
    seconds_allotted = models.PositiveIntegerField(default=3600)
    lifetime_seconds = models.PositiveIntegerField(default=7 * 86_400)
    auto_approve_seconds = models.PositiveIntegerField(default=3 * 86_400)
    requirements = models.JSONField(default=list, blank=True)
    exclude_earlier_workers = models.BooleanField(default=False)
    most_per_worker = models.PositiveIntegerField(
        null=True, blank=True, help_text=gettext_lazy("Maximum HITs per worker. Empty: no limit.")
    )

    budget = Money(help_text=gettext_lazy("The campaign never spends more than this."))
    cap_follows = models.BooleanField(
        default=False, help_text=gettext_lazy("Whether a draft's budget follows its cost.")
    )
    bonus_reserve = Money(default=Decimal(0))
    wage_floor = Money(default=Decimal("12.00"))
    seconds_per_statement = models.FloatField(
        null=True, blank=True, help_text=gettext_lazy("From a timed preview.")
    )
    approve_rule = models.CharField(
        max_length=8, choices=ApproveRule.choices, default=ApproveRule.DEADLINE
    )

    provider_state = models.JSONField(default=dict, blank=True)
    job = models.ForeignKey(Job, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(default=clock.now)
    published_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    collected_at = models.DateTimeField(null=True, blank=True)
    next_collect_at = models.DateTimeField(null=True, blank=True)
    collect_problem = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["project", "name"], name="campaign_name_once")
        ]

    def __str__(self) -> str:
        return self.name


class HitState(models.TextChoices):
    PLANNED = "planned", gettext_lazy("Not published yet")
    OPEN = "open", gettext_lazy("Open")
    CLOSED = "closed", gettext_lazy("Expired")


class Hit(models.Model):
    """One summary and some of its statements, as one piece of work.

    `statements` is what the page shows, in order: `{"key", "text", "unit"}` with the unit's id, or
    `{"key", "text", "gold"}` with the known answer. `wanted` grows when the HIT is extended, up to
    the campaign's number of assignments and `again`.
    `shown` is the summary as it was cleaned for workers; empty where they see it as it is stored.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="hits")
    summary = models.ForeignKey(Summary, on_delete=models.CASCADE, related_name="hits")
    part = models.PositiveSmallIntegerField(default=0)
    parts = models.PositiveSmallIntegerField(default=1)
    statements = models.JSONField()
    shown = models.TextField(blank=True)
    reward = Money()
    wanted = models.PositiveIntegerField()
    again = models.PositiveIntegerField(
        default=0,
        help_text=gettext_lazy("Extra assignments that replace rejected or dropped work."),
    )
    state = models.CharField(max_length=7, choices=HitState.choices, default=HitState.PLANNED)
    provider_id = models.CharField(max_length=64, blank=True)
    published_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    collected = models.PositiveIntegerField(default=0)
    decided = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["campaign", "summary", "part"], name="hit_once"),
            models.UniqueConstraint(
                fields=["campaign", "provider_id"],
                condition=~Q(provider_id=""),
                name="hit_provider_id_once",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["campaign", "state", "wanted", "collected", "decided"], name="hit_counts"
            ),
            models.Index(
                fields=["campaign"], condition=Q(decided__lt=F("wanted")), name="hit_unfinished"
            ),
            models.Index(
                fields=["campaign"], condition=~Q(shown="") & Q(part=0), name="hit_cleaned"
            ),
            models.Index(
                "campaign", (F("wanted") - F("collected")).desc(), "id", name="hit_outstanding"
            ),
            models.Index(
                fields=["provider_id"], condition=~Q(provider_id=""), name="hit_by_provider_id"
            ),
        ]

    def __str__(self) -> str:
        return _("HIT {pk} of {campaign_id}").format(pk=self.pk, campaign_id=self.campaign_id)

    @property
    def shown_text(self) -> str:
        """The summary as workers read it."""
        return self.shown or self.summary.text


class Worker(models.Model):
    """A worker as a project's campaigns know them."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="workers")
    provider = models.CharField(max_length=11, choices=ProviderName.choices)
    provider_id = models.CharField(max_length=64)
    note = models.CharField(max_length=300, blank=True)
    excluded_at = models.DateTimeField(null=True, blank=True)
    excluded_reason = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["provider_id"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["project", "provider", "provider_id"], name="worker_once_per_project"
            )
        ]

    def __str__(self) -> str:
        return self.provider_id


class AssignmentState(models.TextChoices):
    SUBMITTED = "submitted", gettext_lazy("To review")
    APPROVED = "approved", gettext_lazy("Approved")
    REJECTED = "rejected", gettext_lazy("Rejected")


class Assignment(models.Model):
    """One worker's answers to one HIT. `raw` is what the provider sent, exactly as it came.

    `problem` says why the answers could not be read in full; such work is never dropped silently.
    `worker` is unknown where a published file leaves it out.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="assignments")
    hit = models.ForeignKey(Hit, on_delete=models.CASCADE, related_name="assignments")
    worker = models.ForeignKey(
        Worker, null=True, blank=True, on_delete=models.PROTECT, related_name="assignments"
    )
    provider_id = models.CharField(max_length=80)
    state = models.CharField(
        max_length=9, choices=AssignmentState.choices, default=AssignmentState.SUBMITTED
    )
    raw = models.TextField()
    answers = models.JSONField(default=dict)
    problem = models.CharField(max_length=300, blank=True)
    gold_asked = models.PositiveSmallIntegerField(default=0)
    gold_right = models.PositiveSmallIntegerField(default=0)
    comment = models.TextField(blank=True)
    accepted_at = models.DateTimeField(null=True, blank=True)
    submitted_at = models.DateTimeField(null=True, blank=True)
    auto_approve_at = models.DateTimeField(null=True, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    feedback = models.CharField(max_length=1024, blank=True)
    seconds = models.FloatField(null=True, blank=True)
    received_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["campaign", "provider_id"], name="assignment_once")
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["campaign", "state", "auto_approve_at", "id"], name="assignment_to_review"
            ),
            models.Index(fields=["campaign", "submitted_at"], name="assignment_by_time"),
            models.Index(fields=["campaign", "worker"], name="assignment_of_worker"),
        ]

    def __str__(self) -> str:
        return self.provider_id


class Judgement(models.Model):
    """Whether one worker found one unit in one summary."""

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="judgements")
    unit = models.ForeignKey(Unit, on_delete=models.PROTECT, related_name="judgements")
    present = models.BooleanField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["assignment", "unit"], name="judgement_once")
        ]

    def __str__(self) -> str:
        return _("unit {unit_id}: {value}").format(
            unit_id=self.unit_id, value=_("present") if self.present else _("not present")
        )


class ChangeKind(models.TextChoices):
    HITS = "hits", "HITs"
    ANSWERS = "answers", gettext_lazy("Assignments")
    BOOKS = "books", gettext_lazy("Ledger")


class CampaignChange(models.Model):
    """Written by the database alone: see `annotation/change_marks.py`.

    `campaign` is an id without a foreign key: whoever writes rows of a campaign waits for nobody
    who holds it. Two writers at the same time leave two rows of a kind.
    """

    campaign = models.BigIntegerField()
    kind = models.CharField(max_length=7, choices=ChangeKind.choices)
    mark = models.UUIDField()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["campaign", "kind"], name="change_of_campaign")]

    def __str__(self) -> str:
        return _("{kind} of campaign {campaign}").format(kind=self.kind, campaign=self.campaign)


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
