"""Narrowing all spans of a set: what would change, example by example, and the undoing.

- All units of a set in one table: filtered, checked by the linter, changed many at a time.
"""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from annotation.access import ProjectAccess
from annotation.corpora.corpus.queries import CountedPaginator
from annotation.corpora.projects.access import project_context, project_view, user_of
from annotation.corpora.projects.models import Role
from annotation.errors import DomainError
from annotation.units.sets import bulk, narrowing, table
from annotation.units.sets.bulk import describe_edit, list_checks
from annotation.units.sets.models import UnitSet
from annotation.units.sets.narrowing import find_undoable, list_narrowed, list_narrowings
from annotation.units.sets.queries import get_settings
from annotation.units.studio import queries as studio_queries
from annotation.units.stus.easiness import live_examples

EXAMPLES_A_PAGE = 25


@project_view(Role.EDITOR)
@require_http_methods(["GET", "POST"])
def narrow(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = studio_queries.get_visible_set(access, pk)
    if request.method == "POST":
        undo = "undo" in request.POST
        narrowing.narrow_spans(unit_set=found, user=user_of(request), undo=undo)
        return redirect("units:narrow", access.project.slug, pk)
    examples = live_examples(access.project).values_list("pk", flat=True)
    page = CountedPaginator(examples, EXAMPLES_A_PAGE, access.project.example_count).get_page(
        request.GET.get("page", 1)
    )
    jobs = list_narrowings(found)
    job = jobs[0] if jobs and not jobs[0].is_over else None
    context = project_context(
        access,
        "units",
        unit_set=found,
        job=job,
        before=jobs[0] if jobs and job is None else None,
        undoable=find_undoable(found),
        rows=[] if job else list_narrowed(found, list(page.object_list)),
        page=page,
        first=page.start_index(),
        last=page.end_index(),
        total=page.paginator.count,
    )
    return render(request, "units/narrow.html", context)


ROWS_A_PAGE = 100


@project_view()
@require_http_methods(["GET", "POST"])
def all_units(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = studio_queries.get_visible_set(access, pk)
    if request.method == "GET":
        return _page(request, access, found, 200)
    access.require(Role.ANNOTATOR)
    try:
        action = request.POST.get("action", "")
        count = bulk.edit_units(
            unit_set=found,
            user=user_of(request),
            action=action,
            units=_selected(request),
            find=request.POST.get("find", ""),
            replacement=request.POST.get("replacement", ""),
        )
    except DomainError as error:
        return _page(request, access, found, error.status, error)
    messages.success(request, describe_edit(action, count))
    address = reverse("units:all", args=[access.project.slug, pk])
    return redirect(f"{address}?{request.GET.urlencode()}")


def _selected(request: HttpRequest) -> dict[int, int]:
    """The units whose boxes were ticked, each with the revision that was shown."""
    pairs = (value.partition(":") for value in request.POST.getlist("unit"))
    return {int(pk): int(rev) for pk, __, rev in pairs if pk.isdecimal() and rev.isdecimal()}


def _page(
    request: HttpRequest,
    access: ProjectAccess,
    unit_set: UnitSet,
    status: int,
    error: DomainError | None = None,
) -> HttpResponse:
    chosen = table.read_unit_filter(request.GET.dict())
    rows = table.filter_units(unit_set, chosen)
    known = table.count_known(unit_set, chosen)
    page = CountedPaginator(rows, ROWS_A_PAGE, known).get_page(request.GET.get("page", 1))
    check = next(iter(list_checks(unit_set)), None)
    context = project_context(
        access,
        "units",
        unit_set=unit_set,
        chosen=chosen,
        query_string=chosen.query_string,
        page=page,
        rows=_rows(unit_set, list(page.object_list), _selected(request)),
        first=page.start_index(),
        last=page.end_index(),
        total=page.paginator.count,
        authors=table.list_authors(unit_set),
        states=table.STATES,
        rules=table.list_lint_choices(unit_set),
        check=check,
        # The page that waits for a check takes the linter's cells from the answer that ends it,
        # and leaves what was ticked and typed meanwhile.
        is_news=check is None and bool(getattr(request, "htmx", False)),
        error=error,
        can_write=access.allows(Role.ANNOTATOR) and not unit_set.is_frozen,
        can_narrow=access.can_edit and not unit_set.is_frozen,
        can_check=access.allows(Role.ANNOTATOR),
        is_deleted=chosen.state == table.DELETED,
    )
    return render(request, "units/all_units.html", context, status=status)


def _rows(unit_set: UnitSet, units: list[Any], selected: dict[int, int]) -> list[dict[str, Any]]:
    disabled = get_settings(unit_set.project).disabled_rules
    states = table.list_states(unit_set, [unit.example_id for unit in units])
    return [
        {
            "unit": unit,
            "state": states.get(unit.example_id, _("To write")),
            "rules": table.describe_rules(unit, disabled),
            "is_selected": unit.pk in selected,
        }
        for unit in units
    ]


@project_view(Role.ANNOTATOR)
@require_POST
def check(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = studio_queries.get_visible_set(access, pk)
    bulk.start_check(unit_set=found, user=user_of(request))
    return redirect("units:all", access.project.slug, pk)
