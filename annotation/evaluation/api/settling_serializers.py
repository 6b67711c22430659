"""What REST tells of contested statements, statements to settle, and what was settled."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotation.evaluation.models import Adjudication
from annotation.evaluation.selectors.contested import Contested
from annotation.evaluation.selectors.run_disagreements import Disagreement
from annotation.translation import gettext_lazy


class ReviewStatementSerializer(serializers.Serializer[Any]):
    """A statement to review; `judge` and `people` are null until it is decided."""

    summary = serializers.IntegerField(source="summary.pk")
    example = serializers.CharField(source="summary.example.key")
    system = serializers.CharField(source="summary.system.name")
    summary_text = serializers.CharField(source="summary.text")
    unit = serializers.IntegerField(source="unit.pk")
    text = serializers.CharField(source="unit.text")
    present = serializers.BooleanField(
        source="adjudication.present",
        default=None,
        allow_null=True,
        help_text=gettext_lazy("The expert's decision."),
    )
    judge = serializers.SerializerMethodField()
    people = serializers.SerializerMethodField()

    def get_judge(self, row: Disagreement) -> float | None:
        return None if row.adjudication is None else row.value

    def get_people(self, row: Disagreement) -> int | None:
        return None if row.adjudication is None else row.label


class SettledShareSerializer(serializers.Serializer[Any]):
    """A share of all statements, with a 95 % interval."""

    value = serializers.FloatField()
    low = serializers.FloatField()
    high = serializers.FloatField()


class SettledAccuracySerializer(serializers.Serializer[Any]):
    """By the strata `differ` and `agree`; `judge` and `people` are null until both have a draw."""

    judge = SettledShareSerializer(allow_null=True)
    people = SettledShareSerializer(allow_null=True)
    uncorrected = serializers.FloatField(
        help_text=gettext_lazy(
            "The judge's accuracy if labels are corrected only where an expert decided."
        )
    )
    settled = serializers.IntegerField()
    by_hand = serializers.IntegerField()
    drawn = serializers.DictField(child=serializers.IntegerField())
    population = serializers.DictField(child=serializers.IntegerField())


class AdjudicationSerializer(serializers.ModelSerializer[Adjudication]):
    example = serializers.CharField(source="summary.example.key")
    system = serializers.CharField(source="summary.system.name")
    text = serializers.CharField(source="unit.text")
    expert = serializers.SerializerMethodField()
    draw = serializers.DictField(
        help_text=gettext_lazy(
            "If decided in the review of a run: stratum and its size, verdicts of judge and "
            "labels, and, if sampled, the sampling probability, agreements mixed in and seed."
        )
    )

    class Meta:
        model = Adjudication
        fields = (
            "id",
            "summary",
            "example",
            "system",
            "unit",
            "text",
            "present",
            "reason",
            "expert",
            "saw_verdicts",
            "draw",
            "made_at",
        )
        read_only_fields = fields

    def get_expert(self, row: Adjudication) -> str:
        return row.expert or (str(row.made_by) if row.made_by else "")


class ContestedAnswerSerializer(serializers.Serializer[Any]):
    assignment = serializers.IntegerField()
    worker = serializers.SerializerMethodField()
    present = serializers.BooleanField()
    kept = serializers.BooleanField()
    reason = serializers.CharField(help_text=gettext_lazy("Why the answer is excluded."))

    def get_worker(self, answer: dict[str, Any]) -> str:
        said: str = self.context["names"].name(answer["worker"])
        return said


class ContestedSerializer(serializers.Serializer[Any]):
    """A statement; `split` is 1 where the answers are evenly split."""

    summary = serializers.IntegerField(source="summary.pk")
    example = serializers.CharField(source="summary.example.key")
    system = serializers.CharField(source="summary.system.name")
    unit = serializers.IntegerField(source="unit.pk")
    text = serializers.CharField(source="unit.text")
    absent = serializers.IntegerField()
    present = serializers.IntegerField()
    label = serializers.SerializerMethodField()  # type: ignore[assignment]  # not the field's own
    split = serializers.FloatField()
    adjudication = serializers.IntegerField(source="adjudication.pk", default=None, allow_null=True)
    answers = ContestedAnswerSerializer(many=True)

    def get_label(self, row: Contested) -> int | None:
        return row.label if row.label >= 0 else None
