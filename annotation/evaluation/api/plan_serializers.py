"""What REST takes and tells about curves and plans for a budget."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotation.corpora.api.fields import Line
from annotation.corpora.api.serializers import JobSerializer
from annotation.crowd.api.strict import UP_TO_100, Dollars, Strict
from annotation.crowd.models import ProviderName
from annotation.evaluation.api.learned import LearnedSerializer
from annotation.evaluation.api.run_requests import LONGEST_JUDGE
from annotation.evaluation.api.trained import Number
from annotation.evaluation.models import BudgetPlan, CurveRun
from annotation.evaluation.plan_forms import GOALS, WIDTH
from annotation.evaluation.selectors.learned import read_learned_sources
from annotation.evaluation.services.asked import (
    MOST_HOURS,
    MOST_MINUTES,
    MOST_ROUNDS,
    MOST_SYSTEMS,
    MOST_UNITS,
)
from annotation.evaluation.services.curves import (
    LEAST_SEEDS,
    MOST_BOOTSTRAP,
    MOST_SEED,
    MOST_SEEDS,
    STEPS,
)
from annotation.units.api.fields import Whole
from scoring.planning.plans import DIFFERENCE
from scoring.planning.presence import NEAREST_LABELS


class NewCurvesSerializer(Strict):
    labels = Whole(min_value=1, help_text="People's labels of SCUs.")
    stus = Whole(min_value=1, help_text="A frozen set of STUs of the same references.")
    judge = Line(
        max_length=LONGEST_JUDGE,
        required=False,
        help_text=f"One that has run on both sets. If left out: {NEAREST_LABELS}",
    )
    step = serializers.ChoiceField(choices=STEPS, required=False, help_text="Percent.")
    seeds = Whole(
        min_value=LEAST_SEEDS, max_value=MOST_SEEDS, required=False, help_text="Random orders."
    )
    bootstrap = Whole(
        min_value=1, max_value=MOST_BOOTSTRAP, required=False, help_text="Resamples of examples."
    )
    seed = Whole(max_value=MOST_SEED, required=False)


class CurvesSerializer(serializers.ModelSerializer[CurveRun]):
    labels = serializers.IntegerField(source="label_set_id", read_only=True, allow_null=True)
    stus = serializers.IntegerField(source="stus_id", read_only=True)
    sources = serializers.DictField(read_only=True, help_text="What they are drawn from, by name.")
    options = serializers.DictField(read_only=True)
    learned = serializers.SerializerMethodField()
    job = JobSerializer(read_only=True, allow_null=True)

    class Meta:
        model = CurveRun
        fields: tuple[str, ...] = (
            "id",
            "labels",
            "stus",
            "judge",
            "sources",
            "options",
            "learned",
            "signature",
            "is_ready",
            "job",
            "created_at",
        )
        read_only_fields = fields

    @extend_schema_field(LearnedSerializer(many=True))
    def get_learned(self, curves: CurveRun) -> Any:
        """Runs whose judge was trained on the texts that it judged."""
        return read_learned_sources(curves.sources, [curves.scu_run, curves.stu_run])


class CurvesDetailSerializer(CurvesSerializer):
    found = serializers.DictField(
        read_only=True,
        help_text="Curves by order, level and measure, and gains over random; empty until ready.",
    )

    class Meta(CurvesSerializer.Meta):
        fields = (*CurvesSerializer.Meta.fields, "found")
        read_only_fields = fields


class NewBudgetSerializer(Strict):
    """A budget and a goal; what is left out is as the project is."""

    money = Dollars(required=False, help_text="For HITs, fees included; no limit if left out.")
    hours = Number(
        min_value=0, max_value=MOST_HOURS, required=False, help_text="Of writing; no limit if none."
    )
    goal = serializers.ChoiceField(choices=list(GOALS), required=False)
    target = Number(
        min_value=0.001,
        max_value=0.999,
        required=False,
        help_text=f"The width ({WIDTH} if left out) or the difference ({DIFFERENCE}).",
    )
    power = Number(min_value=0.01, max_value=0.99, required=False)
    examples = Whole(
        min_value=1, required=False, help_text="At most; never more than the project's."
    )
    systems = Whole(min_value=2, max_value=MOST_SYSTEMS, required=False)
    minutes_per_scu = Number(
        min_value=0, max_value=MOST_MINUTES, required=False, help_text="As measured if left out."
    )
    provider = serializers.ChoiceField(choices=ProviderName.choices, required=False)
    reward = Dollars(UP_TO_100, required=False)
    units_per_hit = Whole(min_value=1, max_value=MOST_UNITS, required=False)
    stus = Whole(min_value=1, required=False, help_text="Their ranking says what people write.")
    scus = Whole(
        min_value=1,
        required=False,
        allow_null=True,
        help_text="Written already; the newest set with SCUs if left out, none if null.",
    )
    pilot = Whole(min_value=1, required=False, help_text="Labels that the simulation learns from.")
    judge = Line(
        max_length=LONGEST_JUDGE,
        required=False,
        help_text="Of the pilot: one that has run on its SCUs and on the STUs.",
    )
    rounds = Whole(min_value=2, max_value=MOST_ROUNDS, required=False)
    seed = Whole(max_value=MOST_SEED, required=False)


class BudgetPlanSerializer(serializers.ModelSerializer[BudgetPlan]):
    name = serializers.CharField(source="__str__", read_only=True)
    asked = serializers.DictField(read_only=True)
    stus = serializers.IntegerField(source="stus_id", read_only=True, allow_null=True)
    scus = serializers.IntegerField(source="scus_id", read_only=True, allow_null=True)
    pilot = serializers.IntegerField(source="pilot_id", read_only=True, allow_null=True)
    chosen = serializers.CharField(read_only=True, help_text="Key of the plan that was taken.")
    unit_set = serializers.IntegerField(source="unit_set_id", read_only=True, allow_null=True)
    campaign = serializers.IntegerField(source="campaign_id", read_only=True, allow_null=True)
    job = JobSerializer(read_only=True, allow_null=True)

    class Meta:
        model = BudgetPlan
        fields: tuple[str, ...] = (
            "id",
            "name",
            "asked",
            "stus",
            "scus",
            "pilot",
            "is_ready",
            "chosen",
            "unit_set",
            "campaign",
            "job",
            "created_at",
            "chosen_at",
        )
        read_only_fields = fields


class BudgetPlanDetailSerializer(BudgetPlanSerializer):
    frontier = serializers.DictField(
        read_only=True, help_text="Plans that no other beats; empty until ready."
    )
    work = serializers.DictField(
        read_only=True, help_text="Examples that are scored, and those that people judge, by id."
    )

    class Meta(BudgetPlanSerializer.Meta):
        fields = (*BudgetPlanSerializer.Meta.fields, "frontier", "work")
        read_only_fields = fields


class ApplyPlanSerializer(Strict):
    key = Line(max_length=80, help_text="Of one of the frontier's plans.")
    name = Line(max_length=80, required=False, help_text="Of the draft set and campaign.")
    author = Whole(min_value=1, required=False, help_text="Id of the member who writes.")
    stus = Whole(min_value=1, required=False, help_text="If the plan was asked without any.")


class LookBackSerializer(serializers.Serializer[Any]):
    labels = serializers.IntegerField(help_text="Of the full SCUs.")
    judge = serializers.CharField(help_text=f"Of 'human': {NEAREST_LABELS}")
    found = serializers.DictField(help_text="By level and measure: the plan, random, the gain.")


class QuoteSerializer(serializers.Serializer[Any]):
    summaries = serializers.IntegerField()
    hits = serializers.IntegerField()
    assignments = serializers.IntegerField()
    rewards = serializers.CharField()
    fees = serializers.CharField()
    total = serializers.CharField()
    hours = serializers.FloatField(help_text="Of writing: none.")
    is_exact = serializers.BooleanField(help_text="Whether all units are written.")
