"""Two sources of scores beside each other: on how many examples they prefer other systems."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.access import ProjectAccess
from annotation.corpora.views.access import project_context, project_view
from annotation.crowd.views.campaigns import csv_response
from annotation.evaluation.selectors.metric_disagreements import (
    SORTS,
    choose_pair,
    count_source_disagreements,
    stream_disagreements,
)

ROWS_A_PAGE = 50
TAB = "disagreements"


@project_view()
@require_safe
def metric_disagreements(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    asked = (request.GET.get(name, "") for name in ("first", "second"))
    sources, first, second = choose_pair(access.project, *asked)
    context = project_context(access, TAB, sources=sources, one=first, other=second)
    context["has_two"] = bool(first and second)
    context["is_same"] = first == second
    if context["has_two"] and not context["is_same"]:
        context |= _found(request, access, first, second)
    return render(request, "evaluation/metric_disagreements.html", context)


def _found(request: HttpRequest, access: ProjectAccess, first: str, second: str) -> dict[str, Any]:
    sort = request.GET.get("sort", "")
    sort = sort if sort in SORTS else SORTS[0]
    found = count_source_disagreements(access.project, first, second, sort)
    page = Paginator(found.pairs, ROWS_A_PAGE).get_page(request.GET.get("page", 1))
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
    _, first, second = choose_pair(access.project, *asked)
    found = count_source_disagreements(access.project, first, second)
    return csv_response(stream_disagreements(found), "disagreements.csv")
