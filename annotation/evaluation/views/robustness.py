"""Studies of robustness: the list, new ones, and what was found."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.access import ProjectAccess
from annotation.corpora.models import Role
from annotation.corpora.views.access import project_context, project_view, sent, user_of
from annotation.crowd.views.campaigns import csv_response
from annotation.errors import DomainError
from annotation.evaluation import services
from annotation.evaluation.drop_charts import draw_drops
from annotation.evaluation.models import RobustnessStudy
from annotation.evaluation.selectors.metric_choices import list_metric_choices
from annotation.evaluation.selectors.robustness import (
    choose_columns,
    get_ready_study,
    get_study,
    group_columns,
    list_lines,
    list_pieces,
    list_studies,
    stream_drops,
)
from annotation.evaluation.study_forms import RobustnessForm
from annotation.evaluation.views.planning import job_context
from annotation.translation import gettext as _
from scoring.figures.scale import NARROW, WIDE

MOST_ROWS = 200
TAB = "robustness"


@project_view()
@require_safe
def studies(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    rows = list(list_studies(access.project)[:MOST_ROWS])
    is_moving = any(row.is_moving for row in rows)
    context = project_context(access, TAB, rows=rows, is_moving=is_moving, **_needs(access))
    return render(request, "evaluation/robustness_list.html", context)


def _needs(access: ProjectAccess) -> dict[str, bool]:
    return {"has_summaries": access.project.system_count > 0}


@project_view(Role.EDITOR)
@require_http_methods(["GET", "POST"])
def study_robustness(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    project = access.project
    form = RobustnessForm(project, list_metric_choices(project), sent(request))
    if request.method == "POST" and form.is_valid():
        try:
            made = services.study_robustness(
                project=project, user=user_of(request), **form.arguments()
            )
        except DomainError as error:
            form.add_error(None, f"{error.message} {error.hint}".strip())
        else:
            return redirect("evaluation:robustness", project.slug, made.pk)
    context = project_context(access, TAB, form=form, **_needs(access))
    status = 422 if request.method == "POST" else 200
    return render(request, "evaluation/study_robustness.html", context, status=status)


@project_view()
@require_safe
def study(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = get_study(access.project, pk)
    context = project_context(access, TAB, study=found, **job_context(access, found))
    if found.is_ready:
        context |= _found(request, found)
    return render(request, "evaluation/robustness.html", context)


def _found(request: HttpRequest, study: RobustnessStudy) -> dict[str, Any]:
    chosen = choose_columns(study, request.GET.dict())
    lines = list_lines(study, chosen)
    return {
        "chosen": [(name, own, chosen[name]) for name, own in group_columns(study).items()],
        "charts": [draw_drops(lines, study.percentages, width) for width in (WIDE, NARROW)],
        "texts": [
            row | {"pieces": list_pieces(row["before"], row["after"])}
            for row in study.found["texts"]
        ],
    }


@project_view()
@require_safe
def drops_csv(request: HttpRequest, access: ProjectAccess, pk: int) -> StreamingHttpResponse:
    found = get_ready_study(access.project, pk)
    return csv_response(stream_drops(found), f"robustness-{pk}.csv")


@project_view(Role.EDITOR)
@require_POST
def delete_study(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = get_study(access.project, pk)
    words = _("{found} was deleted.").format(found=found)
    services.delete_study(study=found, user=user_of(request))
    messages.success(request, words)
    return redirect("evaluation:robustness_list", access.project.slug)
