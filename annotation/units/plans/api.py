"""REST: which sentences people write, and which are left to STUs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpora.projects.models import Role
from annotation.corpora.rest import ProjectView
from annotation.translation import gettext_lazy
from annotation.units.plans import leaving, service
from annotation.units.plans import queries as plans
from annotation.units.serializers import Whole
from annotation.units.studio import queries as studio_queries

MOST_SENTENCES = 1_000_000


class NewPlanSerializer(serializers.Serializer[Any]):
    stus = Whole(min_value=1, help_text=gettext_lazy("ID of the set of STUs that replace SCUs."))
    human = serializers.ListField(
        child=Whole(min_value=1),
        max_length=MOST_SENTENCES,
        help_text=gettext_lazy("IDs of the sentences whose units people write."),
    )
    author = Whole(
        required=False, allow_null=True, help_text=gettext_lazy("ID of the user who writes them.")
    )


class PlanCountsSerializer(serializers.Serializer[Any]):
    sentences = serializers.IntegerField()
    human = serializers.IntegerField(help_text=gettext_lazy("Sentences that people write."))
    stus = serializers.IntegerField(help_text=gettext_lazy("Sentences left to STUs."))
    hardest = serializers.FloatField(allow_null=True)
    model = serializers.CharField(
        help_text=gettext_lazy("Regressor that predicted the difficulty.")
    )


class Plan(ProjectView):
    roles = {"PUT": Role.EDITOR, "DELETE": Role.EDITOR}

    @extend_schema(operation_id="get_plan", responses={200: PlanCountsSerializer})
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Get the number of sentences that people write and that are left to STUs."""
        counts = plans.get_plan_counts(studio_queries.get_set(self.project, pk))
        return Response(PlanCountsSerializer(counts).data)

    @extend_schema(
        operation_id="plan_sentences",
        request=NewPlanSerializer,
        responses={200: PlanCountsSerializer},
    )
    def put(self, request: Request, slug: str, pk: int) -> Response:
        """Set which sentences of a draft people write. All others are left to STUs."""
        form = NewPlanSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        data = form.validated_data
        unit_set = studio_queries.get_set(self.project, pk)
        stus = studio_queries.get_set(self.project, data["stus"])
        service.plan_sentences(
            unit_set=unit_set,
            user=self.user,
            stus=stus,
            human=data["human"],
            difficulty=plans.get_difficulties(stus),
            author=studio_queries.get_writer(self.project, data.get("author")),
            model=plans.get_plan_counts(stus)["model"],
        )
        return Response(PlanCountsSerializer(plans.get_plan_counts(unit_set)).data)

    @extend_schema(operation_id="drop_plan", responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Remove a plan or ranking. Every sentence is for people to write again."""
        service.drop_plan(unit_set=studio_queries.get_set(self.project, pk), user=self.user)
        return Response(status=204)


class PlanRest(ProjectView):
    roles = {"POST": Role.EDITOR, "DELETE": Role.EDITOR}

    @extend_schema(operation_id="leave_rest", request=None, responses={200: PlanCountsSerializer})
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Leave all sentences without written units to STUs."""
        return self._told(pk, leaving.leave_rest)

    @extend_schema(operation_id="take_rest_back", responses={200: PlanCountsSerializer})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Return the sentences that were left to STUs to people."""
        return self._told(pk, leaving.take_rest_back)

    def _told(self, pk: int, step: Callable[..., int]) -> Response:
        unit_set = studio_queries.get_set(self.project, pk)
        step(unit_set=unit_set, user=self.user)
        return Response(PlanCountsSerializer(plans.get_plan_counts(unit_set)).data)
