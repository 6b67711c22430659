"""REST: who answered, what was decided about their work, and what other numbers would give."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpora.api.base import ProjectView, page_of
from annotation.corpora.api.parameters import PAGED
from annotation.corpora.models import Role
from annotation.crowd.api.base import BodySchema
from annotation.evaluation import services
from annotation.evaluation.api.names import get_names
from annotation.evaluation.api.parameters import LARGEST_SEED, read_whole, whole
from annotation.evaluation.api.requests import (
    DECISION,
    AssignmentDecisionSerializer,
    WorkerDecisionSerializer,
)
from annotation.evaluation.api.serializers import (
    CrowdSizesSerializer,
    DecisionSerializer,
    WorkerFiguresSerializer,
)
from annotation.evaluation.models import Decision
from annotation.evaluation.selectors.answers import get_judged_campaigns, list_decisions
from annotation.evaluation.selectors.pages_contested import get_ground
from annotation.evaluation.selectors.pages_crowd_size import ROUNDS, get_crowd_sizes
from annotation.evaluation.selectors.pages_workers import list_worker_rows
from annotation.evaluation.selectors.people import get_assignment, get_worker
from annotation.translation import gettext_lazy


class Decisions(ProjectView):
    schema = BodySchema()
    roles = {"POST": Role.EDITOR}

    @extend_schema(
        operation_id="list_decisions",
        parameters=PAGED,
        responses={200: page_of(DecisionSerializer)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """List decisions on workers and assignments, newest first."""
        names = get_names(self.access)
        return self.paged(list_decisions(self.project), DecisionSerializer, names=names)

    @extend_schema(operation_id="decide", request=DECISION, responses={201: DecisionSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Exclude a worker or an assignment from future labels, or always include it."""
        made = self._decide(request.data)
        context = {"names": get_names(self.access)}
        return Response(DecisionSerializer(made, context=context).data, status=201)

    def _decide(self, data: Any) -> Decision:
        is_about_work = isinstance(data, dict) and "assignment" in data
        kind = AssignmentDecisionSerializer if is_about_work else WorkerDecisionSerializer
        form = kind(data=data)
        form.is_valid(raise_exception=True)
        values = dict(form.validated_data) | {"project": self.project, "user": self.user}
        if is_about_work:
            values["assignment"] = get_assignment(self.project, values["assignment"])
            return services.decide_assignment(**values)
        values["worker"] = get_worker(self.project, values["worker"])
        return services.decide_worker(**values)


class DecisionDetail(ProjectView):
    roles = {"DELETE": Role.EDITOR}

    @extend_schema(operation_id="undo_decision", responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Undo a decision. In future labels, only the rules apply."""
        found = get_object_or_404(list_decisions(self.project), pk=pk)
        services.undo_decision(decision=found, user=self.user)
        return Response(status=204)


class Workers(ProjectView):
    roles = {"GET": Role.EDITOR}

    @extend_schema(
        operation_id="list_workers",
        parameters=[
            whole(
                "campaign",
                gettext_lazy(
                    "Only this campaign. Default: all campaigns with the newest campaign's unit "
                    "set."
                ),
            ),
            *PAGED,
        ],
        responses={200: page_of(WorkerFiguresSerializer)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """List workers with volume, speed and agreement, most assignments first."""
        chosen = read_whole(request, "campaign")
        campaigns = get_judged_campaigns(self.project, () if chosen is None else (chosen,))
        return self.paged(list_worker_rows(self.project, campaigns).rows, WorkerFiguresSerializer)


class CrowdSize(ProjectView):
    @extend_schema(
        operation_id="get_crowd_size",
        parameters=[whole("seed", gettext_lazy("Default: 0."), least=0, most=LARGEST_SEED)],
        responses={200: CrowdSizesSerializer},
    )
    def get(self, request: Request, slug: str) -> Response:
        """Simulate other numbers of workers per HIT from the collected answers."""
        seed = read_whole(request, "seed", least=0, most=LARGEST_SEED) or 0
        outcome = get_ground(self.project).get_outcome(self.project)
        table = get_crowd_sizes(outcome, seed)
        said = {
            "judges": table.usual,
            "most": table.most,
            "rounds": ROUNDS,
            "seed": seed,
            "rows": table.rows,
        }
        return Response(CrowdSizesSerializer(said).data)
