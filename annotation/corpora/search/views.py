"""The page of what was found in a project, by kind; its address can be shared."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.access import ProjectAccess
from annotation.corpora.projects.access import project_context, project_view
from annotation.corpora.search import queries
from annotation.corpora.search.queries import Found, Kind


@project_view()
@require_safe
def search(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    q = queries.clean_query(request.GET.get("q", ""))
    kinds = {kind.name: kind for kind in queries.list_kinds(access)}
    kind = kinds.get(request.GET.get("kind", ""))
    is_asked = queries.is_long_enough(q)
    context = project_context(
        access, "search", q=q, is_asked=is_asked, kind=kind, shortest=queries.SHORTEST
    )
    if is_asked:
        context |= _one(request, access, kind, q) if kind else _all(access, q)
    return render(request, "corpora/search.html", context)


def _all(access: ProjectAccess, q: str) -> dict[str, Any]:
    """The first of every kind, and the kinds that were not looked through."""
    found = queries.search_project(access, q)
    left_out = [k for k in queries.list_kinds(access) if not k.is_asked(access.project)]
    return {
        "groups": [_group(each, q) for each in found],
        "left_out": left_out,
        "total": sum(each.count for each in found),
    }


def _one(request: HttpRequest, access: ProjectAccess, kind: Kind, q: str) -> dict[str, Any]:
    """A page of one kind."""
    size = queries.PAGE_SIZE
    number = request.GET.get("page", "1")
    first = (int(number) - 1) * size if number.isdecimal() and 0 < int(number) < 1000 else 0
    found = queries.search_kind(access, kind, q, first=first, size=size)
    page = Paginator(range(found.count), size).get_page(first // size + 1)
    rest = request.GET.copy()
    rest.pop("page", None)
    return {
        "groups": [_group(found, q)] if found.matches else [],
        "page": page,
        "total": found.count,
        "first": page.start_index(),
        "last": page.end_index(),
        "query_string": rest.urlencode(),
    }


def _group(found: Found, q: str) -> dict[str, Any]:
    return {
        "kind": found.kind,
        "count": found.count,
        "is_more": found.is_more,
        "rest": found.count - len(found.matches),
        "rows": [queries.mark(match, q) for match in found.matches],
    }
