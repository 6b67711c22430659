"""REST: reports on metrics, their figures and their link."""

from __future__ import annotations

from django.http import HttpResponse, StreamingHttpResponse
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpora.api.base import ProjectView, page_of
from annotation.corpora.api.parameters import PAGED
from annotation.corpora.models import Role
from annotation.evaluation import services
from annotation.evaluation.api.parameters import read_name
from annotation.evaluation.api.report_serializers import (
    CommentarySerializer,
    NewReportSerializer,
    ReportDetailSerializer,
    ReportSerializer,
    SharedSerializer,
    ShareSerializer,
)
from annotation.evaluation.report_files import (
    figure_response,
    html_response,
    latex_response,
    scores_response,
)
from annotation.evaluation.selectors.reports import (
    COLUMNS,
    FIGURE_FORMATS,
    MEDIA,
    get_ready_report,
    get_report,
    list_reports,
)
from annotation.translation import gettext_lazy
from scoring.metaeval.report import FIGURES


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
        made = services.build_report(project=self.project, user=self.user, **form.validated_data)
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
            services.comment_report(report=report, user=self.user, **form.validated_data)
        return Response(ReportDetailSerializer(report).data)

    @extend_schema(operation_id="delete_report", responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Delete a report; its link stops working."""
        services.delete_report(report=get_report(self.project, pk), user=self.user)
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
        report = services.share_report(report=report, user=self.user, **form.validated_data)
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
