"""What REST takes and tells about scores of metrics."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotation.corpora.api.fields import CheckOnly, Line
from annotation.corpora.api.serializers import JobSerializer
from annotation.crowd.api.strict import Strict
from annotation.evaluation.api.serializers import ScoreRowSerializer
from annotation.evaluation.models import ScoreSet
from annotation.evaluation.models.runs import LONGEST_DISPLAY_NAME
from scoring.metrics import METRICS

LONGEST_OPTION = 200


@extend_schema_field(
    {
        "oneOf": [
            {"type": "string", "maxLength": LONGEST_OPTION},
            {"type": "number"},
            {"type": "boolean"},
        ]
    }
)
class OptionValue(serializers.Field[Any, Any, Any, Any]):
    """A text, a number, or whether."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, str | int | float) and len(str(data)) <= LONGEST_OPTION:
            return data
        raise serializers.ValidationError(
            f"Expected a text of at most {LONGEST_OPTION} characters, a number, true or false."
        )

    def to_representation(self, value: Any) -> Any:
        return value


class MetricOptionSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    default = OptionValue(help_text="Its type is the option's.")
    what = serializers.CharField()
    choices = serializers.ListField(
        child=OptionValue(), help_text="Empty if any value of the type will do."
    )


class MetricSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    what = serializers.CharField()
    options = MetricOptionSerializer(many=True)


class NewScoresSerializer(Strict):
    metric = serializers.ChoiceField(choices=list(METRICS))
    options = serializers.DictField(
        child=OptionValue(),
        required=False,
        help_text="Values by name; what is left out is as usual.",
    )
    systems = serializers.ListField(
        child=Line(max_length=200), required=False, max_length=1000, help_text="All if left out."
    )
    note = Line(max_length=300, required=False, allow_blank=True)


class NewScoreFileSerializer(serializers.Serializer[Any]):
    file = serializers.FileField(
        allow_empty_file=True, help_text="CSV, TSV, Excel or JSONL, a score a line."
    )
    name = Line(
        max_length=100, required=False, allow_blank=True, help_text="The file's if left out."
    )
    lower = Line(
        max_length=2000,
        required=False,
        allow_blank=True,
        help_text="Metrics in which less is better, parted by commas.",
    )
    flagged = serializers.BooleanField(
        required=False, default=True, help_text="False leaves out rows that the file warns of."
    )
    check = CheckOnly()


class ScoreSetSerializer(serializers.ModelSerializer[ScoreSet]):
    options = serializers.DictField(read_only=True)
    systems = serializers.ListField(child=serializers.CharField(), read_only=True)
    columns = serializers.ListField(child=serializers.CharField(), read_only=True)
    lower = serializers.ListField(
        child=serializers.CharField(), read_only=True, help_text="Columns in which less is better."
    )
    display_names = serializers.DictField(
        child=serializers.CharField(), read_only=True, help_text="By column, where one was given."
    )
    counts = serializers.DictField(
        child=serializers.IntegerField(), read_only=True, help_text="Empty until they are ready."
    )
    import_notes = serializers.ListField(
        child=serializers.CharField(),
        read_only=True,
        help_text="Flags and columns of the file that are not part of the scores.",
    )
    job = JobSerializer(read_only=True, allow_null=True)

    class Meta:
        model = ScoreSet
        fields = (
            "id",
            "name",
            "origin",
            "metric",
            "options",
            "systems",
            "columns",
            "lower",
            "display_names",
            "counts",
            "signature",
            "content_hash",
            "note",
            "import_notes",
            "is_ready",
            "job",
            "created_at",
        )
        read_only_fields = fields


class MetricSystemsSerializer(serializers.Serializer[Any]):
    column = serializers.CharField()
    is_lower_better = serializers.BooleanField()
    rows = ScoreRowSerializer(many=True)
    signature = serializers.CharField()


class NameSourceSerializer(Strict):
    key = Line(max_length=200, help_text="Of a metric or a run, as `list_score_sources` has it.")
    name = Line(
        max_length=LONGEST_DISPLAY_NAME, allow_blank=True, help_text="Empty takes it away again."
    )


class ScoreSourceSerializer(serializers.Serializer[Any]):
    key = serializers.CharField()
    kind = serializers.ChoiceField(choices=["metric", "people", "judge"])
    name = serializers.CharField()
    title = serializers.CharField()
    is_lower_better = serializers.BooleanField()
    signature = serializers.CharField()
    content_hash = serializers.CharField()
