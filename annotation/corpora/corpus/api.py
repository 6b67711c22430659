"""REST: examples, systems, summaries, the export."""

from __future__ import annotations

from django.db.models import Prefetch
from django.http import StreamingHttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpora.corpus import queries
from annotation.corpora.corpus.exports import EXPORT_FORMATS
from annotation.corpora.corpus.models import Summary, System, SystemKind
from annotation.corpora.corpus.views import export_response
from annotation.corpora.projects import service as projects_service
from annotation.corpora.projects.models import Role
from annotation.corpora.rest import EXAMPLE_FILTER, PAGED, ProjectView, page_of, read_example_filter
from annotation.corpora.serializers import (
    ExampleDetailSerializer,
    ExampleSerializer,
    SystemSerializer,
    SystemSummarySerializer,
)


class Examples(ProjectView):
    @extend_schema(
        operation_id="list_examples",
        parameters=[*EXAMPLE_FILTER, *PAGED],
        responses={200: page_of(ExampleSerializer)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """Examples in the order of their import."""
        rows = queries.list_examples(self.project, read_example_filter(request))
        return self.paged(rows, ExampleSerializer)


class ExampleDetail(ProjectView):
    @extend_schema(operation_id="get_example", responses={200: ExampleDetailSerializer})
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """One example with its documents, references by sentence, and all summaries."""
        live = Summary.objects.live().select_related("system").order_by("system__name")
        rows = queries.list_examples(self.project).prefetch_related(
            "documents", "references__sentences", Prefetch("summaries", live, "live_summaries")
        )
        return Response(ExampleDetailSerializer(get_object_or_404(rows, pk=pk)).data)


class Systems(ProjectView):
    @extend_schema(
        operation_id="list_systems", parameters=PAGED, responses={200: page_of(SystemSerializer)}
    )
    def get(self, request: Request, slug: str) -> Response:
        """Systems by name."""
        return self.paged(queries.list_systems(self.project), SystemSerializer)


class SystemDetail(ProjectView):
    roles = {"PATCH": Role.EDITOR}

    @extend_schema(operation_id="get_system", responses={200: SystemSerializer})
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """One system."""
        return Response(SystemSerializer(self._get(pk)).data)

    @extend_schema(
        operation_id="update_system", request=SystemSerializer, responses={200: SystemSerializer}
    )
    def patch(self, request: Request, slug: str, pk: int) -> Response:
        """Change the name or the kind."""
        system = self._get(pk)
        form = SystemSerializer(system, data=request.data, partial=True)
        form.is_valid(raise_exception=True)
        projects_service.update_system(
            system=system,
            user=self.user,
            name=form.validated_data.get("name", system.name),
            kind=SystemKind(form.validated_data.get("kind", system.kind)),
        )
        return Response(SystemSerializer(system).data)

    def _get(self, pk: int) -> System:
        return get_object_or_404(queries.list_systems(self.project), pk=pk)


class SystemSummaries(ProjectView):
    @extend_schema(
        operation_id="list_system_summaries",
        parameters=PAGED,
        responses={200: page_of(SystemSummarySerializer)},
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """A system's summaries in the order of the examples."""
        system = get_object_or_404(queries.list_systems(self.project), pk=pk)
        rows = Summary.objects.live().filter(system=system).select_related("example")
        return self.paged(rows.order_by("example__position"), SystemSummarySerializer)


class Export(ProjectView):
    @extend_schema(
        operation_id="export_corpus",
        parameters=[
            OpenApiParameter("format", str, OpenApiParameter.PATH, enum=list(EXPORT_FORMATS))
        ],
        responses={(200, item.media_type): OpenApiTypes.BINARY for item in EXPORT_FORMATS.values()},
    )
    def get(self, request: Request, slug: str, format: str) -> StreamingHttpResponse:
        """The corpus as a file, streamed."""
        return export_response(self.project, format)
