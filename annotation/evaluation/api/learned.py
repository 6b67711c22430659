"""What REST says of figures that are in-sample: a model was trained on the texts at hand."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotation.translation import gettext_lazy


class MetSerializer(serializers.Serializer[Any]):
    """How many of the texts the judge or metric was trained on."""

    is_known = serializers.BooleanField(
        help_text=gettext_lazy("False if the training texts aren't recorded.")
    )
    is_in_sample = serializers.BooleanField()
    summaries = serializers.IntegerField()
    all_summaries = serializers.IntegerField()
    units = serializers.IntegerField()
    all_units = serializers.IntegerField()


class LearnedSerializer(MetSerializer):
    """A run, or scores, whose figures are in-sample."""

    run = serializers.IntegerField(
        allow_null=True, help_text=gettext_lazy("Null for scores of a metric.")
    )
    scores = serializers.SerializerMethodField(
        help_text=gettext_lazy("ID of a metric's scores, or null.")
    )
    judge = serializers.CharField(help_text=gettext_lazy("The judge, or the metric."))
    can_hold_out = serializers.BooleanField(
        help_text=gettext_lazy("Whether `out-of-fold` is possible for it.")
    )

    @extend_schema_field(serializers.IntegerField(allow_null=True))
    def get_scores(self, row: dict[str, Any]) -> int | None:
        """Rows that earlier versions stored lack it."""
        found: int | None = row.get("scores")
        return found


class OutOfFoldSerializer(serializers.Serializer[Any]):
    """One of both: the run, or the judge in training whose end starts the run."""

    run = serializers.IntegerField(allow_null=True)
    judge = serializers.IntegerField(allow_null=True)
