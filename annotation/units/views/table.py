"""All units of a set in one table: filtered, checked by the linter, changed many at a time."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from annotation.access import ProjectAccess
from annotation.corpora.models import Role
from annotation.corpora.selectors.corpus import CountedPaginator
from annotation.corpora.views.access import project_context, project_view, user_of
from annotation.errors import DomainError
from annotation.translation import gettext as _
from annotation.units import services
from annotation.units.models import UnitSet
from annotation.units.selectors import studio as selectors
from annotation.units.selectors import table
from annotation.units.selectors.settings import get_settings
from annotation.units.services.bulk import describe_edit
from annotation.units.services.checking import list_checks

ROWS_A_PAGE = 100


@project_view()
@require_http_methods(["GET", "POST"])
def all_units(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = selectors.get_visible_set(access, pk)
    if request.method == "GET":
        return _page(request, access, found, 200)
    access.require(Role.ANNOTATOR)
    try:
        action = request.POST.get("action", "")
        count = services.edit_units(
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
    found = selectors.get_visible_set(access, pk)
    services.start_check(unit_set=found, user=user_of(request))
    return redirect("units:all", access.project.slug, pk)
