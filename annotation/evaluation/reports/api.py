"""What REST takes and tells about reports.

- REST: reports on metrics, their figures and their link.
"""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse, StreamingHttpResponse
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpora.projects.models import Role
from annotation.corpora.rest import PAGED, Line, ProjectView, page_of
from annotation.corpora.serializers import JobSerializer
from annotation.crowd.campaigns.requests import Strict
from annotation.evaluation.labels.serializers import read_name
from annotation.evaluation.reports import service
from annotation.evaluation.reports.files import (
    figure_response,
    html_response,
    latex_response,
    scores_response,
)
from annotation.evaluation.reports.models import (
    LONGEST_COMMENTARY,
    LONGEST_TITLE,
    MOST_METRICS,
    Report,
)
from annotation.evaluation.reports.queries import (
    COLUMNS,
    FIGURE_FORMATS,
    MEDIA,
    get_ready_report,
    get_report,
    list_reports,
)
from annotation.evaluation.reports.service import TITLE
from annotation.evaluation.runs.serializers import LearnedSerializer
from annotation.translation import gettext_lazy
from annotation.units.serializers import Flag, Whole
from scoring.metaeval.report import FIGURES
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


class Reports(ProjectView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(
        operation_id="list_reports", parameters=PAGED, responses={200: page_of(ReportSerializer)}
    )
    def get(self, request: Request, slug: str) -> Response:
        """List reports, newest first."""
        return self.paged(list_reports(self.project), ReportSerializer)

    @extend_schema(
        operation_id="build_report",
        request=NewReportSerializer,
        responses={202: ReportDetailSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Start a report that compares metrics with human scores."""
        form = NewReportSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        made = service.build_report(project=self.project, user=self.user, **form.validated_data)
        return Response(ReportDetailSerializer(made).data, status=202)


class ReportDetail(ProjectView):
    roles = {"DELETE": Role.EDITOR, "PATCH": Role.EDITOR}

    @extend_schema(operation_id="get_report", responses={200: ReportDetailSerializer})
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """A report with all its numbers and text."""
        return Response(ReportDetailSerializer(get_report(self.project, pk)).data)

    @extend_schema(
        operation_id="comment_report",
        request=CommentarySerializer,
        responses={200: ReportDetailSerializer},
    )
    def patch(self, request: Request, slug: str, pk: int) -> Response:
        """Edit the commentary; the numbers and the signature don't change."""
        form = CommentarySerializer(data=request.data)
        form.is_valid(raise_exception=True)
        report = get_report(self.project, pk)
        if form.validated_data:
            service.comment_report(report=report, user=self.user, **form.validated_data)
        return Response(ReportDetailSerializer(report).data)

    @extend_schema(operation_id="delete_report", responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Delete a report; its link stops working."""
        service.delete_report(report=get_report(self.project, pk), user=self.user)
        return Response(status=204)


class ShareReport(ProjectView):
    roles = {"POST": Role.OWNER}

    @extend_schema(
        operation_id="share_report", request=ShareSerializer, responses={200: SharedSerializer}
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Create or revoke a link with which anyone can read the report without an account."""
        form = ShareSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        report = get_ready_report(self.project, pk)
        report = service.share_report(report=report, user=self.user, **form.validated_data)
        link = ""
        if report.share_token is not None:
            path = reverse("evaluation:shared_report", args=[report.share_token])
            link = request.build_absolute_uri(path)
        return Response(SharedSerializer({"shared": report.is_shared, "link": link}).data)


class DownloadFigure(ProjectView):
    @extend_schema(
        operation_id="download_report_figure",
        parameters=[
            OpenApiParameter("figure", str, OpenApiParameter.PATH, enum=list(FIGURES)),
            OpenApiParameter("format", str, OpenApiParameter.PATH, enum=list(FIGURE_FORMATS)),
            OpenApiParameter(
                "columns",
                str,
                enum=list(COLUMNS),
                description=gettext_lazy(
                    "Width of the figure in columns of a paper; default for PDF: two."
                ),
            ),
        ],
        responses={(200, media.partition(";")[0]): OpenApiTypes.BINARY for media in MEDIA.values()},
    )
    def get(self, request: Request, slug: str, pk: int, figure: str, format: str) -> HttpResponse:
        """A figure as SVG or PDF, or its data as CSV."""
        columns = read_name(request, "columns")
        return figure_response(get_ready_report(self.project, pk), figure, format, columns)


class DownloadReport(ProjectView):
    @extend_schema(
        operation_id="download_report", responses={(200, "text/html"): OpenApiTypes.BINARY}
    )
    def get(self, request: Request, slug: str, pk: int) -> HttpResponse:
        """The report as one self-contained HTML file."""
        return html_response(get_ready_report(self.project, pk))


class DownloadScores(ProjectView):
    @extend_schema(
        operation_id="download_report_scores",
        responses={(200, "text/csv"): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, slug: str, pk: int) -> StreamingHttpResponse:
        """All scores in the report, as `python -m scoring metaeval` reads them."""
        return scores_response(get_ready_report(self.project, pk))


class DownloadLatex(ProjectView):
    @extend_schema(
        operation_id="download_report_latex",
        responses={(200, "text/plain"): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, slug: str, pk: int) -> HttpResponse:
        """The table of correlations as LaTeX (needs booktabs)."""
        return latex_response(get_ready_report(self.project, pk))
