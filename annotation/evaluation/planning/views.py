"""Plans for a budget: the list, a new one, its frontier, the plan that is taken, and quotes."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.access import ProjectAccess
from annotation.corpora.jobs.models import JobState
from annotation.corpora.projects.access import project_context, project_view, sent, user_of
from annotation.corpora.projects.models import Role
from annotation.crowd.campaigns.views import csv_response
from annotation.errors import DomainError
from annotation.evaluation.estimates.models import ScoreEstimate
from annotation.evaluation.metrics.models import ScoreSet
from annotation.evaluation.planning import service, taken
from annotation.evaluation.planning.asked import quote_system
from annotation.evaluation.planning.charts import draw_frontier
from annotation.evaluation.planning.forms import ApplyForm, PlanForm, QuoteForm
from annotation.evaluation.planning.models import BudgetPlan, CurveRun
from annotation.evaluation.planning.queries import (
    get_goal_figure,
    get_look_back,
    get_plan,
    get_plan_progress,
    get_ready_plan,
    get_verdict,
    list_handful,
    list_plans,
    measure_project,
    stream_plans,
)
from annotation.evaluation.planning.service import get_asked_prices
from annotation.evaluation.planning.studies import list_study_judges
from annotation.evaluation.reports.models import Report
from annotation.evaluation.robustness.models import RobustnessStudy
from annotation.translation import gettext_lazy
from annotation.units.files.queries import list_kept_files
from annotation.units.plans.queries import count_scus, list_scu_sets, list_stu_sets
from scoring.figures.scale import NARROW, WIDE
from scoring.planning.plans import TELLS, Plan
from scoring.planning.quote import quote_plan

MOST_ROWS = 200
FIGURES = {
    "width": gettext_lazy("Interval width"),
    "correlation": gettext_lazy("Correlation"),
    "power": gettext_lazy("Power"),
}


@project_view()
@require_safe
def plans(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    rows = list(list_plans(access.project)[:MOST_ROWS])
    context = project_context(
        access,
        "plans",
        plans=rows,
        has_corpus=access.project.example_count > 0 and access.project.system_count > 1,
        is_moving=any(row.is_moving for row in rows),
    )
    return render(request, "evaluation/plans.html", context)


@project_view(Role.EDITOR)
@require_http_methods(["GET", "POST"])
def plan_budget(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    project = access.project
    known = measure_project(project)
    newest, written = list_stu_sets(project).first(), list_scu_sets(project).first()
    asked = {
        "stus": newest.pk if newest else "",
        "scus": written.pk if written else "",
        **_asked(request, project.pk),
    }
    form = PlanForm(project, known, sent(request), initial=asked)
    if request.method == "POST" and form.is_valid():
        try:
            made = service.plan_budget(project=project, user=user_of(request), **form.arguments())
        except DomainError as error:
            form.add_error(None, f"{error.message} {error.hint}".strip())
        else:
            return redirect("evaluation:plan", project.slug, made.pk)
    waiting = list_kept_files(project).filter(name__istartswith="SCU")
    context = project_context(
        access,
        "plans",
        form=form,
        known=known,
        has_stus=newest is not None,
        written=count_scus(written) if written else 0,
        written_set=written,
        waiting=None if written else waiting.first(),
    )
    status = 422 if request.method == "POST" else 200
    return render(request, "evaluation/plan_budget.html", context, status=status)


ASKED = (
    *("money", "hours", "goal", "goal_width", "goal_difference", "power", "examples", "systems"),
    *(
        "minutes_per_scu",
        "provider",
        "reward",
        "units_per_hit",
        "stus",
        "scus",
        "pilot",
        "judge",
        "seed",
    ),
)


def _asked(request: HttpRequest, project: int) -> dict[str, Any]:
    """What the address says of the form, or what an earlier plan was asked."""
    said: dict[str, Any] = {name: request.GET[name] for name in ASKED if name in request.GET}
    again = request.GET.get("again", "")
    if again.isdecimal() and len(again) < 19:
        before = BudgetPlan.objects.filter(project=project, pk=int(again)).first()
        if before is not None:
            return {**_said_before(before), **said}
    return said


def _said_before(plan: BudgetPlan) -> dict[str, Any]:
    asked = {name: value for name, value in plan.asked.items() if name in ASKED}
    goal = next((name for name in ("width", "difference") if asked.get(f"goal_{name}")), "")
    asked["goal"] = goal or "correlation"
    for name in ("goal_width", "goal_difference"):
        if asked[name] is None:
            del asked[name]
    if asked["money"] is not None:
        asked["money"] = Decimal(asked["money"])
    asked["reward"] = Decimal(asked["reward"])
    asked["pilot"] = f"labels-{plan.pilot_id}" if plan.pilot_id else ""
    return asked | {"stus": plan.stus_id or "", "scus": plan.scus_id or ""}


@project_view()
@require_safe
def plan(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = get_plan(access.project, pk)
    names = list_study_judges(access.project)
    context = project_context(
        access, "plans", plan=found, judge_names=names, **job_context(access, found)
    )
    if found.is_ready:
        context |= _frontier(request, found)
        context |= _work(found) if found.chosen else {}
        if access.can_edit and not found.chosen and context["shown"]:
            context |= apply_context(found, context["shown"]["key"])
    return render(request, "evaluation/plan.html", context)


def _frontier(request: HttpRequest, plan: BudgetPlan, key: str = "") -> dict[str, Any]:
    """The plans with the one that is looked at, by the figure that was asked for."""
    best = plan.frontier["best"]
    wanted = key or request.GET.get("plan", "") or plan.chosen or best
    shown = next((row for row in plan.plans if row["key"] == wanted), None)
    shown = shown or next((row for row in plan.plans if row["key"] == best), None)
    figure = request.GET.get("figure", "")
    decides = get_goal_figure(plan)
    figure = figure if figure in FIGURES else decides
    goal = plan.asked["goal_width"] if figure == "width" else None
    if figure == "power" and plan.asked["goal_difference"]:
        goal = plan.asked["power"]
    charts = [
        draw_frontier(
            plan.plans,
            figure,
            best=best,
            top=plan.frontier.get("top", ""),
            chosen=shown["key"] if shown else "",
            goal=goal,
            width=width,
        )
        for width in (WIDE, NARROW)
    ]
    return {
        **_fold(plan, shown),
        "shown": shown,
        "best": best,
        "verdict": get_verdict(plan),
        "goal_figure": decides,
        "figure_name": FIGURES[decides].lower(),
        "tolerance": TELLS[decides],
        "figure": figure,
        "has_goal": bool(plan.asked["goal_width"] or plan.asked["goal_difference"]),
        "figures": FIGURES,
        "charts": charts,
        "next_system": _quote(plan, shown) if shown else None,
    }


def _fold(plan: BudgetPlan, shown: dict[str, Any] | None) -> dict[str, Any]:
    """A handful of the plans for the first look, all of them behind it."""
    first = list_handful(plan)
    rows = list(enumerate(plan.plans, 1))
    return {
        "rows": rows,
        "handful": [(number, row) for number, row in rows if row["key"] in first],
        "is_folded": len(first) < len(rows),
        "is_shown_in_handful": shown is None or shown["key"] in first,
    }


def _quote(plan: BudgetPlan, shown: dict[str, Any]) -> Any:
    """What one system more costs: by the units that are there, or as the plan expects them."""
    if plan.campaign is not None and shown["key"] == plan.chosen:
        return quote_system(plan.campaign)
    chosen = Plan.from_json(shown)
    return quote_plan(chosen, systems=plan.asked["systems"], prices=get_asked_prices(plan))


def _work(plan: BudgetPlan) -> dict[str, Any]:
    """What was made of the plan, and how its choice would have done on labels that are there."""
    return {"progress": get_plan_progress(plan), "looked": get_look_back(plan)}


def apply_context(plan: BudgetPlan, key: str, form: ApplyForm | None = None) -> dict[str, Any]:
    initial = {"key": key, "name": _("Budget {plan}").format(plan=plan.pk)}
    return {
        "form": form or ApplyForm(plan, initial=initial),
        "can_apply": plan.stus_id is not None or list_stu_sets(plan.project).exists(),
    }


def job_context(
    access: ProjectAccess,
    made: CurveRun | BudgetPlan | Report | RobustnessStudy | ScoreEstimate | ScoreSet,
) -> dict[str, Any]:
    job = made.job
    is_open = job is not None and not job.is_over and not made.is_ready
    return {
        "job": job if is_open else None,
        "failed_job": job if job and job.state == JobState.FAILED and not made.is_ready else None,
        "can_cancel": is_open and access.can_edit and job and not job.cancel_requested,
        "can_delete": access.can_edit and not is_open,
    }


@project_view(Role.EDITOR)
@require_POST
def apply_plan(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    """Make the plan so; what is wrong with the form is said on the plan's page."""
    found = get_ready_plan(access.project, pk)
    form = ApplyForm(found, request.POST)
    if form.is_valid():
        try:
            taken.apply_plan(plan=found, user=user_of(request), **form.arguments())
        except DomainError as error:
            form.add_error(None, f"{error.message} {error.hint}".strip())
        else:
            messages.success(
                request, _("The plan’s sentences were assigned. Nothing has been spent.")
            )
            return redirect("evaluation:plan", access.project.slug, pk)
    key = request.POST.get("key", "")
    names = list_study_judges(access.project)
    context = project_context(
        access, "plans", plan=found, judge_names=names, **job_context(access, found)
    )
    context |= _frontier(request, found, key) | apply_context(found, key, form)
    return render(request, "evaluation/plan.html", context, status=422)


@project_view(Role.EDITOR)
@require_POST
def undo_plan(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    taken.undo_plan(plan=get_plan(access.project, pk), user=user_of(request))
    messages.success(
        request, _("The plan was undone; its draft set and draft campaign were deleted.")
    )
    return redirect("evaluation:plan", access.project.slug, pk)


@project_view(Role.EDITOR)
@require_POST
def delete_plan(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = get_plan(access.project, pk)
    words = _("{found} was deleted.").format(found=found)
    service.delete_plan(plan=found, user=user_of(request))
    messages.success(request, words)
    return redirect("evaluation:plans", access.project.slug)


@project_view()
@require_safe
def plans_csv(request: HttpRequest, access: ProjectAccess, pk: int) -> StreamingHttpResponse:
    return csv_response(stream_plans(get_ready_plan(access.project, pk)), f"plans-{pk}.csv")


@project_view()
@require_safe
def quote(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    """What further systems cost; the address says of which campaign and how many."""
    project = access.project
    newest = project.campaigns.first()
    filled = request.GET.copy()
    for name, value in (("campaign", str(newest.pk) if newest else ""), ("systems", "1")):
        filled.setdefault(name, value)
    form = QuoteForm(project, filled)
    context = project_context(access, "quote", form=form, has_campaigns=newest is not None)
    if newest is not None and form.is_valid():
        data = form.cleaned_data
        found = quote_system(data["campaign"], systems=data["systems"], kind=data["kind"])
        context |= {"quote": found, "campaign": data["campaign"], "systems": data["systems"]}
    return render(request, "evaluation/quote.html", context)
