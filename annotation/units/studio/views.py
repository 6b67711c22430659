"""The studio: the editor of one example, the merge assistant, the history, what's next."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from annotation.access import ProjectAccess
from annotation.corpora.corpus.models import Example
from annotation.corpora.corpus.queries import get_neighbours
from annotation.corpora.projects.access import project_context, project_view, user_of
from annotation.corpora.projects.models import Role
from annotation.units.files.peers import describe_peers
from annotation.units.sets.models import UnitSet
from annotation.units.studio import merging as studio_merging
from annotation.units.studio import progress, queries
from scoring.linting import RULES


@project_view()
@require_safe
def studio(request: HttpRequest, access: ProjectAccess, pk: int, example: int) -> HttpResponse:
    unit_set = queries.get_visible_set(access, pk)
    found = queries.get_example(unit_set, example)
    previous, following, number = get_neighbours(found)
    state = queries.get_studio_state(unit_set, found)
    can_write = access.allows(Role.ANNOTATOR) and not unit_set.is_frozen
    context = project_context(
        access,
        "units",
        unit_set=unit_set,
        example=found,
        number=number,
        total=access.project.example_count,
        previous=previous,
        next=following,
        documents=[
            {
                "number": row.position + 1,
                "paragraphs": [line for line in row.text.splitlines() if line.strip()],
                "words": len(row.text.split()),
            }
            for row in found.documents.all()
        ],
        state=state,
        can_write=can_write,
        urls=_urls(access.project.slug, unit_set, found),
        rules=[
            {"id": key, "title": rule.title, "explanation": rule.explanation}
            for key, rule in RULES.items()
        ],
    )
    return render(request, "units/studio.html", context)


def _urls(slug: str, unit_set: UnitSet, example: Example) -> dict[str, str]:
    names = ("ops", "changes", "lint", "written", "signed", "reopened", "comments")
    args = [slug, unit_set.pk, example.pk]
    urls = {name: reverse(f"units_api:{name}", args=args) for name in names}
    accept = reverse("units_api:accept_comment", args=[slug, 0])
    return {
        **urls,
        "comment": accept.removesuffix("accept/"),
        "next_in_queue": reverse("units:next", args=[slug, unit_set.pk]),
    }


@project_view(Role.ANNOTATOR)
@require_safe
def next_example(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    """Open what is next for me; `after` leaves out the example that I come from."""
    unit_set = queries.get_visible_set(access, pk)
    progress.ensure_assignments(unit_set)
    after = request.GET.get("after", "")
    for assignment in queries.list_queue(unit_set, user_of(request), limit=2):
        if str(assignment.example_id) != after:
            return redirect("units:studio", access.project.slug, pk, assignment.example_id)
    messages.success(request, _("You have nothing to do in this set."))
    return redirect("units:set", access.project.slug, pk)


@project_view()
@require_http_methods(["GET", "POST"])
def pyramid(request: HttpRequest, access: ProjectAccess, pk: int, example: int) -> HttpResponse:
    """The merge assistant: clusters of units with the same meaning, and the pyramid by weight."""
    unit_set = queries.get_visible_set(access, pk)
    found = queries.get_example(unit_set, example)
    if request.method == "POST":
        access.require(Role.ANNOTATOR)
        merged = studio_merging.merge_units(
            unit_set=unit_set,
            example=found,
            user=user_of(request),
            units=[int(value) for value in request.POST.getlist("unit") if value.isdecimal()],
            text=request.POST.get("text", ""),
        )
        messages.success(
            request, _("Merged into one unit of weight {weight}.").format(weight=merged.weight)
        )
        return redirect("units:pyramid", access.project.slug, pk, example)
    previous, following, number = get_neighbours(found)
    context = project_context(
        access,
        "units",
        unit_set=unit_set,
        example=found,
        number=number,
        previous=previous,
        next=following,
        clusters=studio_merging.list_clusters(unit_set, found),
        tiers=studio_merging.list_tiers(unit_set, found),
        peers=describe_peers(unit_set, found),
        can_write=access.allows(Role.ANNOTATOR) and not unit_set.is_frozen,
    )
    return render(request, "units/pyramid.html", context)


@project_view()
@require_safe
def history(request: HttpRequest, access: ProjectAccess, pk: int, example: int) -> HttpResponse:
    unit_set = queries.get_visible_set(access, pk)
    found = queries.get_example(unit_set, example)
    context = project_context(
        access,
        "units",
        unit_set=unit_set,
        example=found,
        entries=queries.list_history(unit_set, found),
        can_write=access.allows(Role.ANNOTATOR) and not unit_set.is_frozen,
    )
    return render(request, "units/history.html", context)
