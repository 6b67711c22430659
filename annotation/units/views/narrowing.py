"""Narrowing all spans of a set: what would change, example by example, and the undoing."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from annotation.access import ProjectAccess
from annotation.corpora.models import Role
from annotation.corpora.selectors.corpus import CountedPaginator
from annotation.corpora.views.access import project_context, project_view, user_of
from annotation.units import services
from annotation.units.selectors import studio as selectors
from annotation.units.selectors.narrowing import find_undoable, list_narrowed, list_narrowings
from annotation.units.services.sentences import live_examples

EXAMPLES_A_PAGE = 25


@project_view(Role.EDITOR)
@require_http_methods(["GET", "POST"])
def narrow(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = selectors.get_visible_set(access, pk)
    if request.method == "POST":
        undo = "undo" in request.POST
        services.narrow_spans(unit_set=found, user=user_of(request), undo=undo)
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
