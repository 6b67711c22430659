"""What REST tells of statements to settle beside a run, and of those that were settled."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotation.evaluation.selectors.run_disagreements import Disagreement


class ReviewStatementSerializer(serializers.Serializer[Any]):
    """A statement to settle; `judge` and `people` are null until it is settled."""

    summary = serializers.IntegerField(source="summary.pk")
    example = serializers.CharField(source="summary.example.key")
    system = serializers.CharField(source="summary.system.name")
    summary_text = serializers.CharField(source="summary.text")
    unit = serializers.IntegerField(source="unit.pk")
    text = serializers.CharField(source="unit.text")
    present = serializers.BooleanField(
        source="adjudication.present", default=None, allow_null=True, help_text="As settled."
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
        help_text="The judge's accuracy by labels that are corrected only where settled."
    )
    settled = serializers.IntegerField()
    by_hand = serializers.IntegerField()
    drawn = serializers.DictField(child=serializers.IntegerField())
    population = serializers.DictField(child=serializers.IntegerField())
