"""REST: statements that people disagree about, and what experts settle."""

from __future__ import annotations

import numpy as np
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpora.api.base import ProjectView, page_of
from annotation.corpora.api.parameters import PAGED
from annotation.corpora.models import Role
from annotation.evaluation import services
from annotation.evaluation.api.names import get_names
from annotation.evaluation.api.parameters import (
    LONGEST_NAME,
    read_choice,
    read_name,
    read_whole,
    whole,
)
from annotation.evaluation.api.requests import NewAdjudicationSerializer
from annotation.evaluation.api.serializers import AdjudicationSerializer, ContestedSerializer
from annotation.evaluation.selectors.contested import SHOWN, list_contested, rank_contested
from annotation.evaluation.selectors.labels import (
    get_summary,
    get_unit,
    list_settled,
)
from annotation.evaluation.selectors.pages_contested import get_ground, get_ground_of
from annotation.evaluation.selectors.pages_gold import get_label_set
from annotation.evaluation.selectors.whatif import Outcome
from annotation.units.models import UnitSet


class ContestedStatements(ProjectView):
    @extend_schema(
        operation_id="list_contested",
        parameters=[
            whole("labels", "By the rules of these labels; of the newest if left out."),
            OpenApiParameter("show", str, enum=SHOWN, description="Default open: not settled yet."),
            OpenApiParameter(
                "system",
                {"type": "string", "maxLength": LONGEST_NAME},
                description="Only in summaries of the system of this name.",
            ),
            *PAGED,
        ],
        responses={200: page_of(ContestedSerializer)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """The statements that people disagree about most, with the answers behind them."""
        show = read_choice(request, "show", SHOWN, "open")
        system = read_name(request, "system")
        unit_set, outcome = self._outcome(read_whole(request, "labels"))
        return self.paged(
            rank_contested(outcome, show, system).tolist(),
            ContestedSerializer,
            load=lambda codes: list_contested(unit_set, outcome, np.array(codes, dtype=np.int64)),
            names=get_names(self.access),
        )

    def _outcome(self, labels: int | None) -> tuple[UnitSet, Outcome]:
        """By the rules of the labels named, or by those that the page goes by."""
        if labels is None:
            ground = get_ground(self.project)
        else:
            ground = get_ground_of(get_label_set(self.project, labels))
        return ground.campaigns[0].unit_set, ground.get_outcome(self.project)


class Adjudications(ProjectView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(
        operation_id="list_adjudications",
        parameters=PAGED,
        responses={200: page_of(AdjudicationSerializer)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """What experts have settled, the newest first."""
        return self.paged(list_settled(self.project), AdjudicationSerializer)

    @extend_schema(
        operation_id="adjudicate",
        request=NewAdjudicationSerializer,
        responses={201: AdjudicationSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Settle a statement as an expert; it stands above any vote in labels to come."""
        form = NewAdjudicationSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        data = form.validated_data
        made = services.adjudicate(
            project=self.project,
            user=self.user,
            summary=get_summary(self.project, data["summary"]),
            unit=get_unit(self.project, data["unit"]),
            present=data["present"],
            reason=data.get("reason", ""),
        )
        return Response(AdjudicationSerializer(made).data, status=201)


class AdjudicationDetail(ProjectView):
    roles = {"DELETE": Role.EDITOR}

    @extend_schema(operation_id="undo_adjudication", responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Take it back: votes decide again in labels to come."""
        found = get_object_or_404(list_settled(self.project), pk=pk)
        services.undo_adjudication(adjudication=found, user=self.user)
        return Response(status=204)
