"""Sending a corpus, seeing what it would do, importing it, taking it back."""

from __future__ import annotations

from dataclasses import replace

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.access import ProjectAccess
from annotation.corpora.forms import ImportForm
from annotation.corpora.imports import service
from annotation.corpora.imports.formats import COLUMN_ROLES, FORMAT_NAMES, IMPORT_FORMATS
from annotation.corpora.imports.models import Import, ImportState
from annotation.corpora.imports.uploads import get_project_usage
from annotation.corpora.projects.access import project_context, project_view, sent, user_of
from annotation.corpora.projects.models import Role
from annotation.corpora.projects.queries import get_plan, list_imports
from annotation.file_views import takes_files


@project_view()
@require_safe
def imports(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    rows = list(list_imports(access.project)[:200])
    for row in rows:
        row.format_name = FORMAT_NAMES.get(row.format, row.format)  # type: ignore[attr-defined]
    return render(
        request,
        "corpora/import_list.html",
        project_context(access, "imports", imports=rows, usage=get_project_usage(access.project)),
    )


@takes_files
@project_view(Role.EDITOR)
@require_http_methods(["GET", "POST"])
def create_import(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    max_bytes = settings.MAX_UPLOAD_MB * 2**20
    form = ImportForm(sent(request), request.FILES or None, max_bytes=max_bytes)
    if request.method == "POST" and form.is_valid():
        files = form.cleaned_data["files"]
        first = files[0].name
        import_ = service.create_import(
            project=access.project,
            user=user_of(request),
            name=first
            if len(files) == 1
            else _("{first} and {files} more").format(first=first, files=len(files) - 1),
            format=form.cleaned_data["format"],
            files=[(file.name, file.chunks()) for file in files],
        )
        return redirect("corpora:import", access.project.slug, import_.pk)
    context = project_context(access, "imports", form=form, formats=IMPORT_FORMATS)
    status = 422 if request.method == "POST" else 200
    return render(request, "corpora/import_form.html", context, status=status)


@project_view()
@require_safe
def import_page(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = _get(access, pk)
    is_ready = found.state == ImportState.READY
    plan = get_plan(found)
    context = project_context(
        # With the counts of the moment in which the import's state was read: this page asks no more
        # once it is over.
        replace(access, project=found.project),
        "imports",
        import_=found,
        job=found.job,
        plan=plan,
        roles=COLUMN_ROLES,
        format_name=FORMAT_NAMES.get(plan["format"] or found.format, ""),
        can_write=access.can_edit and is_ready and service.has_news(found),
        can_undo=access.can_edit and service.can_undo(found),
    )
    return render(request, "corpora/import.html", context)


@project_view(Role.EDITOR)
@require_POST
def choose_columns(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = _get(access, pk)
    names = [name for name, __ in get_plan(found)["columns"]]
    chosen = {
        name: request.POST[f"column-{place}"]
        for place, name in enumerate(names)
        if f"column-{place}" in request.POST
    }
    service.choose_columns(import_=found, user=user_of(request), columns=chosen)
    return redirect("corpora:import", access.project.slug, pk)


@project_view(Role.EDITOR)
@require_POST
def write_import(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    service.write_import(import_=_get(access, pk), user=user_of(request))
    return redirect("corpora:import", access.project.slug, pk)


@project_view(Role.EDITOR)
@require_POST
def undo_import(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    service.undo_import(import_=_get(access, pk), user=user_of(request))
    messages.success(request, _("The import is being undone; its texts are already hidden."))
    return redirect("corpora:import", access.project.slug, pk)


@project_view(Role.EDITOR)
@require_POST
def drop_import(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    service.drop_import(import_=_get(access, pk))
    messages.success(request, _("The import was discarded. Nothing was changed."))
    return redirect("corpora:imports", access.project.slug)


def _get(access: ProjectAccess, pk: int) -> Import:
    return get_object_or_404(list_imports(access.project).select_related("project"), pk=pk)
