"""What REST takes and tells about curves and plans for a budget."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotation.corpora.rest import Line
from annotation.corpora.serializers import JobSerializer
from annotation.crowd.campaigns.models import ProviderName
from annotation.crowd.campaigns.requests import UP_TO_100, Dollars, Strict
from annotation.evaluation.judges.api import Number
from annotation.evaluation.judges.queries import read_learned_sources
from annotation.evaluation.planning.asked import (
    MOST_HOURS,
    MOST_MINUTES,
    MOST_ROUNDS,
    MOST_SYSTEMS,
    MOST_UNITS,
)
from annotation.evaluation.planning.curves import (
    LEAST_SEEDS,
    MOST_BOOTSTRAP,
    MOST_SEED,
    MOST_SEEDS,
    STEPS,
)
from annotation.evaluation.planning.forms import GOALS, WIDTH
from annotation.evaluation.planning.models import BudgetPlan, CurveRun
from annotation.evaluation.runs.requests import LONGEST_JUDGE
from annotation.evaluation.runs.serializers import LearnedSerializer
from annotation.translation import format_lazy, gettext_lazy
from annotation.units.serializers import Whole
from annotation.units.stus.regressors import count_ranked
from scoring.measured_coverage import CURVE_GAIN, say_departures
from scoring.planning.plans import DIFFERENCE
from scoring.planning.presence import NEAREST_LABELS


class NewCurvesSerializer(Strict):
    labels = Whole(min_value=1, help_text=gettext_lazy("Human labels of SCUs."))
    stus = Whole(
        min_value=1, help_text=gettext_lazy("A frozen set of STUs of the same references.")
    )
    judge = Line(
        max_length=LONGEST_JUDGE,
        required=False,
        help_text=format_lazy(
            gettext_lazy("A judge with runs on both sets. Default: {nearest_labels}"),
            nearest_labels=NEAREST_LABELS,
        ),
    )
    step = serializers.ChoiceField(choices=STEPS, required=False, help_text="Percent.")
    seeds = Whole(
        min_value=LEAST_SEEDS,
        max_value=MOST_SEEDS,
        required=False,
        help_text=gettext_lazy("Random orders."),
    )
    bootstrap = Whole(
        min_value=1,
        max_value=MOST_BOOTSTRAP,
        required=False,
        help_text=gettext_lazy("Resamples of examples."),
    )
    seed = Whole(max_value=MOST_SEED, required=False)


class CurvesSerializer(serializers.ModelSerializer[CurveRun]):
    labels = serializers.IntegerField(source="label_set_id", read_only=True, allow_null=True)
    stus = serializers.IntegerField(source="stus_id", read_only=True)
    sources = serializers.DictField(read_only=True, help_text=gettext_lazy("Sources, by name."))
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


class SharedReferencesSerializer(serializers.Serializer[Any]):
    model = serializers.CharField(help_text=gettext_lazy("The regressor."))
    met = serializers.IntegerField(
        help_text=gettext_lazy("Examples whose references it was trained on.")
    )
    examples = serializers.IntegerField(help_text=gettext_lazy("Examples that it ranked."))


class CurvesDetailSerializer(CurvesSerializer):
    found = serializers.DictField(
        read_only=True,
        help_text=gettext_lazy(
            "Curves by order, level and measure, and gains over random; empty until ready."
        ),
    )

    regressor_references = serializers.SerializerMethodField()
    coverage = serializers.SerializerMethodField()

    class Meta(CurvesSerializer.Meta):
        fields = (*CurvesSerializer.Meta.fields, "found", "regressor_references", "coverage")
        read_only_fields = fields

    @extend_schema_field(SharedReferencesSerializer(allow_null=True))
    def get_regressor_references(self, curves: CurveRun) -> Any:
        """How many examples the regressor was trained on; null without a regressor."""
        shared = count_ranked(curves.stus)
        return None if shared is None else SharedReferencesSerializer(shared).data

    @extend_schema_field(serializers.CharField())
    def get_coverage(self, curves: CurveRun) -> str:
        """How often such intervals hold in simulated studies, if not in 93 to 97 %."""
        return say_departures(CURVE_GAIN)


class NewBudgetSerializer(Strict):
    """A budget and a goal; what is left out is as the project is."""

    money = Dollars(
        required=False, help_text=gettext_lazy("For HITs, including fees; default: no limit.")
    )
    hours = Number(
        min_value=0,
        max_value=MOST_HOURS,
        required=False,
        help_text=gettext_lazy("Hours of writing; default: no limit."),
    )
    goal = serializers.ChoiceField(choices=list(GOALS), required=False)
    target = Number(
        min_value=0.001,
        max_value=0.999,
        required=False,
        help_text=format_lazy(
            gettext_lazy("The width (default {width}) or the difference (default {difference})."),
            width=WIDTH,
            difference=DIFFERENCE,
        ),
    )
    power = Number(min_value=0.01, max_value=0.99, required=False)
    examples = Whole(
        min_value=1,
        required=False,
        help_text=gettext_lazy("Maximum; never more than the project has."),
    )
    systems = Whole(min_value=2, max_value=MOST_SYSTEMS, required=False)
    minutes_per_scu = Number(
        min_value=0,
        max_value=MOST_MINUTES,
        required=False,
        help_text=gettext_lazy("Default: as measured in the project."),
    )
    provider = serializers.ChoiceField(choices=ProviderName.choices, required=False)
    reward = Dollars(UP_TO_100, required=False)
    units_per_hit = Whole(min_value=1, max_value=MOST_UNITS, required=False)
    stus = Whole(
        min_value=1,
        required=False,
        help_text=gettext_lazy("Their ranking decides which sentences people write."),
    )
    scus = Whole(
        min_value=1,
        required=False,
        allow_null=True,
        help_text=gettext_lazy("Existing SCUs; default: the newest set with SCUs; null for none."),
    )
    pilot = Whole(
        min_value=1, required=False, help_text=gettext_lazy("Labels to base the simulation on.")
    )
    judge = Line(
        max_length=LONGEST_JUDGE,
        required=False,
        help_text=gettext_lazy("A judge with runs on the pilot's SCUs and the STUs."),
    )
    rounds = Whole(min_value=2, max_value=MOST_ROUNDS, required=False)
    seed = Whole(max_value=MOST_SEED, required=False)


class BudgetPlanSerializer(serializers.ModelSerializer[BudgetPlan]):
    name = serializers.CharField(source="__str__", read_only=True)
    asked = serializers.DictField(read_only=True)
    stus = serializers.IntegerField(source="stus_id", read_only=True, allow_null=True)
    scus = serializers.IntegerField(source="scus_id", read_only=True, allow_null=True)
    pilot = serializers.IntegerField(source="pilot_id", read_only=True, allow_null=True)
    chosen = serializers.CharField(
        read_only=True, help_text=gettext_lazy("Key of the plan in use.")
    )
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
        read_only=True, help_text=gettext_lazy("Plans that no other plan beats; empty until ready.")
    )
    work = serializers.DictField(
        read_only=True,
        help_text=gettext_lazy("IDs of examples to score, and of those that people judge."),
    )

    class Meta(BudgetPlanSerializer.Meta):
        fields = (*BudgetPlanSerializer.Meta.fields, "frontier", "work")
        read_only_fields = fields


class ApplyPlanSerializer(Strict):
    key = Line(max_length=80, help_text=gettext_lazy("Key of a plan on the frontier."))
    name = Line(
        max_length=80, required=False, help_text=gettext_lazy("Name of the draft set and campaign.")
    )
    author = Whole(
        min_value=1, required=False, help_text=gettext_lazy("ID of the member who writes.")
    )
    stus = Whole(
        min_value=1,
        required=False,
        help_text=gettext_lazy("Needed if the budget was created without STUs."),
    )


class LookBackSerializer(serializers.Serializer[Any]):
    labels = serializers.IntegerField(help_text=gettext_lazy("Labels of the full SCUs."))
    judge = serializers.CharField(
        help_text=format_lazy(
            gettext_lazy("For 'human': {nearest_labels}"), nearest_labels=NEAREST_LABELS
        )
    )
    found = serializers.DictField(
        help_text=gettext_lazy("By level and measure: plan, random, gain.")
    )
    coverage = serializers.CharField(
        allow_blank=True,
        help_text=gettext_lazy(
            "How often such intervals hold in simulated studies, if not in 93 to 97 %."
        ),
    )


class QuoteSerializer(serializers.Serializer[Any]):
    summaries = serializers.IntegerField()
    hits = serializers.IntegerField()
    assignments = serializers.IntegerField()
    rewards = serializers.CharField()
    fees = serializers.CharField()
    total = serializers.CharField()
    hours = serializers.FloatField(help_text=gettext_lazy("Hours of writing: 0."))
    is_exact = serializers.BooleanField(
        help_text=gettext_lazy("Whether all units have been written.")
    )
