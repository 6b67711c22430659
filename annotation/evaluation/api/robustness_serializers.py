"""What REST takes and tells about several metrics, disagreements and studies of robustness."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotation.corpora.api.fields import Line
from annotation.corpora.api.serializers import JobSerializer
from annotation.crowd.api.strict import Strict
from annotation.evaluation.api.score_serializers import ScoreSetSerializer, ScoreSourceSerializer
from annotation.evaluation.api.trained import Number
from annotation.evaluation.models import RobustnessStudy
from annotation.evaluation.services.robustness import (
    MOST_EXAMPLES,
    MOST_METRICS,
    MOST_SEED,
    MOST_SHARES,
)
from annotation.translation import gettext_lazy
from annotation.units.api.fields import Whole
from scoring.metrics import METRICS
from scoring.metrics.perturbations import PERTURBATIONS


class ManyMetricsSerializer(Strict):
    metrics = serializers.ListField(
        child=serializers.ChoiceField(choices=list(METRICS)),
        required=False,
        max_length=len(METRICS),
        help_text=gettext_lazy("Default: all that can be computed here."),
    )
    systems = serializers.ListField(
        child=Line(max_length=200),
        required=False,
        max_length=1000,
        help_text=gettext_lazy("Default: all."),
    )
    note = Line(max_length=300, required=False, allow_blank=True)


class LeftOutSerializer(serializers.Serializer[Any]):
    metric = serializers.CharField()
    why = serializers.CharField()


class BegunSerializer(serializers.Serializer[Any]):
    score_sets = ScoreSetSerializer(many=True)
    left_out = LeftOutSerializer(
        many=True, help_text=gettext_lazy("Metrics that can't be computed here.")
    )


class NewStudySerializer(Strict):
    metrics = serializers.ListField(
        child=serializers.ChoiceField(choices=list(METRICS)),
        required=False,
        min_length=1,
        max_length=MOST_METRICS,
        help_text=gettext_lazy("Default: ROUGE, ROUGE-WE and Sem-nCG."),
    )
    systems = serializers.ListField(
        child=Line(max_length=200),
        required=False,
        max_length=1000,
        help_text=gettext_lazy("Default: all."),
    )
    perturbation = serializers.ChoiceField(
        choices=list(PERTURBATIONS), required=False, help_text="Default: `synonyms`."
    )
    shares = serializers.ListField(
        child=Number(min_value=0.0001, max_value=1),
        required=False,
        min_length=1,
        max_length=MOST_SHARES,
        help_text=gettext_lazy(
            "Shares of the words, sentences, names or numbers to change, from 0 to 1."
        ),
    )
    examples = Whole(
        max_value=MOST_EXAMPLES,
        required=False,
        help_text=gettext_lazy("Number of examples, drawn at random; 0 for all."),
    )
    seed = Whole(max_value=MOST_SEED, required=False)
    note = Line(max_length=300, required=False, allow_blank=True)


class StudySerializer(serializers.ModelSerializer[RobustnessStudy]):
    metrics = serializers.ListField(child=serializers.CharField(), read_only=True)
    systems = serializers.ListField(child=serializers.CharField(), read_only=True)
    shares = serializers.ListField(child=serializers.FloatField(), read_only=True)
    examples = serializers.IntegerField(
        source="examples_wanted", read_only=True, help_text=gettext_lazy("0: all.")
    )
    job = JobSerializer(read_only=True, allow_null=True)

    class Meta:
        model = RobustnessStudy
        fields: tuple[str, ...] = (
            "id",
            "metrics",
            "systems",
            "perturbation",
            "shares",
            "examples",
            "seed",
            "signature",
            "content_hash",
            "note",
            "is_ready",
            "job",
            "created_at",
        )
        read_only_fields = fields


class StudyDetailSerializer(StudySerializer):
    found = serializers.DictField(
        read_only=True,
        help_text=gettext_lazy(
            "Score drop by column and share, with its interval; empty until ready."
        ),
    )

    class Meta(StudySerializer.Meta):
        fields = (*StudySerializer.Meta.fields, "found")
        read_only_fields = fields


class PairCountSerializer(serializers.Serializer[Any]):
    first = serializers.CharField()
    second = serializers.CharField()
    examples = serializers.IntegerField()
    agree = serializers.IntegerField()
    disagree = serializers.IntegerField()
    tied = serializers.IntegerField(help_text=gettext_lazy("At least one of the scores has a tie."))
    share = serializers.FloatField(
        allow_null=True, help_text=gettext_lazy("Examples on which they disagree.")
    )


class DisagreementsSerializer(serializers.Serializer[Any]):
    first = ScoreSourceSerializer()
    second = ScoreSourceSerializer()
    share = serializers.FloatField(allow_null=True, help_text=gettext_lazy("Share over all pairs."))
    pairs = PairCountSerializer(many=True)
