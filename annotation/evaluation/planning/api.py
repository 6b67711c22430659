"""REST: curves, plans for a budget, what was made of them, and quotes."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpora.corpus.models import SystemKind
from annotation.corpora.projects.models import Role
from annotation.corpora.rest import PAGED, ProjectView, page_of
from annotation.crowd.campaigns.queries import get_campaign
from annotation.errors import NotFound
from annotation.evaluation.labels.queries import get_ready_labels
from annotation.evaluation.labels.serializers import read_choice, read_name, read_whole, whole
from annotation.evaluation.planning import curves, service, taken
from annotation.evaluation.planning.asked import quote_system
from annotation.evaluation.planning.forms import WIDTH
from annotation.evaluation.planning.queries import (
    get_curves,
    get_look_back,
    get_plan,
    get_ready_plan,
    list_curves,
    list_frozen_stus,
    list_plans,
    list_writers,
)
from annotation.evaluation.planning.serializers import (
    ApplyPlanSerializer,
    BudgetPlanDetailSerializer,
    BudgetPlanSerializer,
    CurvesDetailSerializer,
    CurvesSerializer,
    LookBackSerializer,
    NewBudgetSerializer,
    NewCurvesSerializer,
    QuoteSerializer,
)
from annotation.translation import format_lazy, gettext_lazy
from annotation.units.plans.queries import list_scu_sets, list_stu_sets
from annotation.units.sets.models import UnitSet
from scoring.planning.plans import DIFFERENCE
from scoring.planning.presence import NEAREST_LABELS

MOST_QUOTED = 1000


class Curves(ProjectView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(
        operation_id="list_curves", parameters=PAGED, responses={200: page_of(CurvesSerializer)}
    )
    def get(self, request: Request, slug: str) -> Response:
        """List curves, newest first."""
        return self.paged(list_curves(self.project), CurvesSerializer)

    @extend_schema(
        operation_id="draw_curves",
        request=NewCurvesSerializer,
        responses={202: CurvesDetailSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Start computing correlations at every share of STUs, by order."""
        form = NewCurvesSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        said = dict(form.validated_data)
        labels = get_ready_labels(self.project, said.pop("labels"))
        stus = _find(list_frozen_stus(self.project), said.pop("stus"))
        made = curves.draw_curves(
            project=self.project, user=self.user, label_set=labels, stus=stus, **said
        )
        return Response(CurvesDetailSerializer(made).data, status=202)


def _find(rows: QuerySet[UnitSet], pk: int) -> UnitSet:
    found = rows.filter(pk=pk).first()
    if found is None:
        raise NotFound(
            _("The project has no set of STUs {pk} that can be used here.").format(pk=pk)
        )
    return found


class CurvesDetail(ProjectView):
    roles = {"DELETE": Role.EDITOR}

    @extend_schema(operation_id="get_curves", responses={200: CurvesDetailSerializer})
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Curves and the progress of their job."""
        return Response(CurvesDetailSerializer(get_curves(self.project, pk)).data)

    @extend_schema(operation_id="delete_curves", responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Delete finished curves."""
        curves.delete_curves(curves=get_curves(self.project, pk), user=self.user)
        return Response(status=204)


class Plans(ProjectView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(
        operation_id="list_budget_plans",
        parameters=PAGED,
        responses={200: page_of(BudgetPlanSerializer)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """List budgets, newest first."""
        return self.paged(list_plans(self.project), BudgetPlanSerializer)

    @extend_schema(
        operation_id="plan_budget",
        request=NewBudgetSerializer,
        responses={202: BudgetPlanDetailSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Start finding the best plans within a budget."""
        form = NewBudgetSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        made = service.plan_budget(
            project=self.project, user=self.user, **self._read(dict(form.validated_data))
        )
        return Response(BudgetPlanDetailSerializer(made).data, status=202)

    def _read(self, said: dict[str, Any]) -> dict[str, Any]:
        """Ids become what they are of, and the goal's target goes to its own name."""
        goal, target = said.pop("goal", "correlation"), said.pop("target", None)
        if goal == "width":
            said["goal_width"] = target or WIDTH
        elif goal == "difference":
            said["goal_difference"] = target or DIFFERENCE
        for name in {"money", "reward"} & said.keys():
            said[name] = Decimal(said[name])
        if "stus" in said:
            said["stus"] = _find(list_stu_sets(self.project), said["stus"])
        rows = list_scu_sets(self.project)
        wanted = said.get("scus", rows.values_list("pk", flat=True).first())
        said["scus"] = wanted and _find(rows, wanted)
        if "pilot" in said:
            said["pilot"] = get_ready_labels(self.project, said["pilot"])
        return said


class PlanDetail(ProjectView):
    roles = {"DELETE": Role.EDITOR}

    @extend_schema(operation_id="get_budget_plan", responses={200: BudgetPlanDetailSerializer})
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """A budget with its frontier of plans and what was created from it."""
        return Response(BudgetPlanDetailSerializer(get_plan(self.project, pk)).data)

    @extend_schema(operation_id="delete_budget_plan", responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Delete a budget with no plan in use."""
        service.delete_plan(plan=get_plan(self.project, pk), user=self.user)
        return Response(status=204)


class ApplyPlan(ProjectView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(
        operation_id="apply_plan",
        request=ApplyPlanSerializer,
        responses={201: BudgetPlanDetailSerializer},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Use a plan: create a draft set with sentences assigned, and a draft campaign."""
        form = ApplyPlanSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        said = dict(form.validated_data)
        if "author" in said:
            writer = get_object_or_404(list_writers(self.project), user_id=said["author"])
            said["author"] = writer.user
        if "stus" in said:
            said["stus"] = _find(list_stu_sets(self.project), said["stus"])
        made = taken.apply_plan(plan=get_ready_plan(self.project, pk), user=self.user, **said)
        return Response(BudgetPlanDetailSerializer(made).data, status=201)


class UndoPlan(ProjectView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(
        operation_id="undo_plan", request=None, responses={200: BudgetPlanDetailSerializer}
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Undo a plan: delete its draft set and draft campaign if no work has begun."""
        made = taken.undo_plan(plan=get_plan(self.project, pk), user=self.user)
        return Response(BudgetPlanDetailSerializer(made).data)


class PlanLookBack(ProjectView):
    @extend_schema(
        operation_id="look_back_on_plan",
        parameters=[
            whole(
                "labels", gettext_lazy("Labels of full SCUs; default: the newest that are ready.")
            ),
            OpenApiParameter(
                "judge",
                {"type": "string", "maxLength": 200},
                description=format_lazy(
                    gettext_lazy("A judge with runs on both sets. Default: {nearest_labels}"),
                    nearest_labels=NEAREST_LABELS,
                ),
            ),
        ],
        responses={200: LookBackSerializer},
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Simulate the plan's choice of sentences against random ones of the same cost."""
        asked = read_whole(request, "labels")
        labels = get_ready_labels(self.project, asked) if asked is not None else None
        plan = get_ready_plan(self.project, pk)
        found = get_look_back(plan, labels=labels, judge=read_name(request, "judge"))
        if found is None:
            raise NotFound(
                _("{plan} can't be simulated yet.").format(plan=plan),
                _("Use a plan, and label full SCUs of its examples."),
            )
        said = {
            "labels": found.labels.pk,
            "judge": found.judge,
            "found": found.found,
            "coverage": found.coverage,
        }
        return Response(LookBackSerializer(said).data)


class QuoteSystem(ProjectView):
    @extend_schema(
        operation_id="quote_system",
        parameters=[
            whole(
                "systems",
                gettext_lazy("Number of additional systems; default 1."),
                most=MOST_QUOTED,
            ),
            OpenApiParameter(
                "kind",
                {"type": "string", "enum": SystemKind.values},
                description=gettext_lazy("Kind of system."),
            ),
        ],
        responses={200: QuoteSerializer},
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Quote the cost of judging additional systems with a campaign's units."""
        campaign = get_campaign(self.project, pk)
        systems = read_whole(request, "systems", most=MOST_QUOTED) or 1
        kind = read_choice(request, "kind", ["", *SystemKind.values], "")
        quote = quote_system(campaign, systems=systems, kind=kind)
        said = quote.to_json() | {"is_exact": campaign.unit_set.is_frozen}
        return Response(QuoteSerializer(said).data)
