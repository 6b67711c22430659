"""REST: units from files and as files."""

from __future__ import annotations

from typing import Any

from django.http import StreamingHttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpora.projects.models import Role
from annotation.corpora.rest import CheckedSerializer, ProjectView
from annotation.errors import DomainError
from annotation.units.files import service
from annotation.units.files.queries import UNIT_FILE_FORMATS
from annotation.units.serializers import NewUnitFileSerializer, UnitSetSerializer
from annotation.units.sets.forms import SINGLE_PAN, units_response
from annotation.units.studio import queries as studio_queries


class RefusedFile(DomainError):
    """The file has problems; the listed ones are included."""

    code = "refused"

    def __init__(self, problems: list[dict[str, Any]], *, doubtful: bool = False) -> None:
        first = problems[0]
        where = (
            _("{file}, line {line}").format(file=first["file"], line=first["line"])
            if first["line"]
            else first["file"]
        )
        anyway = _(" If the file is correct, send it again with anyway=true.") if doubtful else ""
        super().__init__(
            f"{where}: {first['message']}",
            _("Expected {expected}{anyway}").format(expected=first["expected"], anyway=anyway),
        )
        self.extra = {"problems": problems, "doubtful": doubtful}


class ImportUnits(ProjectView):
    roles = {"POST": Role.EDITOR}
    parser_classes = [MultiPartParser]

    @extend_schema(
        operation_id="import_units",
        request={"multipart/form-data": NewUnitFileSerializer},
        responses={200: CheckedSerializer, 202: UnitSetSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Import a file as a new draft. 409 `refused` lists its `problems`; nothing is imported."""
        form = NewUnitFileSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        file = form.validated_data["file"]
        outcome = service.import_uploaded_units(
            project=self.project,
            user=self.user,
            name=form.validated_data["name"],
            files=[(file.name, file.chunks())],
            format=form.validated_data.get("format", ""),
            provenance=service.make_provenance(
                kind=form.validated_data.get("kind", ""),
                extractor=form.validated_data["extractor"],
                extractor_version=form.validated_data["extractor_version"],
            ),
            anyway=form.validated_data["anyway"],
            check=form.validated_data["check"],
        )
        if outcome.checked is not None:
            return Response({"checked": outcome.checked})
        if outcome.unit_set is None:
            raise RefusedFile(outcome.problems, doubtful=outcome.doubtful)
        return Response(UnitSetSerializer(outcome.unit_set).data, status=202)


class ExportUnits(ProjectView):
    @extend_schema(
        operation_id="export_units",
        parameters=[
            OpenApiParameter(
                "format",
                str,
                OpenApiParameter.PATH,
                enum=[item.value for item in UNIT_FILE_FORMATS],
            )
        ],
        responses={
            (200, media_type): OpenApiTypes.BINARY
            for media_type in dict.fromkeys(
                [*(item.media_type for item in UNIT_FILE_FORMATS), SINGLE_PAN]
            )
        },
    )
    def get(self, request: Request, slug: str, pk: int, format: str) -> StreamingHttpResponse:
        """Download the set as a file."""
        return units_response(studio_queries.get_visible_set(self.access, pk), format)
