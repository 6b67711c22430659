"""What REST takes and tells about scores of metrics."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotation.corpora.api.fields import CheckOnly, Line
from annotation.corpora.api.serializers import JobSerializer
from annotation.crowd.api.strict import Strict
from annotation.evaluation.api.learned import LearnedSerializer
from annotation.evaluation.api.serializers import ScoreRowSerializer
from annotation.evaluation.models import ScoreSet
from annotation.evaluation.models.runs import LONGEST_DISPLAY_NAME
from annotation.evaluation.selectors.learned import list_learned_scores
from annotation.translation import gettext as _
from annotation.translation import gettext_lazy
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
            _(
                "Expected a text of at most {longest_option} characters, a number, true or false."
            ).format(longest_option=LONGEST_OPTION)
        )

    def to_representation(self, value: Any) -> Any:
        return value


class MetricOptionSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    default = OptionValue(help_text=gettext_lazy("Same type as the option."))
    what = serializers.CharField()
    choices = serializers.ListField(
        child=OptionValue(), help_text=gettext_lazy("Empty if any value of the type is allowed.")
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
        help_text=gettext_lazy("Values by name; defaults for the rest."),
    )
    systems = serializers.ListField(
        child=Line(max_length=200),
        required=False,
        max_length=1000,
        help_text=gettext_lazy("Default: all."),
    )
    note = Line(max_length=300, required=False, allow_blank=True)


class NewScoreFileSerializer(serializers.Serializer[Any]):
    file = serializers.FileField(
        allow_empty_file=True,
        help_text=gettext_lazy("CSV, TSV, Excel or JSONL, one score per line."),
    )
    name = Line(
        max_length=100,
        required=False,
        allow_blank=True,
        help_text=gettext_lazy("Default: the file's name."),
    )
    lower = Line(
        max_length=2000,
        required=False,
        allow_blank=True,
        help_text=gettext_lazy("Metrics where lower is better, separated by commas."),
    )
    flagged = serializers.BooleanField(
        required=False, default=True, help_text=gettext_lazy("False skips flagged rows.")
    )
    check = CheckOnly()


class ScoreSetSerializer(serializers.ModelSerializer[ScoreSet]):
    options = serializers.DictField(read_only=True)
    systems = serializers.ListField(child=serializers.CharField(), read_only=True)
    columns = serializers.ListField(child=serializers.CharField(), read_only=True)
    lower = serializers.ListField(
        child=serializers.CharField(),
        read_only=True,
        help_text=gettext_lazy("Columns where lower is better."),
    )
    display_names = serializers.DictField(
        child=serializers.CharField(),
        read_only=True,
        help_text=gettext_lazy("Display names by column, if set."),
    )
    counts = serializers.DictField(
        child=serializers.IntegerField(),
        read_only=True,
        help_text=gettext_lazy("Empty until ready."),
    )
    import_notes = serializers.ListField(
        child=serializers.CharField(),
        read_only=True,
        help_text=gettext_lazy("Flags and columns of the file that were not imported as scores."),
    )
    learned = serializers.SerializerMethodField()
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
            "learned",
            "is_ready",
            "job",
            "created_at",
        )
        read_only_fields = fields

    @extend_schema_field(LearnedSerializer(many=True))
    def get_learned(self, score_set: ScoreSet) -> Any:
        """The scores themselves if their figures are in-sample, and nothing otherwise."""
        return LearnedSerializer(list_learned_scores([score_set]), many=True).data


class MetricSystemsSerializer(serializers.Serializer[Any]):
    column = serializers.CharField()
    is_lower_better = serializers.BooleanField()
    rows = ScoreRowSerializer(many=True)
    signature = serializers.CharField()


class NameSourceSerializer(Strict):
    key = Line(
        max_length=200, help_text=gettext_lazy("Of a metric or run, from `list_score_sources`.")
    )
    name = Line(
        max_length=LONGEST_DISPLAY_NAME,
        allow_blank=True,
        help_text=gettext_lazy("Empty resets it."),
    )


class ScoreSourceSerializer(serializers.Serializer[Any]):
    key = serializers.CharField()
    kind = serializers.ChoiceField(choices=["metric", "people", "judge"])
    name = serializers.CharField()
    title = serializers.CharField()
    is_lower_better = serializers.BooleanField()
    signature = serializers.CharField()
    content_hash = serializers.CharField()
