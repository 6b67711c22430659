"""Curves: the list, new ones, and what was drawn."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.access import ProjectAccess
from annotation.corpora.projects.access import project_context, project_view, sent, user_of
from annotation.corpora.projects.models import Role
from annotation.crowd.campaigns.views import csv_response
from annotation.errors import DomainError
from annotation.evaluation.judges.queries import list_ready_labels, read_learned_sources
from annotation.evaluation.planning import curves as planning_curves
from annotation.evaluation.planning.charts import draw_curve_chart
from annotation.evaluation.planning.forms import CurvesForm
from annotation.evaluation.planning.models import CurveRun
from annotation.evaluation.planning.queries import (
    LEVELS,
    get_curves,
    get_ready_curves,
    list_curve_rows,
    list_curves,
    list_frozen_stus,
    stream_curves,
)
from annotation.evaluation.planning.studies import list_study_judges
from annotation.evaluation.planning.views import job_context
from annotation.units.stus.regressors import count_ranked
from scoring.figures.scale import NARROW, WIDE
from scoring.measured_coverage import CURVE_GAIN, say_departures

MOST_ROWS = 200


@project_view()
@require_safe
def curves_list(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    rows = list(list_curves(access.project)[:MOST_ROWS])
    context = project_context(
        access,
        "curves",
        rows=rows,
        judge_names=list_study_judges(access.project),
        is_moving=any(row.is_moving for row in rows),
        **_needs(access),
    )
    return render(request, "evaluation/curves_list.html", context)


def _needs(access: ProjectAccess) -> dict[str, bool]:
    """What curves are drawn from."""
    return {
        "has_labels": list_ready_labels(access.project).exists(),
        "has_stus": list_frozen_stus(access.project).exists(),
    }


@project_view(Role.EDITOR)
@require_http_methods(["GET", "POST"])
def draw_curves(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    project = access.project
    names = ("source", "stus", "judge")
    asked = {name: request.GET[name] for name in names if name in request.GET}
    form = CurvesForm(project, sent(request), initial=asked)
    if request.method == "POST" and form.is_valid():
        try:
            made = planning_curves.draw_curves(
                project=project, user=user_of(request), **form.arguments()
            )
        except DomainError as error:
            form.add_error(None, f"{error.message} {error.hint}".strip())
        else:
            return redirect("evaluation:curves", project.slug, made.pk)
    context = project_context(access, "curves", form=form, **_needs(access))
    status = 422 if request.method == "POST" else 200
    return render(request, "evaluation/draw_curves.html", context, status=status)


@project_view()
@require_safe
def curves(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = get_curves(access.project, pk)
    names = list_study_judges(access.project)
    context = project_context(
        access, "curves", curves=found, judge_names=names, **job_context(access, found)
    )
    if found.is_ready:
        context["levels"] = [_level(found, level) for level in LEVELS]
        context["shared"] = count_ranked(found.stus)
        context["learned"] = read_learned_sources(found.sources, [found.scu_run, found.stu_run])
        context["departures"] = say_departures(CURVE_GAIN)
    return render(request, "evaluation/curves.html", context)


def _level(curves: CurveRun, level: str) -> dict[str, object]:
    rows, percentages = list_curve_rows(curves, level), curves.found["percentages"]
    return {
        "name": level,
        "rows": rows,
        "kendall": {row["order"]: row for row in list_curve_rows(curves, level, "kendall")},
        "charts": [draw_curve_chart(rows, percentages, width) for width in (WIDE, NARROW)],
    }


@project_view()
@require_safe
def curves_csv(request: HttpRequest, access: ProjectAccess, pk: int) -> StreamingHttpResponse:
    return csv_response(stream_curves(get_ready_curves(access.project, pk)), f"curves-{pk}.csv")


@project_view(Role.EDITOR)
@require_POST
def delete_curves(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = get_curves(access.project, pk)
    words = _("{found} were deleted.").format(found=found)
    planning_curves.delete_curves(curves=found, user=user_of(request))
    messages.success(request, words)
    return redirect("evaluation:curves_list", access.project.slug)
