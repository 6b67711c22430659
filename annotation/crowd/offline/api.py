"""REST: judgements from files, and a campaign as a batch file."""

from __future__ import annotations

from typing import Any

from django.http import StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpora.projects.models import Role
from annotation.corpora.rest import CheckedSerializer, CheckOnly, ProjectView, Text
from annotation.corpora.serializers import JobSerializer
from annotation.crowd.campaigns.models import Campaign
from annotation.crowd.campaigns.views_steps import batch_response, results_response
from annotation.crowd.offline import service as offline
from annotation.crowd.offline.service import list_batch_campaigns, list_frozen_sets
from annotation.errors import Invalid
from annotation.translation import gettext_lazy
from annotation.units.files.api import RefusedFile

LARGEST_ID = 2**63 - 1


class NewJudgementsSerializer(serializers.Serializer[Any]):
    files = serializers.ListField(
        child=serializers.FileField(allow_empty_file=True),
        min_length=1,
        max_length=2000,
        help_text=gettext_lazy("Results files or a zip, and a systems.csv if needed."),
    )
    unit_set = serializers.IntegerField(
        min_value=1,
        max_value=LARGEST_ID,
        help_text=gettext_lazy("The frozen unit set that was judged."),
    )
    campaign = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=LARGEST_ID,
        help_text=gettext_lazy(
            "The campaign whose batch file was answered. A new one is created if omitted."
        ),
    )
    name = Text(
        max_length=120,
        required=False,
        allow_blank=True,
        help_text=gettext_lazy("Name of the new campaign, or of one created by an earlier import."),
    )
    check = CheckOnly()
    count_blank = serializers.BooleanField(
        required=False,
        help_text=gettext_lazy("Count answers to BLANK slots as check items; absent is correct."),
    )


class ImportJudgements(ProjectView):
    roles = {"POST": Role.EDITOR}
    parser_classes = [MultiPartParser]

    @extend_schema(
        operation_id="import_judgements",
        request={"multipart/form-data": NewJudgementsSerializer},
        responses={200: CheckedSerializer, 202: JobSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Import results files, all or nothing. 409 `refused` lists their `problems`."""
        form = NewJudgementsSerializer(data=_form_data(request))
        form.is_valid(raise_exception=True)
        data = form.validated_data
        unit_set = get_object_or_404(list_frozen_sets(self.project), pk=data["unit_set"])
        campaign = self._campaign(data.get("campaign"))
        if campaign is not None and campaign.unit_set_id != unit_set.pk:
            raise Invalid(
                _("{campaign} uses {unit_set}.").format(
                    campaign=campaign, unit_set=campaign.unit_set
                ),
                _("Name that unit set."),
            )
        outcome = offline.import_uploaded_judgements(
            project=self.project,
            user=self.user,
            unit_set=unit_set,
            files=[(file.name, file.chunks()) for file in data["files"]],
            name=data.get("name", ""),
            campaign=campaign,
            check=data["check"],
            count_blank=data.get("count_blank", False),
        )
        if outcome.checked is not None:
            return Response({"checked": outcome.checked})
        if outcome.job is None:
            raise RefusedFile(outcome.problems)
        return Response(JobSerializer(outcome.job).data, status=202)

    def _campaign(self, pk: int | None) -> Campaign | None:
        rows = list_batch_campaigns(self.project)
        return None if pk is None else get_object_or_404(rows, pk=pk)


def _form_data(request: Request) -> dict[str, Any]:
    named = {
        name: request.POST[name]
        for name in ("unit_set", "campaign", "name", "check", "count_blank")
        if name in request.POST
    }
    return {"files": request.FILES.getlist("files"), **named}


class ExportResults(ProjectView):
    @extend_schema(
        operation_id="export_results", responses={(200, "text/csv"): OpenApiTypes.BINARY}
    )
    def get(self, request: Request, slug: str, pk: int) -> StreamingHttpResponse:
        """All assignments with their answers, in the columns of an MTurk batch."""
        rows = Campaign.objects.filter(project=self.project).select_related("project")
        return results_response(get_object_or_404(rows, pk=pk))


class ExportBatch(ProjectView):
    @extend_schema(operation_id="export_batch", responses={(200, "text/csv"): OpenApiTypes.BINARY})
    def get(self, request: Request, slug: str, pk: int) -> StreamingHttpResponse:
        """The campaign's HITs as the input file of an MTurk batch."""
        rows = Campaign.objects.filter(project=self.project).select_related("project")
        return batch_response(get_object_or_404(rows, pk=pk))
