"""What REST says of campaigns."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotation.crowd.campaigns.models import Assignment, Campaign, Hit, Intent, Worker
from annotation.crowd.campaigns.requests import (
    GoldSerializer,
    RequirementSerializer,
    ScopeSerializer,
    WorkedExampleSerializer,
)
from annotation.crowd.market.models_accounts import Message
from annotation.translation import gettext_lazy


class MoneyField(serializers.DecimalField):
    """Dollars as a string, so that no reader turns them into a float."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("max_digits", 24)
        options.setdefault("decimal_places", 4)
        super().__init__(**options)


class CampaignSerializer(serializers.ModelSerializer[Campaign]):
    # As they are sent, so that what was read can be sent back.
    reward = MoneyField(read_only=True, decimal_places=2)
    budget = MoneyField(read_only=True, decimal_places=2)
    bonus_reserve = MoneyField(read_only=True, decimal_places=2)
    wage_floor = MoneyField(read_only=True, decimal_places=2)
    hit_count = serializers.IntegerField(read_only=True, default=0)
    wanted_count = serializers.IntegerField(read_only=True, default=0)
    collected_count = serializers.IntegerField(read_only=True, default=0)
    scope = ScopeSerializer(read_only=True)
    worked_examples = WorkedExampleSerializer(many=True, read_only=True)
    training = WorkedExampleSerializer(many=True, read_only=True)
    gold = GoldSerializer(many=True, read_only=True)
    cleaning = serializers.ListField(child=serializers.CharField(), read_only=True)
    requirements = RequirementSerializer(many=True, read_only=True)
    rewards_by_kind = serializers.DictField(child=MoneyField(decimal_places=2), read_only=True)

    class Meta:
        model = Campaign
        fields = (
            "id",
            "name",
            "unit_set",
            "provider",
            "delivery",
            "state",
            "scope",
            "cleaning",
            "cleaning_signature",
            "shown_hash",
            "title",
            "description",
            "keywords",
            "instructions",
            "worked_examples",
            "training",
            "gold",
            "gold_per_hit",
            "units_per_hit",
            "reward",
            "rewards_by_kind",
            "assignments_per_hit",
            "seconds_allotted",
            "lifetime_seconds",
            "auto_approve_seconds",
            "requirements",
            "exclude_earlier_workers",
            "most_per_worker",
            "approve_rule",
            "budget",
            "cap_follows",
            "bonus_reserve",
            "wage_floor",
            "seconds_per_statement",
            "job",
            "created_at",
            "published_at",
            "ended_at",
            "collected_at",
            "collect_problem",
            "hit_count",
            "wanted_count",
            "collected_count",
        )
        read_only_fields = fields


class QualificationMadeSerializer(serializers.Serializer[Any]):
    qualification_type_id = serializers.CharField()


class BlockSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField()
    workers = serializers.IntegerField()


class ReachSerializer(serializers.Serializer[Any]):
    """Workers of the marketplace, those who qualify, and why the others don't."""

    known = serializers.IntegerField()
    qualified = serializers.IntegerField()
    blocks = BlockSerializer(many=True)


class CostSerializer(serializers.Serializer[Any]):
    summaries = serializers.IntegerField()
    hits = serializers.IntegerField()
    assignments = serializers.IntegerField()
    statements = serializers.IntegerField()
    rewards = MoneyField()
    fees = MoneyField()
    bonus_reserve = MoneyField()
    total = MoneyField()
    expected_wage = MoneyField(allow_null=True)
    workers = ReachSerializer(allow_null=True)
    obstacles = serializers.ListField(child=serializers.CharField())
    warnings = serializers.ListField(child=serializers.CharField())


class BooksSerializer(serializers.Serializer[Any]):
    budget = MoneyField()
    committed = MoneyField()
    spent = MoneyField()
    rewards = MoneyField()
    bonuses = MoneyField()
    fees = MoneyField()
    left = MoneyField()
    open_intents = serializers.IntegerField()


class AgreementSerializer(serializers.Serializer[Any]):
    alpha = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    statements = serializers.IntegerField()
    answers = serializers.IntegerField()


class WageSerializer(serializers.Serializer[Any]):
    median = MoneyField(allow_null=True)
    floor = MoneyField()
    timed = serializers.IntegerField()
    workers = serializers.IntegerField()
    below = serializers.IntegerField(
        help_text=gettext_lazy("Number of workers below the wage floor.")
    )
    is_below = serializers.BooleanField()


class LiveSerializer(serializers.Serializer[Any]):
    """The live status of a campaign."""

    state = serializers.CharField(source="campaign.state")
    wanted = serializers.IntegerField()
    collected = serializers.IntegerField()
    outstanding = serializers.IntegerField()
    to_review = serializers.IntegerField()
    approved = serializers.IntegerField()
    rejected = serializers.IntegerField()
    workers = serializers.IntegerField()
    problems = serializers.IntegerField()
    books = BooksSerializer()
    agreement = AgreementSerializer()
    wage = WageSerializer()
    expected_end = serializers.DateTimeField(allow_null=True)


class AssignmentSerializer(serializers.ModelSerializer[Assignment]):
    example = serializers.CharField(source="hit.summary.example.key")
    system = serializers.CharField(source="hit.summary.system.name")
    worker = serializers.CharField(source="worker.provider_id", allow_null=True, default=None)
    reward = MoneyField(source="hit.reward")
    answers = serializers.DictField(child=serializers.CharField())

    class Meta:
        model = Assignment
        fields = (
            "id",
            "hit",
            "example",
            "system",
            "worker",
            "provider_id",
            "state",
            "answers",
            "problem",
            "gold_asked",
            "gold_right",
            "comment",
            "reward",
            "seconds",
            "accepted_at",
            "submitted_at",
            "auto_approve_at",
            "decided_at",
            "feedback",
        )
        read_only_fields = fields


class EntrySerializer(serializers.ModelSerializer[Intent]):
    amount = MoneyField()
    fee = MoneyField()
    outcome = serializers.SerializerMethodField()
    assignment = serializers.CharField(
        source="assignment.provider_id", allow_null=True, default=None
    )

    class Meta:
        model = Intent
        fields = ("id", "kind", "amount", "fee", "outcome", "hit", "assignment", "created_at")
        read_only_fields = fields

    def get_outcome(self, entry: Intent) -> str:
        """`done`, `void`, or `open` until it is known."""
        settlement = getattr(entry, "settlement", None)
        return settlement.outcome if settlement else "open"


class ReviewedSerializer(serializers.Serializer[Any]):
    decided = serializers.IntegerField(allow_null=True)
    job = serializers.IntegerField(allow_null=True)


class JobStartedSerializer(serializers.Serializer[Any]):
    job = serializers.IntegerField()
    state = serializers.CharField()


class PresetSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # a field, not its label
    detail = serializers.CharField()
    settings = serializers.DictField(source="fields")


class HitSerializer(serializers.ModelSerializer[Hit]):
    example = serializers.CharField(source="summary.example.key")
    system = serializers.CharField(source="summary.system.name")
    statements = serializers.ListField(child=serializers.DictField())
    reward = MoneyField()

    class Meta:
        model = Hit
        fields = (
            "id",
            "example",
            "system",
            "part",
            "parts",
            "statements",
            "shown",
            "reward",
            "wanted",
            "collected",
            "decided",
            "state",
            "provider_id",
            "published_at",
            "expires_at",
        )
        read_only_fields = fields


class BeforeAfterSerializer(serializers.Serializer[Any]):
    summary = serializers.IntegerField(source="summary.pk")
    example = serializers.CharField(source="summary.example.key")
    system = serializers.CharField(source="summary.system.name")
    before = serializers.CharField()
    after = serializers.CharField(help_text=gettext_lazy("Empty if nothing changes."))
    kinds = serializers.DictField(
        child=serializers.IntegerField(), help_text=gettext_lazy("Number of changes of each kind.")
    )


class PaceSerializer(serializers.Serializer[Any]):
    seconds_per_statement = serializers.FloatField()
    expected_wage = MoneyField(allow_null=True)


class WorkerSerializer(serializers.ModelSerializer[Worker]):
    class Meta:
        model = Worker
        fields = ("id", "provider_id", "excluded_at", "excluded_reason")
        read_only_fields = fields


class StandingSerializer(serializers.Serializer[Any]):
    """A worker in a campaign; `agreement` is with the majority of the others."""

    worker = WorkerSerializer()
    assignments = serializers.IntegerField()
    rejected = serializers.IntegerField()
    gold_asked = serializers.IntegerField()
    gold_right = serializers.IntegerField()
    median_seconds = serializers.FloatField(allow_null=True)
    agreement = serializers.FloatField(allow_null=True)
    compared = serializers.IntegerField()


class QuestionSerializer(serializers.ModelSerializer[Message]):
    """A message of a worker, or the answer to it."""

    worker = serializers.CharField(source="worker.worker_id", read_only=True)

    class Meta:
        model = Message
        fields = [
            *("id", "worker", "is_from_worker", "hit_id", "subject", "text"),
            *("created_at", "read_at"),
        ]
        read_only_fields = fields


class ToldSerializer(serializers.Serializer[Any]):
    sent = serializers.IntegerField()
    failures = serializers.DictField(
        child=serializers.CharField(),
        help_text=gettext_lazy("The reason, by the worker's ID at the provider."),
    )


class TopUpSerializer(serializers.Serializer[Any]):
    """The cost of topping up all workers to the wage floor."""

    workers = serializers.IntegerField(source="number")
    amount = MoneyField()
    fees = MoneyField()
    total = MoneyField()
