"""Estimates: the list, a new one, and what was found."""

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
from annotation.evaluation.estimate_charts import draw_estimates
from annotation.evaluation.estimate_forms import EstimateForm
from annotation.evaluation.models import ScoreEstimate
from annotation.evaluation.selectors.estimates import (
    count_apart,
    get_estimate,
    get_ready_estimate,
    list_estimates,
    list_pairs,
    list_ready_runs,
    list_rows,
    stream_pairs,
    stream_scores,
)
from annotation.evaluation.selectors.learned import read_learned_sources
from annotation.evaluation.selectors.studies import list_study_judges
from annotation.evaluation.selectors.trained import list_ready_labels
from annotation.evaluation.views.planning import job_context
from annotation.translation import gettext as _
from scoring.figures.scale import NARROW, WIDE

MOST_ROWS = 200
MOST_PAIRS = 400


@project_view()
@require_safe
def estimates(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    rows = list(list_estimates(access.project)[:MOST_ROWS])
    is_moving = any(row.is_moving for row in rows)
    names = list_study_judges(access.project)
    context = project_context(
        access,
        "estimates",
        rows=rows,
        judge_names=names,
        is_moving=is_moving,
        **_needs(access),
    )
    return render(request, "evaluation/estimates.html", context)


def _needs(access: ProjectAccess) -> dict[str, bool]:
    """What estimates are made of."""
    return {
        "has_labels": list_ready_labels(access.project).exists(),
        "has_runs": list_ready_runs(access.project).exists(),
    }


@project_view(Role.EDITOR)
@require_http_methods(["GET", "POST"])
def estimate_scores(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    project = access.project
    asked = {name: request.GET[name] for name in ("source", "run") if name in request.GET}
    form = EstimateForm(project, sent(request), initial=asked)
    if request.method == "POST" and form.is_valid():
        try:
            made = services.estimate_scores(
                project=project, user=user_of(request), **form.arguments()
            )
        except DomainError as error:
            form.add_error(None, f"{error.message} {error.hint}".strip())
        else:
            return redirect("evaluation:estimate", project.slug, made.pk)
    context = project_context(access, "estimates", form=form, **_needs(access))
    status = 422 if request.method == "POST" else 200
    return render(request, "evaluation/estimate_scores.html", context, status=status)


@project_view()
@require_safe
def estimate(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = get_estimate(access.project, pk)
    names = list_study_judges(access.project)
    context = project_context(
        access, "estimates", estimate=found, judge_names=names, **job_context(access, found)
    )
    if found.is_ready:
        context |= _shown(found)
    return render(request, "evaluation/estimate.html", context)


def _shown(estimate: ScoreEstimate) -> dict[str, Any]:
    rows, pairs = list_rows(estimate), list_pairs(estimate)
    annotators = estimate.found.get("replacement", {}).get("annotators", [])
    saved = sum(row["saved"] for row in rows) / len(rows)
    return {
        "learned": read_learned_sources(estimate.sources, [estimate.run]),
        "rows": rows,
        "pairs": pairs[:MOST_PAIRS],
        "more_pairs": max(len(pairs) - MOST_PAIRS, 0),
        "apart": count_apart(estimate),
        "charts": [draw_estimates(rows, width) for width in (WIDE, NARROW)],
        "annotators": annotators[:MOST_ROWS],
        "more_annotators": max(len(annotators) - MOST_ROWS, 0),
        "saved": saved,
        "saved_labels": saved * estimate.found["labels"] * len(rows),
        "narrower": _narrower(rows),
    }


def _narrower(rows: list[dict[str, Any]]) -> float | None:
    """The mean width of intervals, as a share of people's alone."""
    alone = sum(row["people_high"] - row["people_low"] for row in rows)
    return sum(row["high"] - row["low"] for row in rows) / alone if alone else None


@project_view()
@require_safe
def estimate_csv(request: HttpRequest, access: ProjectAccess, pk: int) -> StreamingHttpResponse:
    found = get_ready_estimate(access.project, pk)
    return csv_response(stream_scores(found), f"estimate-{pk}.csv")


@project_view()
@require_safe
def estimate_pairs_csv(
    request: HttpRequest, access: ProjectAccess, pk: int
) -> StreamingHttpResponse:
    found = get_ready_estimate(access.project, pk)
    return csv_response(stream_pairs(found), f"estimate-{pk}-pairs.csv")


@project_view(Role.EDITOR)
@require_POST
def delete_estimate(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = get_estimate(access.project, pk)
    words = _("{found} was deleted.").format(found=found)
    services.delete_estimate(estimate=found, user=user_of(request))
    messages.success(request, words)
    return redirect("evaluation:estimates", access.project.slug)
