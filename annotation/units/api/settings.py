"""REST: settings of the studio, and assignments."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpora.api.base import ProjectView
from annotation.corpora.models import Role
from annotation.units import services
from annotation.units.api.serializers import (
    AssignedSerializer,
    NewAssignmentsSerializer,
    StudioSettingsSerializer,
)
from annotation.units.models import Weighting
from annotation.units.selectors import studio as selectors


class StudioSettingsDetail(ProjectView):
    roles = {"PATCH": Role.EDITOR}

    @extend_schema(operation_id="get_studio_settings", responses={200: StudioSettingsSerializer})
    def get(self, request: Request, slug: str) -> Response:
        """Get the weighting of new sets and the linter rules that are switched off."""
        return Response(StudioSettingsSerializer(services.get_settings(self.project)).data)

    @extend_schema(
        operation_id="update_studio_settings",
        request=StudioSettingsSerializer,
        responses={200: StudioSettingsSerializer},
    )
    def patch(self, request: Request, slug: str) -> Response:
        """Change the settings. The weighting applies to new sets only."""
        current = services.get_settings(self.project)
        form = StudioSettingsSerializer(data=request.data, partial=True)
        form.is_valid(raise_exception=True)
        changed = services.update_settings(
            project=self.project,
            weighting=Weighting(form.validated_data.get("weighting", current.weighting)),
            disabled_rules=form.validated_data.get("disabled_rules", current.disabled_rules),
        )
        return Response(StudioSettingsSerializer(changed).data)


class Assignments(ProjectView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(
        operation_id="assign_examples",
        request=NewAssignmentsSerializer,
        responses={200: AssignedSerializer},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Assign examples, by their numbers in the corpus, to an author, a reviewer or both."""
        form = NewAssignmentsSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        data = form.validated_data
        count = services.assign_range(
            unit_set=selectors.get_set(self.project, pk),
            user=self.user,
            first=data["first"],
            last=data["last"],
            author=selectors.get_writer(self.project, data.get("author")),
            reviewer=selectors.get_writer(self.project, data.get("reviewer")),
        )
        return Response({"assigned": count})
