"""Query parameters of labels and contested statements, and how they are read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request

from annotation.corpora.serializers import JobSerializer
from annotation.crowd.campaigns.serializers import AgreementSerializer, MoneyField
from annotation.errors import Invalid
from annotation.evaluation.labels.models import Decision, Drop, LabelSet, SummaryLabels
from annotation.evaluation.labels.people import UNKNOWN, WorkerRow
from annotation.translation import gettext_lazy
from annotation.units.serializers import LARGEST

LARGEST_SEED = 2**32 - 1
LARGEST_SAMPLE = 10_000
LONGEST_NAME = 200


def whole(name: str, description: str, *, least: int = 1, most: int = LARGEST) -> OpenApiParameter:
    described = {"type": "integer", "minimum": least, "maximum": most}
    return OpenApiParameter(name, described, description=description)


def read_whole(request: Request, name: str, *, least: int = 1, most: int = LARGEST) -> int | None:
    """The number of that name, if there is one."""
    said = request.query_params.get(name)
    if said is None:
        return None
    if not (said.isascii() and said.isdigit() and len(said) < 20 and least <= int(said) <= most):
        raise Invalid(
            _("{name}: expected a whole number from {least} to {most}.").format(
                name=name, least=least, most=most
            )
        )
    return int(said)


def read_choice(request: Request, name: str, known: Iterable[str], default: str) -> str:
    said = request.query_params.get(name, default)
    if said not in (listed := list(known)):
        raise Invalid(
            _("{name}: '{said}' is unknown.").format(name=name, said=said[:40]),
            _("Use one of {listed}.").format(listed=", ".join(listed)),
        )
    return said


def read_name(request: Request, name: str) -> str:
    said = request.query_params.get(name, "")
    if len(said) > LONGEST_NAME:
        raise Invalid(
            _("{name}: expected at most {longest_name} characters.").format(
                name=name, longest_name=LONGEST_NAME
            )
        )
    return said


class LevelSerializer(serializers.Serializer[Any]):
    """The mean of alpha over groups; `undefined` ones have identical answers, `untold` too few."""

    alpha = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    groups = serializers.IntegerField()
    undefined = serializers.IntegerField()
    untold = serializers.IntegerField()


class AgreementReportSerializer(serializers.Serializer[Any]):
    undefined = serializers.CharField()
    pooled = AgreementSerializer()
    by_summary = LevelSerializer()
    by_document = LevelSerializer()
    by_system = LevelSerializer()
    percent = serializers.FloatField(allow_null=True)
    fleiss_kappa = serializers.FloatField(allow_null=True)


class SystemAlphaSerializer(serializers.Serializer[Any]):
    system = serializers.CharField()
    alpha = serializers.FloatField(allow_null=True)


class DropCountSerializer(serializers.Serializer[Any]):
    rule = serializers.CharField()
    assignments = serializers.IntegerField()
    answers = serializers.IntegerField()
    workers = serializers.IntegerField()


class SystemScoreSerializer(serializers.Serializer[Any]):
    system = serializers.CharField()
    score = serializers.FloatField(allow_null=True)
    summaries = serializers.IntegerField()


class VarianceComponentSerializer(serializers.Serializer[Any]):
    factor = serializers.CharField()
    levels = serializers.IntegerField()
    variance = serializers.FloatField()
    share = serializers.FloatField()


class ResampledMeanSerializer(serializers.Serializer[Any]):
    """`drawn` names what was resampled: documents, or documents and annotators."""

    name = serializers.CharField()
    drawn = serializers.ListField(child=serializers.CharField())
    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)


class AnnotatorEffectSerializer(serializers.Serializer[Any]):
    """`ratio` compares standard errors with and without annotators; null for the `reason` given."""

    judgements = serializers.IntegerField()
    annotators = serializers.IntegerField()
    components = VarianceComponentSerializer(many=True)
    left_out = serializers.DictField(child=serializers.CharField())
    ratio = serializers.FloatField(allow_null=True)
    false_positives = serializers.FloatField(allow_null=True)
    reason = serializers.CharField(allow_blank=True)
    is_overstated = serializers.BooleanField()
    systems = ResampledMeanSerializer(many=True)


class FiguresSerializer(serializers.Serializer[Any]):
    """Imported labels have no answers and therefore no agreement."""

    counts = serializers.DictField(child=serializers.IntegerField())
    agreement = AgreementReportSerializer(allow_null=True, default=None)
    by_system = SystemAlphaSerializer(many=True, default=list)
    drops = DropCountSerializer(many=True, default=list)
    systems = SystemScoreSerializer(many=True)
    annotators = AnnotatorEffectSerializer(allow_null=True, default=None)


class LabelSetSerializer(serializers.ModelSerializer[LabelSet]):
    recipe = serializers.DictField(read_only=True)
    figures = serializers.SerializerMethodField()
    job = JobSerializer(read_only=True, allow_null=True)

    class Meta:
        model = LabelSet
        fields = (
            "id",
            "unit_set",
            "version",
            "origin",
            "campaigns",
            "recipe",
            "note",
            "is_ready",
            "answers_hash",
            "content_hash",
            "signature",
            "figures",
            "job",
            "created_at",
        )
        read_only_fields = fields

    @extend_schema_field(FiguresSerializer(allow_null=True))
    def get_figures(self, label_set: LabelSet) -> Any:
        """Null until the labels are ready."""
        return FiguresSerializer(label_set.figures).data if label_set.is_ready else None


class SystemChangeSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    before = serializers.FloatField(allow_null=True)
    after = serializers.FloatField(allow_null=True)
    rank_before = serializers.IntegerField()
    rank_after = serializers.IntegerField()


class WhatIfAnswerSerializer(serializers.Serializer[Any]):
    """Compared with the majority of all answers."""

    campaigns = serializers.ListField(child=serializers.IntegerField())
    recipe = serializers.DictField()
    counts = serializers.DictField(child=serializers.IntegerField())
    agreement = AgreementReportSerializer()
    agreement_before = AgreementReportSerializer()
    by_system = SystemAlphaSerializer(many=True)
    drops = DropCountSerializer(many=True)
    labels_changed = serializers.IntegerField()
    systems = SystemChangeSerializer(many=True)


class SummaryLabelsSerializer(serializers.ModelSerializer[SummaryLabels]):
    """In the order of the example's units. Null where there are no answers."""

    example = serializers.CharField(source="summary.example.key", read_only=True)
    system = serializers.CharField(source="summary.system.name", read_only=True)
    labels = serializers.ListField(child=serializers.IntegerField(allow_null=True))
    posteriors = serializers.ListField(child=serializers.FloatField(allow_null=True))
    votes = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField()),
        help_text=gettext_lazy("Number of answers absent and number of answers present."),
    )
    expert = serializers.ListField(
        child=serializers.IntegerField(),
        help_text=gettext_lazy("Positions decided by an expert, counted from 0."),
    )

    class Meta:
        model = SummaryLabels
        fields = ("summary", "example", "system", "labels", "posteriors", "votes", "expert")
        read_only_fields = fields


class DropSerializer(serializers.ModelSerializer[Drop]):
    worker = serializers.SerializerMethodField()
    example = serializers.CharField(source="assignment.hit.summary.example.key")
    system = serializers.CharField(source="assignment.hit.summary.system.name")

    class Meta:
        model = Drop
        fields = ("assignment", "worker", "example", "system", "rule", "reason")
        read_only_fields = fields

    def get_worker(self, drop: Drop) -> str:
        worker = drop.assignment.worker
        return UNKNOWN if worker is None else self.context["names"].name(worker.provider_id)


class ScoreRowSerializer(serializers.Serializer[Any]):
    system = serializers.CharField()
    kind = serializers.CharField()
    score = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    documents = serializers.IntegerField()
    rank = serializers.IntegerField()


class PairRowSerializer(serializers.Serializer[Any]):
    first = serializers.CharField()
    second = serializers.CharField()
    difference = serializers.FloatField()
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    effect = serializers.FloatField(
        allow_null=True, help_text=gettext_lazy("Cohen's d of paired scores.")
    )
    p_bootstrap = serializers.FloatField()
    p_permutation = serializers.FloatField()
    p_low = serializers.FloatField(
        help_text=gettext_lazy("Interval of the p value of all possible swaps.")
    )
    p_high = serializers.FloatField()
    swaps = serializers.IntegerField(help_text=gettext_lazy("Number of random swaps."))
    holm = serializers.FloatField()
    is_settled = serializers.BooleanField(
        help_text=gettext_lazy("Whether more swaps can't change the result.")
    )
    is_separable = serializers.BooleanField()


class ScoresSerializer(serializers.Serializer[Any]):
    """Systems from best to worst, and every pair of them, the better one first."""

    method = serializers.CharField()
    sample = serializers.IntegerField(allow_null=True)
    seed = serializers.IntegerField()
    rows = ScoreRowSerializer(many=True)
    pairs = PairRowSerializer(many=True)
    signature = serializers.CharField()


class DecisionSerializer(serializers.ModelSerializer[Decision]):
    worker_name = serializers.SerializerMethodField(
        help_text=gettext_lazy("Name of the worker that the decision is about.")
    )
    made_by = serializers.CharField(source="made_by.name", default="", read_only=True)

    class Meta:
        model = Decision
        fields = (
            "id",
            "worker",
            "worker_name",
            "assignment",
            "verdict",
            "reason",
            "made_by",
            "made_at",
        )
        read_only_fields = fields

    def get_worker_name(self, decision: Decision) -> str:
        worker = decision.assignment.worker if decision.assignment else decision.worker
        return UNKNOWN if worker is None else self.context["names"].name(worker.provider_id)


class WorkerFiguresSerializer(serializers.Serializer[Any]):
    """`agreement` is with the majority of the others, `departures` from the majority of all.

    `compared` and `judged` are the answers that these shares are taken over.
    """

    id = serializers.IntegerField(source="worker.pk")
    worker = serializers.CharField(source="worker.provider_id")
    hits = serializers.IntegerField()
    answers = serializers.IntegerField()
    present = serializers.FloatField(help_text=gettext_lazy("Share of answers “present”."))
    compared = serializers.IntegerField()
    agreement = serializers.FloatField(allow_null=True)
    judged = serializers.IntegerField()
    departures = serializers.FloatField(allow_null=True)
    seconds = serializers.FloatField(allow_null=True, help_text=gettext_lazy("Seconds per answer."))
    wage = MoneyField(
        decimal_places=2, allow_null=True, help_text=gettext_lazy("Dollars per hour.")
    )
    gold_asked = serializers.IntegerField()
    gold_right = serializers.IntegerField()
    decision = serializers.SerializerMethodField()

    def get_decision(self, row: WorkerRow) -> int | None:
        """The ID of the decision on the worker."""
        return row.decision.pk if row.decision else None


class SpreadSerializer(serializers.Serializer[Any]):
    """A mean over rounds, and the middle 95 % of them."""

    mean = serializers.FloatField()
    low = serializers.FloatField()
    high = serializers.FloatField()


class OutlookSerializer(serializers.Serializer[Any]):
    """`flips` is the share of labels that change, `rmse` the error of system scores, `tau`
    Kendall's tau between the rankings, `simulated` the mean number of simulated judges per
    summary."""

    judges = serializers.IntegerField()
    alpha = SpreadSerializer(allow_null=True)
    flips = SpreadSerializer()
    rmse = SpreadSerializer()
    tau = SpreadSerializer(allow_null=True)
    simulated = serializers.FloatField()


class CrowdSizesSerializer(serializers.Serializer[Any]):
    judges = serializers.FloatField(
        help_text=gettext_lazy("Mean number of answers per statement so far.")
    )
    most = serializers.IntegerField(
        help_text=gettext_lazy("Largest number of answers to a statement.")
    )
    rounds = serializers.IntegerField()
    seed = serializers.IntegerField()
    rows = OutlookSerializer(many=True)


class ScoresJobSerializer(serializers.Serializer[Any]):
    job = JobSerializer(
        allow_null=True, help_text=gettext_lazy("Null if the scores exist already.")
    )
