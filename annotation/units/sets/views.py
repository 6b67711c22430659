"""Unit sets: the list, one set with its progress and queue, review, freezing, versions, files."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.access import ProjectAccess
from annotation.corpora.imports.models import KeptFile
from annotation.corpora.projects.access import project_context, project_view, sent, user_of
from annotation.corpora.projects.models import Role
from annotation.errors import DomainError
from annotation.file_views import takes_files
from annotation.units.double.models import DoubleAnnotation
from annotation.units.files import queries as files
from annotation.units.files import service as files_service
from annotation.units.plans.stand_ins import count_gaps, list_bare_examples
from annotation.units.sets import queries, service, versions
from annotation.units.sets.comparison import compare_sets, get_stu_quality
from annotation.units.sets.forms import (
    AssignForm,
    FreezeForm,
    StudioSettingsForm,
    UnitImportForm,
    UnitSetForm,
    units_response,
)
from annotation.units.sets.locks import is_hidden
from annotation.units.sets.models import UnitSet, Weighting
from annotation.units.sets.table import get_lint_totals
from annotation.units.studio import progress
from annotation.units.studio import queries as studio_queries
from annotation.units.stus.views import describe_order
from annotation.wording import counted
from scoring.linting import RULES

# So many examples without units are named.
NAMED = 5


@project_view()
@require_http_methods(["GET", "POST"])
def unit_sets(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    form = UnitSetForm(sent(request))
    if request.method == "POST":
        access.require(Role.EDITOR)
        if form.is_valid():
            try:
                made = service.create_set(
                    project=access.project, user=user_of(request), name=form.cleaned_data["name"]
                )
            except DomainError as error:
                form.add_error("name", f"{error.message} {error.hint}")
            else:
                return redirect("units:set", access.project.slug, made.pk)
    sets = studio_queries.list_sets(access.project)
    context = project_context(
        access,
        "units",
        sets=sets.filter(archived_at=None),
        archived=sets.exclude(archived_at=None),
        form=form,
        kept=files.list_kept_files(access.project),
    )
    return render(request, "units/set_list.html", context, status=422 if form.errors else 200)


@project_view()
@require_safe
def unit_set(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = studio_queries.get_set(access.project, pk)
    return _set_page(request, access, found, AssignForm(access.project), 200)


def _set_page(
    request: HttpRequest,
    access: ProjectAccess,
    found: UnitSet,
    form: AssignForm,
    status: int,
    rename_form: UnitSetForm | None = None,
) -> HttpResponse:
    user = user_of(request)
    context = project_context(
        access,
        "units",
        unit_set=found,
        job=found.job if found.job and not found.job.is_over else None,
        progress=studio_queries.get_progress(found),
        queue=studio_queries.list_queue(found, user, limit=8),
        people=studio_queries.list_people(found),
        versions=studio_queries.list_sets(access.project).filter(name=found.name),
        others=studio_queries.list_sets(access.project).exclude(pk=found.pk),
        double=DoubleAnnotation.objects.filter(authors__set=found).first(),
        is_hidden=is_hidden(found, user),
        rename_form=rename_form or UnitSetForm(initial={"name": found.name}),
        assign_form=form,
        freeze_form=FreezeForm(),
        unsigned=service.count_unsigned(found),
        bare=[] if found.is_frozen else list(list_bare_examples(found)[:NAMED]),
        bare_count=0 if found.is_frozen else list_bare_examples(found).count(),
        gaps=0 if found.is_frozen else count_gaps(found),
        open_comments=studio_queries.count_open_comments(found),
        lint=get_lint_totals(found),
        can_check=access.allows(Role.ANNOTATOR),
        formats=files.list_formats(found),
        can_write=access.allows(Role.ANNOTATOR) and not found.is_frozen and not found.extractor,
        next_url=reverse("units:next", args=[access.project.slug, found.pk]),
        quality=get_stu_quality(found) if found.is_frozen and found.extractor else None,
        **describe_order(access, found),
    )
    return render(request, "units/set.html", context, status=status)


@project_view(Role.EDITOR)
@require_POST
def assign(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = studio_queries.get_set(access.project, pk)
    form = AssignForm(access.project, request.POST)
    if not form.is_valid():
        return _set_page(request, access, found, form, 422)
    count = progress.assign_range(unit_set=found, user=user_of(request), **form.cleaned_data)
    messages.success(
        request, _("{examples} assigned.").format(examples=counted(count, "example", "examples"))
    )
    return redirect("units:set", access.project.slug, pk)


@project_view(Role.EDITOR)
@require_POST
def review(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    service.send_to_review(
        unit_set=studio_queries.get_set(access.project, pk), user=user_of(request)
    )
    messages.success(request, _("The set is in review. Units can still be corrected."))
    return redirect("units:set", access.project.slug, pk)


@project_view(Role.EDITOR)
@require_POST
def draft(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    service.back_to_draft(
        unit_set=studio_queries.get_set(access.project, pk), user=user_of(request)
    )
    return redirect("units:set", access.project.slug, pk)


@project_view(Role.EDITOR)
@require_POST
def freeze(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = studio_queries.get_set(access.project, pk)
    service.freeze_set(
        unit_set=found,
        user=user_of(request),
        role=access.role,
        reason=request.POST.get("reason", "")[:300],
    )
    messages.success(
        request,
        _("{found} is frozen: {content_hash}.").format(
            found=found, content_hash=found.content_hash[:12]
        ),
    )
    return redirect("units:set", access.project.slug, pk)


@project_view(Role.EDITOR)
@require_POST
def next_version(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = studio_queries.get_set(access.project, pk)
    copy = versions.create_next_version(unit_set=found, user=user_of(request))
    return redirect("units:set", access.project.slug, copy.pk)


@project_view(Role.OWNER)
@require_POST
def delete(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = studio_queries.get_set(access.project, pk)
    service.delete_set(unit_set=found, user=user_of(request))
    messages.success(request, _("{found} was deleted.").format(found=found))
    return redirect("units:sets", access.project.slug)


@project_view(Role.EDITOR)
@require_POST
def rename(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = studio_queries.get_set(access.project, pk)
    form = UnitSetForm(request.POST)
    if form.is_valid():
        try:
            service.rename_set(
                unit_set=found, user=user_of(request), name=form.cleaned_data["name"]
            )
        except DomainError as error:
            form.add_error("name", f"{error.message} {error.hint}")
        else:
            messages.success(request, _("Set renamed to {name}.").format(name=found.name))
            return redirect("units:set", access.project.slug, pk)
    return _set_page(request, access, found, AssignForm(access.project), 422, rename_form=form)


@project_view(Role.EDITOR)
@require_POST
def archive(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    """`archived=no` takes the set out of the archive."""
    found = studio_queries.get_set(access.project, pk)
    archived = request.POST.get("archived", "yes") != "no"
    service.archive_set(unit_set=found, user=user_of(request), archived=archived)
    messages.success(
        request,
        _("{found} was archived.").format(found=found)
        if archived
        else _("{found} was restored.").format(found=found),
    )
    return redirect("units:set", access.project.slug, pk)


@project_view()
@require_safe
def choose_comparison(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    """Where the form that chooses another set leads to."""
    other = request.GET.get("other", "")
    if not other.isdecimal():
        return redirect("units:set", access.project.slug, pk)
    return redirect("units:compare", access.project.slug, pk, int(other))


@project_view()
@require_safe
def compare(request: HttpRequest, access: ProjectAccess, pk: int, other: int) -> HttpResponse:
    first, second = (studio_queries.get_visible_set(access, key) for key in (pk, other))
    context = project_context(
        access,
        "units",
        first=first,
        second=second,
        comparison=compare_sets(first, second, request.GET.get("page", 1)),
    )
    return render(request, "units/compare.html", context)


@project_view(Role.EDITOR)
@require_http_methods(["GET", "POST"])
def studio_settings(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    current = queries.get_settings(access.project)
    speaking = [rule for rule in RULES if rule not in current.disabled_rules]
    form = StudioSettingsForm(
        sent(request), initial={"weighting": current.weighting, "rules": speaking}
    )
    if request.method == "POST" and form.is_valid():
        chosen = set(form.cleaned_data["rules"])
        service.update_settings(
            project=access.project,
            weighting=Weighting(form.cleaned_data["weighting"]),
            disabled_rules=[rule for rule in RULES if rule not in chosen],
        )
        messages.success(request, _("Settings saved."))
        return redirect("units:settings", access.project.slug)
    context = project_context(access, "units", form=form, rules=RULES)
    return render(request, "units/settings.html", context, status=422 if form.errors else 200)


@takes_files
@project_view(Role.EDITOR)
@require_http_methods(["GET", "POST"])
def import_units(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    form = UnitImportForm(sent(request), request.FILES or None)
    outcome = None
    if request.method == "POST" and form.is_valid():
        try:
            outcome = _import_upload(request, access, form)
        except DomainError as error:
            form.add_error(None, f"{error.message} {error.hint}")
    return _after_import(request, access, form, outcome)


def _after_import(
    request: HttpRequest,
    access: ProjectAccess,
    form: UnitImportForm,
    outcome: files_service.Outcome | None,
    kept: KeptFile | None = None,
) -> HttpResponse:
    """The new set; or the form again, with what is wrong."""
    if outcome is not None and outcome.unit_set is not None:
        for note in outcome.notes:
            messages.info(request, note)
        return redirect("units:set", access.project.slug, outcome.unit_set.pk)
    context = project_context(
        access,
        "units",
        form=form,
        problems=outcome.problems if outcome else [],
        doubtful=outcome is not None and outcome.doubtful,
        doubtful_file=kept,
        held=outcome.held if outcome else "",
        formats=files.UNIT_FILE_FORMATS,
        kept=files.list_kept_files(access.project),
    )
    status = 422 if request.method == "POST" else 200
    return render(request, "units/import.html", context, status=status)


def _import_upload(
    request: HttpRequest, access: ProjectAccess, form: UnitImportForm
) -> files_service.Outcome:
    file, held = form.cleaned_data["file"], form.cleaned_data["anyway"]
    return files_service.import_uploaded_units(
        project=access.project,
        user=user_of(request),
        name=form.cleaned_data["name"],
        files=[(file.name, file.chunks())] if file else [],
        format=form.cleaned_data["format"],
        provenance=form.provenance(),
        anyway=bool(held),
        hold=True,
        held=held,
    )


@project_view(Role.EDITOR)
@require_POST
def import_kept(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    """Make a set of a units file that came with the corpus."""
    kept = get_object_or_404(files.list_kept_files(access.project), pk=pk)
    outcome = files_service.import_kept_units(
        project=access.project,
        user=user_of(request),
        kept=kept,
        anyway="anyway" in request.POST,
    )
    return _after_import(request, access, UnitImportForm(), outcome, kept)


@project_view()
@require_safe
def download(request: HttpRequest, access: ProjectAccess, pk: int, format: str) -> HttpResponseBase:
    return units_response(studio_queries.get_visible_set(access, pk), format)
