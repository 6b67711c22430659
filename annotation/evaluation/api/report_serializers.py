"""What REST takes and tells about reports."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotation.corpora.api.fields import Line
from annotation.corpora.api.serializers import JobSerializer
from annotation.crowd.api.strict import Strict
from annotation.evaluation.api.learned import LearnedSerializer
from annotation.evaluation.models import Report
from annotation.evaluation.models.reports import (
    LONGEST_COMMENTARY,
    LONGEST_TITLE,
    MOST_METRICS,
)
from annotation.evaluation.services.reports import TITLE
from annotation.translation import gettext_lazy
from annotation.units.api.fields import Flag, Whole
from scoring.metaeval.report.options import MOST_RESAMPLES, MOST_SEED
from scoring.metaeval.study import INPUTS

LONGEST_KEY = 200
MOST_SYSTEMS = 1000


class NewReportSerializer(Strict):
    human = Line(
        max_length=LONGEST_KEY,
        help_text=gettext_lazy("Key of human scores, from `list_score_sources`."),
    )
    metrics = serializers.ListField(
        child=Line(max_length=LONGEST_KEY),
        min_length=1,
        max_length=MOST_METRICS,
        help_text=gettext_lazy("Keys of the scores to compare with them."),
    )
    title = Line(max_length=LONGEST_TITLE, required=False, help_text=f"Default: '{TITLE}'.")
    commentary = serializers.CharField(
        max_length=LONGEST_COMMENTARY,
        required=False,
        allow_blank=True,
        help_text=gettext_lazy("Shown with the report; doesn't affect its numbers."),
    )
    systems = serializers.ListField(
        child=Line(max_length=255),
        max_length=MOST_SYSTEMS,
        required=False,
        help_text=gettext_lazy("Names; default: all."),
    )
    resamples = Whole(min_value=1, max_value=MOST_RESAMPLES, required=False)
    seed = Whole(max_value=MOST_SEED, required=False)
    inputs = serializers.ChoiceField(
        choices=INPUTS,
        required=False,
        help_text=gettext_lazy("Whether metrics use every example or only the judged ones."),
    )


class ReportSerializer(serializers.ModelSerializer[Report]):
    metrics = serializers.ListField(child=serializers.CharField(), read_only=True)
    systems = serializers.ListField(child=serializers.CharField(), read_only=True)
    sources = serializers.ListField(child=serializers.DictField(), read_only=True)
    options = serializers.DictField(read_only=True)
    learned = LearnedSerializer(
        many=True,
        read_only=True,
        help_text=gettext_lazy("Judges and metrics trained on these texts."),
    )
    is_shared = serializers.BooleanField(read_only=True)
    job = JobSerializer(read_only=True, allow_null=True)

    class Meta:
        model = Report
        fields: tuple[str, ...] = (
            "id",
            "title",
            "human",
            "metrics",
            "systems",
            "sources",
            "options",
            "learned",
            "commentary",
            "signature",
            "is_ready",
            "is_shared",
            "job",
            "created_at",
        )
        read_only_fields = fields


class ReportDetailSerializer(ReportSerializer):
    found = serializers.DictField(
        read_only=True,
        help_text=gettext_lazy("Numbers, data of figures and text; empty until ready."),
    )

    class Meta(ReportSerializer.Meta):
        fields = (*ReportSerializer.Meta.fields, "found")
        read_only_fields = fields


class CommentarySerializer(Strict):
    commentary = serializers.CharField(
        max_length=LONGEST_COMMENTARY,
        required=False,
        allow_blank=True,
        help_text=gettext_lazy("Unchanged if omitted."),
    )


class ShareSerializer(Strict):
    shared = Flag(help_text=gettext_lazy("Whether anyone with the link may read the report."))


class SharedSerializer(serializers.Serializer[Any]):
    shared = serializers.BooleanField()
    link = serializers.CharField(help_text=gettext_lazy("Empty if not shared."), allow_blank=True)
