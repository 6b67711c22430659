"""What REST takes and tells about scores of metrics."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.http import StreamingHttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpora.projects.models import Role
from annotation.corpora.rest import PAGED, CheckedSerializer, CheckOnly, Line, ProjectView, page_of
from annotation.corpora.serializers import JobSerializer
from annotation.crowd.campaigns.requests import Strict
from annotation.crowd.campaigns.views import csv_response
from annotation.evaluation.judges.queries import list_learned_scores
from annotation.evaluation.labels.serializers import LONGEST_NAME, ScoreRowSerializer, read_name
from annotation.evaluation.metrics import files, names, service
from annotation.evaluation.metrics.models import ScoreSet
from annotation.evaluation.metrics.queries import (
    check_column,
    get_ready_scores,
    get_score_set,
    list_score_sets,
    list_system_scores,
    stream_scores,
)
from annotation.evaluation.metrics.sources import list_score_sources
from annotation.evaluation.runs.models import LONGEST_DISPLAY_NAME
from annotation.evaluation.runs.serializers import LearnedSerializer
from annotation.translation import gettext_lazy
from annotation.units.files.api import RefusedFile
from scoring.metrics import METRICS, list_options

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


COLUMN = {"type": "string", "maxLength": LONGEST_NAME}


class Metrics(ProjectView):
    @extend_schema(operation_id="list_metrics", responses={200: MetricSerializer(many=True)})
    def get(self, request: Request, slug: str) -> Response:
        """List the available metrics with their options."""
        return Response(MetricSerializer([_describe(name) for name in METRICS], many=True).data)


def _describe(name: str) -> dict[str, Any]:
    options = [asdict(option) for option in list_options(name)]
    return {"name": name, "what": METRICS[name].what, "options": options}


class ScoreSets(ProjectView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(
        operation_id="list_score_sets",
        parameters=PAGED,
        responses={200: page_of(ScoreSetSerializer)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """List score sets, newest first."""
        return self.paged(list_score_sets(self.project), ScoreSetSerializer)

    @extend_schema(
        operation_id="score_metric",
        request=NewScoresSerializer,
        responses={202: ScoreSetSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Start a job that computes a metric for all summaries."""
        form = NewScoresSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        made = service.score_metric(project=self.project, user=self.user, **form.validated_data)
        return Response(ScoreSetSerializer(made).data, status=202)


class ImportScores(ProjectView):
    roles = {"POST": Role.EDITOR}
    parser_classes = [MultiPartParser]

    @extend_schema(
        operation_id="import_scores",
        request={"multipart/form-data": NewScoreFileSerializer},
        responses={200: CheckedSerializer, 202: ScoreSetSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Import a file of scores, all or nothing. 409 `refused` lists its `problems`."""
        form = NewScoreFileSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        data = form.validated_data
        named = (name.strip() for name in data.get("lower", "").split(","))
        outcome = files.import_uploaded_scores(
            project=self.project,
            user=self.user,
            files=[(data["file"].name, data["file"].chunks())],
            name=data.get("name", ""),
            lower=[name for name in named if name],
            flagged=data["flagged"],
            check=data["check"],
        )
        if outcome.checked is not None:
            return Response({"checked": outcome.checked})
        if outcome.score_set is None:
            raise RefusedFile(outcome.problems)
        return Response(ScoreSetSerializer(outcome.score_set).data, status=202)


class ScoreSetDetail(ProjectView):
    roles = {"DELETE": Role.EDITOR}

    @extend_schema(operation_id="get_score_set", responses={200: ScoreSetSerializer})
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """A score set and the progress of its job."""
        return Response(ScoreSetSerializer(get_score_set(self.project, pk)).data)

    @extend_schema(operation_id="delete_score_set", responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Delete a finished score set; stored scores of texts stay."""
        found = get_score_set(self.project, pk)
        service.delete_score_set(score_set=found, user=self.user)
        return Response(status=204)


class ScoreSetSystems(ProjectView):
    @extend_schema(
        operation_id="get_system_scores",
        parameters=[
            OpenApiParameter("column", COLUMN, description=gettext_lazy("Default: the first."))
        ],
        responses={200: MetricSystemsSerializer},
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Each system's mean in one column with its interval, best first."""
        found = get_ready_scores(self.project, pk)
        column = found.columns[check_column(found, read_name(request, "column"))]
        said = {
            "column": column,
            "is_lower_better": column in found.lower,
            "rows": list_system_scores(found, column),
            "signature": found.signature,
        }
        return Response(MetricSystemsSerializer(said).data)


class DownloadScores(ProjectView):
    @extend_schema(
        operation_id="download_scores", responses={(200, "text/csv"): OpenApiTypes.BINARY}
    )
    def get(self, request: Request, slug: str, pk: int) -> StreamingHttpResponse:
        """All scores as CSV, streamed: doc_id, system, metric, score."""
        found = get_ready_scores(self.project, pk)
        return csv_response(stream_scores(found), f"scores-{pk}.csv")


class ScoreSources(ProjectView):
    @extend_schema(
        operation_id="list_score_sources", responses={200: ScoreSourceSerializer(many=True)}
    )
    def get(self, request: Request, slug: str) -> Response:
        """List all scores that can be compared: human, judges' and metrics'."""
        return Response(ScoreSourceSerializer(list_score_sources(self.project), many=True).data)


class NameSource(ProjectView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(
        operation_id="name_score_source",
        request=NameSourceSerializer,
        responses={200: ScoreSourceSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Set the display name of a metric or run in tables, figures and reports."""
        form = NameSourceSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        found = names.name_source(project=self.project, user=self.user, **form.validated_data)
        return Response(ScoreSourceSerializer(found).data)
