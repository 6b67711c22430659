"""REST: metrics, scores by them, scores from files, and all scores that can be compared."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpora.api.base import ProjectView, page_of
from annotation.corpora.api.fields import CheckedSerializer
from annotation.corpora.api.parameters import PAGED
from annotation.corpora.models import Role
from annotation.crowd.views.campaigns import csv_response
from annotation.evaluation import services
from annotation.evaluation.api.parameters import LONGEST_NAME, read_name
from annotation.evaluation.api.score_serializers import (
    MetricSerializer,
    MetricSystemsSerializer,
    NameSourceSerializer,
    NewScoreFileSerializer,
    NewScoresSerializer,
    ScoreSetSerializer,
    ScoreSourceSerializer,
)
from annotation.evaluation.selectors.score_sources import list_score_sources
from annotation.evaluation.selectors.score_tables import (
    check_column,
    get_ready_scores,
    get_score_set,
    list_score_sets,
    list_system_scores,
    stream_scores,
)
from annotation.translation import gettext_lazy
from annotation.units.api.files import RefusedFile
from scoring.metrics import METRICS, list_options

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
        made = services.score_metric(project=self.project, user=self.user, **form.validated_data)
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
        outcome = services.import_uploaded_scores(
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
        services.delete_score_set(score_set=found, user=self.user)
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
        found = services.name_source(project=self.project, user=self.user, **form.validated_data)
        return Response(ScoreSourceSerializer(found).data)
