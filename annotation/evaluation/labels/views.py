"""A label set: how it came about, what it left out, and labels brought in from files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.access import ProjectAccess
from annotation.corpora.projects.access import project_context, project_view, sent, user_of
from annotation.corpora.projects.models import Project, Role
from annotation.crowd.campaigns.views import csv_response
from annotation.crowd.offline.service import list_frozen_sets
from annotation.errors import DomainError, Invalid
from annotation.evaluation.gold.queries import get_label_set, list_label_drops
from annotation.evaluation.labels import files as labels_files
from annotation.evaluation.labels import service, settling
from annotation.evaluation.labels.files import LabelImport
from annotation.evaluation.labels.forms import LabelImportForm
from annotation.evaluation.labels.models import Drop, LabelOrigin, LabelSet
from annotation.evaluation.labels.people import PeopleNames, get_people_names
from annotation.evaluation.labels.queries import (
    ask_again,
    count_unheeded,
    find_same,
    list_kept_labels,
)
from annotation.file_views import takes_files
from scoring.io.cells import defuse, row_line

PAGE = 20
CHUNK = 500


@project_view()
@require_safe
def labels(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = get_label_set(access.project, pk)
    job = found.job
    context = project_context(
        access,
        "gold",
        label_set=found,
        job=job if job and not job.is_over else None,
        failed_job=job if job and job.state == "failed" and not found.is_ready else None,
        versions=found.gold_versions.all(),
        **(_around(found) if found.is_ready else {}),
        **_drops_context(request, access, found),
    )
    return render(request, "evaluation/labels.html", context)


def _around(label_set: LabelSet) -> dict[str, Any]:
    """How they are made anew, and which earlier ones say the same."""
    is_from_files = label_set.origin == LabelOrigin.FILES
    return {
        "again": ask_again(label_set),
        "unheeded": count_unheeded(label_set) if is_from_files else 0,
        "same": find_same(label_set),
    }


def _drops_context(
    request: HttpRequest, access: ProjectAccess, label_set: LabelSet
) -> dict[str, Any]:
    rule = request.GET.get("rule", "")
    rows = list_label_drops(label_set, rule)
    page = Paginator(rows, PAGE).get_page(request.GET.get("page", 1))
    people = get_people_names(access.project, can_see_ids=access.can_edit)
    rest = request.GET.copy()
    rest.pop("page", None)
    return {
        "page": page,
        "drops": [(row, *_who(row, people)) for row in page.object_list],
        "rule": rule,
        "total": page.paginator.count,
        "first": page.start_index(),
        "last": page.end_index(),
        "query_string": rest.urlencode(),
    }


def _who(row: Drop, people: PeopleNames) -> tuple[str, int | None]:
    worker = row.assignment.worker.provider_id if row.assignment.worker else ""
    return people.name(worker), people.pk(worker)


@project_view()
@require_safe
def drops_csv(request: HttpRequest, access: ProjectAccess, pk: int) -> StreamingHttpResponse:
    found = get_label_set(access.project, pk)
    people = get_people_names(access.project, can_see_ids=access.can_edit)
    return csv_response(_drop_lines(found, people), f"left-out-{pk}.csv")


def _drop_lines(label_set: LabelSet, people: PeopleNames) -> Iterator[str]:
    yield row_line("example", "system", "worker", "rule", "reason")
    for row in list_label_drops(label_set).iterator(CHUNK):
        summary = row.assignment.hit.summary
        words = (summary.example.key, summary.system.name, _who(row, people)[0], row.rule)
        yield row_line(*map(defuse, (*words, row.reason)))


@project_view(Role.EDITOR)
@require_POST
def settle_labels(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    """Labels from files anew, with experts' words above them."""
    found = get_label_set(access.project, pk)
    made = settling.settle_labels(label_set=found, user=user_of(request))
    messages.success(request, _("{made} is being created.").format(made=made))
    return redirect("evaluation:labels", access.project.slug, made.pk)


@project_view(Role.EDITOR)
@require_POST
def delete_labels(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = get_label_set(access.project, pk)
    service.delete_labels(label_set=found, user=user_of(request))
    messages.success(request, _("{found} was deleted.").format(found=found))
    return redirect("evaluation:gold", access.project.slug)


@takes_files
@project_view(Role.EDITOR)
@require_http_methods(["GET", "POST"])
def import_labels(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    form = LabelImportForm(access.project, sent(request), request.FILES or None)
    outcome = None
    if request.method == "POST" and form.is_valid():
        try:
            outcome = _import(request, access.project, form)
        except DomainError as error:
            form.add_error(None, f"{error.message} {error.hint}")
        else:
            if outcome.label_set is not None:
                return redirect("evaluation:labels", access.project.slug, outcome.label_set.pk)
    context = project_context(
        access,
        "gold",
        form=form,
        problems=outcome.problems if outcome else [],
        doubtful=outcome is not None and outcome.doubtful,
        held=outcome.held or request.POST.get("source", "") if outcome else "",
        kept=list_kept_labels(access.project),
        has_frozen=list_frozen_sets(access.project).exists(),
    )
    status = 422 if request.method == "POST" else 200
    return render(request, "evaluation/import_labels.html", context, status=status)


def _import(request: HttpRequest, project: Project, form: LabelImportForm) -> LabelImport:
    """The button that was pressed says whether files were sent or are here already."""
    unit_set, held = form.cleaned_data["unit_set"], form.cleaned_data["anyway"]
    user = user_of(request)
    kept = {str(row.pk): row for row, __ in list_kept_labels(project)}
    if source := request.POST.get("source") or (held if held.isdecimal() else ""):
        if source not in kept:
            raise Invalid(_("These label files are not on the server."), _("Choose from the list."))
        return labels_files.import_kept_labels(
            project=project, user=user, unit_set=unit_set, source=kept[source], anyway=bool(held)
        )
    files = [file for file in form.cleaned_data["files"] if file]
    if not files and not held:
        raise Invalid(
            _("No file was uploaded."), _("Choose the label files, or a ZIP archive of them.")
        )
    return labels_files.import_uploaded_labels(
        project=project,
        user=user,
        unit_set=unit_set,
        files=[(file.name, file.chunks()) for file in files],
        anyway=bool(held),
        hold=True,
        held=held,
    )
