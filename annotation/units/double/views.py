"""Double annotation: started, written independently, compared side by side, merged by a third."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.access import ProjectAccess
from annotation.corpora.corpus.models import Example
from annotation.corpora.corpus.queries import list_references
from annotation.corpora.projects.access import project_context, project_view, sent, user_of
from annotation.corpora.projects.models import Role
from annotation.errors import DomainError
from annotation.translation import gettext_lazy
from annotation.units.double import queries, service
from annotation.units.double.models import DoubleAnnotation, DoubleAuthor
from annotation.units.sets.forms import DoubleForm
from annotation.units.studio.queries import list_writers
from annotation.units.studio.states import units_with_spans

ROWS_A_PAGE = 50
PAIR = [
    ("first", gettext_lazy("{first}’s wording")),
    ("second", gettext_lazy("{second}’s wording")),
    ("both", gettext_lazy("Keep both as two units")),
    ("none", gettext_lazy("Leave out both")),
]
SINGLE = [("keep", gettext_lazy("Keep")), ("none", gettext_lazy("Leave out"))]


@project_view()
@require_http_methods(["GET", "POST"])
def doubles(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    project = access.project
    form = DoubleForm(project, sent(request))
    if request.method == "POST":
        access.require(Role.EDITOR)
        if form.is_valid():
            try:
                made = service.create_double(
                    project=project, user=user_of(request), **form.arguments()
                )
            except DomainError as error:
                form.add_error(None, f"{error.message} {error.hint}".strip())
            else:
                return redirect("units:double", project.slug, made.pk)
    context = project_context(
        access,
        "double",
        doubles=queries.list_doubles(project),
        form=form,
        has_authors=list_writers(project).count() > 1,
    )
    return render(request, "units/doubles.html", context, status=422 if form.errors else 200)


@project_view()
@require_safe
def double(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = queries.get_double(access.project, pk)
    own = queries.find_own(found, access)
    examples = queries.list_double_examples(found)
    page = Paginator(examples, ROWS_A_PAGE).get_page(request.GET.get("page", 1))
    figures = found.agreement.get("by_example", {})
    context = project_context(
        access,
        "double",
        double=found,
        authors=found.authors.all(),
        own=own,
        can_finish=own is None and access.can_edit,
        can_merge=own is None and access.allows(Role.ANNOTATOR),
        page=page,
        rows=[(row, figures.get(str(row.pk))) for row in page.object_list],
        first=page.start_index(),
        last=page.end_index(),
        total=page.paginator.count,
        query_string="",
        merged=queries.list_merged(found),
        unmerged=queries.list_unmerged(found),
    )
    return render(request, "units/double.html", context)


@project_view(Role.ANNOTATOR)
@require_POST
def done(request: HttpRequest, access: ProjectAccess, pk: int, author: int) -> HttpResponse:
    """`done=no` goes on with writing."""
    found = queries.get_double(access.project, pk)
    side = get_object_or_404(DoubleAuthor.objects.select_related("set"), double=found, pk=author)
    service.mark_done(
        double=found, user=user_of(request), author=side, done=request.POST.get("done") != "no"
    )
    return redirect("units:double", access.project.slug, pk)


@project_view(Role.OWNER)
@require_POST
def delete(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = queries.get_double(access.project, pk)
    service.delete_double(double=found, user=user_of(request))
    messages.success(request, _("{found} was deleted.").format(found=found))
    return redirect("units:doubles", access.project.slug)


@project_view()
@require_http_methods(["GET", "POST"])
def compare(request: HttpRequest, access: ProjectAccess, pk: int, example: int) -> HttpResponse:
    """Both authors' units of one example side by side, and a form that merges them."""
    found = queries.get_double(access.project, pk)
    chosen = get_object_or_404(queries.list_double_examples(found), pk=example)
    rows = queries.compare_example(found, chosen)
    if request.method == "POST":
        access.require(Role.ANNOTATOR)
        try:
            service.merge_double(
                double=found, example=chosen, user=user_of(request), units=_read(request, rows)
            )
        except DomainError as error:
            return _compare_page(request, access, found, chosen, rows, error)
        messages.success(
            request,
            _("{chosen} was merged into {merged}.").format(chosen=chosen, merged=found.merged),
        )
        following = queries.list_double_examples(found).filter(position__gt=chosen.position)
        after = following.first()
        if after is None:
            return redirect("units:double", access.project.slug, pk)
        return redirect("units:compare_double", access.project.slug, pk, after.pk)
    return _compare_page(request, access, found, chosen, rows)


def _read(request: HttpRequest, rows: list[queries.SideBySide]) -> list[service.MergedUnit]:
    """What the form says of each row: whose wording, or one's own."""
    found = []
    for at, row in enumerate(rows):
        choice = request.POST.get(f"choice-{at}", "none")
        own = request.POST.get(f"text-{at}", "").strip()
        units = [unit for unit in (row.first, row.second) if unit is not None]
        sources = tuple(unit.pk for unit in units)
        if choice == "both":
            found += [service.MergedUnit(unit.text, (unit.pk,)) for unit in units]
        elif choice != "none":
            chosen = row.second if choice == "second" else row.first or row.second
            text = own or (chosen.text if chosen else "")
            found.append(service.MergedUnit(text, sources))
    return found


def _compare_page(
    request: HttpRequest,
    access: ProjectAccess,
    found: DoubleAnnotation,
    example: Example,
    rows: list[queries.SideBySide],
    error: DomainError | None = None,
) -> HttpResponse:
    examples = queries.list_double_examples(found)
    authors = list(found.authors.all())
    merged = []
    if found.merged:
        merged = list(units_with_spans(found.merged, example).filter(is_deleted=False))
    context = project_context(
        access,
        "double",
        double=found,
        example=example,
        authors=authors,
        references=list_references(example),
        rows=[_row(request, at, row, authors) for at, row in enumerate(rows)],
        figures=found.agreement.get("by_example", {}).get(str(example.pk)),
        previous=examples.filter(position__lt=example.position).last(),
        next=examples.filter(position__gt=example.position).first(),
        merged=merged,
        error=error,
        can_merge=access.allows(Role.ANNOTATOR) and queries.find_own(found, access) is None,
    )
    return render(
        request, "units/compare_double.html", context, status=error.status if error else 200
    )


def _row(
    request: HttpRequest, at: int, row: queries.SideBySide, authors: list[DoubleAuthor]
) -> dict[str, Any]:
    is_pair = row.first is not None and row.second is not None
    names = {"first": str(authors[0].user), "second": str(authors[1].user)}
    choices = [(value, words.format(**names)) for value, words in (PAIR if is_pair else SINGLE)]
    return {
        "at": at,
        "pair": row,
        "choices": choices,
        "choice": request.POST.get(f"choice-{at}", choices[0][0]),
        "text": request.POST.get(f"text-{at}", ""),
    }
