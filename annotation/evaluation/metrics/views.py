"""Scores of metrics: the list, new ones, those of others, and what one set says.

- Two sources of scores beside each other: on how many examples they prefer other systems.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.access import ProjectAccess
from annotation.corpora.projects.access import project_context, project_view, sent, user_of
from annotation.corpora.projects.models import Role
from annotation.crowd.campaigns.views import csv_response
from annotation.errors import DomainError, NotFound
from annotation.evaluation.judges.queries import list_learned_scores
from annotation.evaluation.labels.charts import draw_scores
from annotation.evaluation.metrics import files, names, service
from annotation.evaluation.metrics.forms import ManyMetricsForm, MetricForm, ScoreImportForm
from annotation.evaluation.metrics.models import ScoreSet
from annotation.evaluation.metrics.queries import (
    check_column,
    get_ready_scores,
    get_score_set,
    list_cells,
    list_example_scores,
    list_score_sets,
    list_system_scores,
    order_columns,
    stream_scores,
)
from annotation.evaluation.metrics.sources import (
    SORTS,
    choose_pair,
    count_source_disagreements,
    get_score_source,
    list_metric_choices,
    stream_disagreements,
)
from annotation.evaluation.planning.views import job_context
from annotation.file_views import takes_files
from annotation.wording import counted
from scoring.figures.scale import NARROW, WIDE
from scoring.metrics import METRICS

MOST_ROWS = 200
ROWS_A_PAGE = 25
TAB = "metrics"


@project_view()
@require_safe
def score_sets(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    rows = list(list_score_sets(access.project)[:MOST_ROWS])
    context = project_context(
        access, TAB, rows=rows, is_moving=any(row.is_moving for row in rows), **_needs(access)
    )
    return render(request, "evaluation/score_sets.html", context)


def _needs(access: ProjectAccess) -> dict[str, bool]:
    return {"has_summaries": access.project.system_count > 0}


@project_view(Role.EDITOR)
@require_http_methods(["GET", "POST"])
def score_metric(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    """The metric stands in the address, so that its options are there without a script."""
    project = access.project
    metric = request.GET.get("metric") or next(iter(METRICS))
    if metric not in METRICS:
        raise NotFound(
            _("There is no metric '{metric}'.").format(metric=metric[:40]),
            _("Known: {metrics}.").format(metrics=", ".join(METRICS)),
        )
    form = MetricForm(project, metric, sent(request))
    if request.method == "POST" and form.is_valid():
        try:
            made = service.score_metric(project=project, user=user_of(request), **form.arguments())
        except DomainError as error:
            form.add_error(None, f"{error.message} {error.hint}".strip())
        else:
            return redirect("evaluation:score_set", project.slug, made.pk)
    context = project_context(
        access, TAB, form=form, metric=metric, metrics=METRICS.values(), **_needs(access)
    )
    status = 422 if request.method == "POST" else 200
    return render(request, "evaluation/score_metric.html", context, status=status)


@project_view(Role.EDITOR)
@require_http_methods(["GET", "POST"])
def score_metrics(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    """Several metrics at once, each with its usual options; at first those that are quick."""
    project = access.project
    choices = list_metric_choices(project)
    usual = [row.name for row in choices if row.is_quick and not row.lack]
    form = ManyMetricsForm(project, choices, sent(request), initial={"metrics": usual})
    if request.method == "POST" and form.is_valid():
        try:
            begun = service.score_metrics(
                project=project, user=user_of(request), **form.arguments()
            )
        except DomainError as error:
            form.add_error(None, f"{error.message} {error.hint}".strip())
        else:
            count = len(begun.score_sets)
            messages.success(
                request, _("{metrics} started.").format(metrics=counted(count, "metric", "metrics"))
            )
            return redirect("evaluation:score_sets", project.slug)
    context = project_context(access, TAB, form=form, **_needs(access))
    status = 422 if request.method == "POST" else 200
    return render(request, "evaluation/score_metrics.html", context, status=status)


@takes_files
@project_view(Role.EDITOR)
@require_http_methods(["GET", "POST"])
def import_scores(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    form = ScoreImportForm(sent(request), request.FILES or None)
    problems: list[dict[str, Any]] = []
    if request.method == "POST" and form.is_valid():
        try:
            outcome = files.import_uploaded_scores(
                project=access.project, user=user_of(request), **form.arguments()
            )
        except DomainError as error:
            form.add_error(None, f"{error.message} {error.hint}".strip())
        else:
            if outcome.score_set is not None:
                return redirect("evaluation:score_set", access.project.slug, outcome.score_set.pk)
            problems = outcome.problems
    context = project_context(access, TAB, form=form, problems=problems, **_needs(access))
    status = 422 if request.method == "POST" else 200
    return render(request, "evaluation/import_scores.html", context, status=status)


@project_view()
@require_safe
def score_set(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = get_score_set(access.project, pk)
    entry = METRICS.get(found.metric)
    context = project_context(
        access, TAB, score_set=found, entry=entry, **job_context(access, found)
    )
    if found.is_ready:
        column = found.columns[check_column(found, request.GET.get("column", ""))]
        context |= _systems(found, column) | _summaries(request, found, column)
        context["learned"] = list_learned_scores([found])
    return render(request, "evaluation/score_set.html", context)


def _systems(score_set: ScoreSet, column: str) -> dict[str, Any]:
    rows = list_system_scores(score_set, column)
    return {
        "column": column,
        "column_name": score_set.name_column(column),
        "source_key": f"scores:{score_set.pk}:{column}",
        "is_lower": column in score_set.lower,
        "systems": rows,
        "charts": [draw_scores(rows, [], width) for width in (WIDE, NARROW)],
    }


def _summaries(request: HttpRequest, score_set: ScoreSet, column: str) -> dict[str, Any]:
    """Some examples a page, with all systems or one; the chosen column stands first."""
    asked = request.GET.get("system", "")
    system = asked if asked in score_set.systems else ""
    size = ROWS_A_PAGE if system else max(1, ROWS_A_PAGE // len(score_set.systems))
    page = Paginator(list_example_scores(score_set), size).get_page(request.GET.get("page", 1))
    shown = order_columns(score_set, column)
    rest = request.GET.copy()
    rest.pop("page", None)
    return {
        "system": system,
        "shown": [score_set.name_column(name) for name in shown],
        "cells": list_cells(score_set, list(page.object_list), shown, system),
        "page": page,
        "total": page.paginator.count,
        "first": page.start_index(),
        "last": page.end_index(),
        "query_string": rest.urlencode(),
    }


@project_view()
@require_safe
def score_set_csv(request: HttpRequest, access: ProjectAccess, pk: int) -> StreamingHttpResponse:
    found = get_ready_scores(access.project, pk)
    return csv_response(stream_scores(found), f"scores-{pk}.csv")


@project_view(Role.EDITOR)
@require_POST
def name_source(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    """A metric's or a run's display name; what is refused is shown where it was typed."""
    key, name = request.POST.get("key", ""), request.POST.get("name", "")
    get_score_source(access.project, key)
    kind, number, *column = key.split(":", 2)
    query = {"column": column[0]} if column else {}
    try:
        names.name_source(project=access.project, user=user_of(request), key=key, name=name)
    except DomainError as error:
        messages.error(request, f"{error.message} {error.hint}".strip())
        query["typed"] = name[:200]
    else:
        messages.success(request, _("The display name was saved."))
    where = "run" if kind == "run" else "score_set"
    path = reverse(f"evaluation:{where}", args=[access.project.slug, number])
    return redirect(f"{path}?{urlencode(query)}" if query else path)


@project_view(Role.EDITOR)
@require_POST
def delete_score_set(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = get_score_set(access.project, pk)
    words = _("{found} were deleted.").format(found=found)
    service.delete_score_set(score_set=found, user=user_of(request))
    messages.success(request, words)
    return redirect("evaluation:score_sets", access.project.slug)


DISAGREEMENTS_A_PAGE = 50
DISAGREEMENTS_TAB = "disagreements"


@project_view()
@require_safe
def metric_disagreements(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    asked = (request.GET.get(name, "") for name in ("first", "second"))
    sources, first, second = choose_pair(access.project, *asked)
    context = project_context(access, DISAGREEMENTS_TAB, sources=sources, one=first, other=second)
    context["has_two"] = bool(first and second)
    context["is_same"] = first == second
    if context["has_two"] and not context["is_same"]:
        context |= _found(request, access, first, second)
    return render(request, "evaluation/metric_disagreements.html", context)


def _found(request: HttpRequest, access: ProjectAccess, first: str, second: str) -> dict[str, Any]:
    sort = request.GET.get("sort", "")
    sort = sort if sort in SORTS else SORTS[0]
    found = count_source_disagreements(access.project, first, second, sort)
    page = Paginator(found.pairs, DISAGREEMENTS_A_PAGE).get_page(request.GET.get("page", 1))
    rest = request.GET.copy()
    rest.pop("page", None)
    totals = {name: found.total(name) for name in ("examples", "agree", "disagree", "tied")}
    return {
        "found": found,
        "totals": totals,
        "sort": sort,
        "page": page,
        "total": page.paginator.count,
        "first": page.start_index(),
        "last": page.end_index(),
        "query_string": rest.urlencode(),
    }


@project_view()
@require_safe
def disagreements_csv(request: HttpRequest, access: ProjectAccess) -> StreamingHttpResponse:
    asked = (request.GET.get(name, "") for name in ("first", "second"))
    __, first, second = choose_pair(access.project, *asked)
    found = count_source_disagreements(access.project, first, second)
    return csv_response(stream_disagreements(found), "disagreements.csv")
