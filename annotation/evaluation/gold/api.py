"""What REST tells of gold versions, and of studies restored from one.

- REST: gold versions, as files and from files.
"""

from __future__ import annotations

from typing import Any

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpora.projects.models import Role
from annotation.corpora.rest import PAGED, GizaView, ProjectView, page_of
from annotation.corpora.serializers import JobSerializer
from annotation.evaluation.gold import restoring, service
from annotation.evaluation.gold.downloads import FORMATS, gold_response
from annotation.evaluation.gold.models import GoldVersion, WorkerNames
from annotation.evaluation.gold.queries import get_version, list_versions
from annotation.evaluation.labels.queries import get_ready_labels
from annotation.evaluation.labels.requests import GoldFileSerializer, NewGoldSerializer
from annotation.translation import gettext_lazy
from annotation.units.files.api import RefusedFile


class GoldVersionSerializer(serializers.ModelSerializer[GoldVersion]):
    labels = serializers.IntegerField(source="label_set_id", read_only=True)
    unit_set = serializers.IntegerField(source="label_set.unit_set_id", read_only=True)
    job = JobSerializer(read_only=True, allow_null=True)

    class Meta:
        model = GoldVersion
        fields = [
            "id",
            "name",
            "version",
            "labels",
            "unit_set",
            "description",
            "licence",
            "citation",
            "worker_names",
            "is_ready",
            "content_hash",
            "size",
            "job",
            "created_at",
        ]
        read_only_fields = fields


class GoldDetailSerializer(GoldVersionSerializer):
    facts = serializers.DictField(
        read_only=True,
        help_text=gettext_lazy("Content of the dataset card. Empty until the version is ready."),
    )

    class Meta(GoldVersionSerializer.Meta):
        fields = [*GoldVersionSerializer.Meta.fields, "facts"]
        read_only_fields = fields


class RestoringSerializer(serializers.Serializer[Any]):
    project = serializers.CharField(source="project.slug")
    job = JobSerializer()


class GoldVersions(ProjectView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(
        operation_id="list_gold",
        parameters=PAGED,
        responses={200: page_of(GoldVersionSerializer)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """List gold versions, newest first."""
        return self.paged(list_versions(self.project), GoldVersionSerializer)

    @extend_schema(
        operation_id="create_gold",
        request=NewGoldSerializer,
        responses={202: GoldVersionSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Create a gold version: texts, units, labels and answers in one file. Starts a job."""
        form = NewGoldSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        values = dict(form.validated_data)
        if values.get("worker_names") == WorkerNames.ID:
            self.access.require(Role.OWNER)
        label_set = get_ready_labels(self.project, values.pop("labels"))
        made = service.create_gold(
            project=self.project, user=self.user, label_set=label_set, **values
        )
        return Response(GoldVersionSerializer(made).data, status=202)


class GoldDetail(ProjectView):
    roles = {"DELETE": Role.EDITOR}

    @extend_schema(operation_id="get_gold", responses={200: GoldDetailSerializer})
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Get a gold version with the content of its dataset card."""
        return Response(GoldDetailSerializer(get_version(self.project, pk)).data)

    @extend_schema(operation_id="delete_gold", responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Delete a gold version that could not be created."""
        service.delete_gold(gold=get_version(self.project, pk), user=self.user)
        return Response(status=204)


class DownloadGold(ProjectView):
    @extend_schema(
        operation_id="download_gold",
        parameters=[
            OpenApiParameter("format", str, OpenApiParameter.PATH, enum=list(FORMATS)),
        ],
        responses={
            (200, media_type): OpenApiTypes.BINARY
            for media_type in dict.fromkeys(item.media_type for item in FORMATS.values())
        },
    )
    def get(self, request: Request, slug: str, pk: int, format: str) -> StreamingHttpResponse:
        """Download the dataset as a file."""
        return gold_response(get_version(self.project, pk), format)


class ImportGold(GizaView):
    parser_classes = [MultiPartParser]

    @extend_schema(
        operation_id="import_gold",
        request={"multipart/form-data": GoldFileSerializer},
        responses={202: RestoringSerializer},
    )
    def post(self, request: Request) -> Response:
        """Restore a study from a gold dataset into a new project. Starts a job.

        409 `refused` lists the file's `problems`; then nothing was created.
        """
        form = GoldFileSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        data = form.validated_data
        outcome = restoring.import_uploaded_gold(
            user=self.user,
            name=data.get("name", ""),
            slug=data["slug"],
            files=[(data["file"].name, data["file"].chunks())],
        )
        if outcome.project is None:
            raise RefusedFile(outcome.problems)
        return Response(RestoringSerializer(outcome).data, status=202)
