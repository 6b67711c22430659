"""Gold versions: the list of what there is, a new version, one version, and a study from one."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.access import ProjectAccess, require_project_creator
from annotation.corpora.projects.access import project_context, project_view, sent, user_of
from annotation.corpora.projects.models import Role
from annotation.crowd.offline.service import list_frozen_sets
from annotation.errors import DomainError
from annotation.evaluation.gold import restoring, service
from annotation.evaluation.gold.downloads import FORMATS, gold_response
from annotation.evaluation.gold.models import GoldVersion
from annotation.evaluation.gold.queries import (
    get_label_set,
    get_version,
    list_label_sets,
    list_versions,
    name_gold,
)
from annotation.evaluation.gold.restoring import Restoring
from annotation.evaluation.labels.answers import list_judged_campaigns
from annotation.evaluation.labels.forms import GoldForm, GoldImportForm
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.labels.queries import list_kept_labels
from annotation.evaluation.overview.next_steps import find_gold_work
from annotation.file_views import takes_files
from scoring.io.gold import GoldFacts, from_json, write_card, write_methods


@project_view()
@require_safe
def gold(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    sets = list(list_label_sets(access.project))
    versions = list(list_versions(access.project))
    jobs = [row.job for row in sets if not row.is_ready]
    jobs += [row.job for row in versions if not row.is_ready]
    context = project_context(
        access,
        "gold",
        label_sets=sets,
        versions=versions,
        judged=list_judged_campaigns(access.project),
        kept=list_kept_labels(access.project),
        has_frozen=list_frozen_sets(access.project).exists(),
        next_step=find_gold_work(access),
        is_moving=any(job and not job.is_over for job in jobs),
    )
    return render(request, "evaluation/gold.html", context)


@project_view(Role.EDITOR)
@require_http_methods(["GET", "POST"])
def create_gold(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    label_set = get_label_set(access.project, pk)
    form = GoldForm(
        sent(request), initial=_known(access, label_set), can_name_workers=access.can_own
    )
    if request.method == "POST" and form.is_valid():
        try:
            made = service.create_gold(
                project=access.project,
                user=user_of(request),
                label_set=label_set,
                **form.cleaned_data,
            )
        except DomainError as error:
            form.add_error(None, f"{error.message} {error.hint}")
        else:
            return redirect("evaluation:version", access.project.slug, made.pk)
    context = project_context(access, "gold", form=form, label_set=label_set)
    status = 422 if form.errors else 200
    return render(request, "evaluation/create_gold.html", context, status=status)


def _known(access: ProjectAccess, label_set: LabelSet) -> dict[str, str]:
    """What the last version said, so that the next one says it too."""
    versions = list(list_versions(access.project))
    name = name_gold(label_set, versions)
    if not versions:
        return {"name": name, "description": access.project.description}
    names = ("description", "licence", "citation")
    return {"name": name} | {each: getattr(versions[0], each) for each in names}


@project_view()
@require_safe
def version(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = get_version(access.project, pk)
    job = found.job
    context = project_context(
        access,
        "gold",
        gold=found,
        job=job if job and not job.is_over else None,
        failed_job=job if job and job.state == "failed" and not found.is_ready else None,
        formats=FORMATS.values(),
        **(_told(found) if found.is_ready else {}),
    )
    return render(request, "evaluation/version.html", context)


@project_view(Role.EDITOR)
@require_POST
def delete_gold(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = get_version(access.project, pk)
    words = _("{found} was deleted.").format(found=found)
    service.delete_gold(gold=found, user=user_of(request))
    messages.success(request, words)
    return redirect("evaluation:gold", access.project.slug)


def _told(gold: GoldVersion) -> dict[str, Any]:
    facts = from_json(GoldFacts, gold.facts, "gold")
    return {"facts": facts, "card": write_card(facts), "methods": write_methods(facts)}


@project_view()
@require_safe
def download_gold(
    request: HttpRequest, access: ProjectAccess, pk: int, format: str
) -> HttpResponseBase:
    return gold_response(get_version(access.project, pk), format)


@takes_files
@login_required
@require_http_methods(["GET", "POST"])
def import_gold(request: HttpRequest) -> HttpResponse:
    """A study from its gold dataset, in a project of its own."""
    require_project_creator(user_of(request))
    form = GoldImportForm(sent(request), request.FILES or None)
    problems: list[dict[str, Any]] = []
    if request.method == "POST" and form.is_valid():
        try:
            outcome = _restore(request, form)
        except DomainError as error:
            form.add_error(None, f"{error.message} {error.hint}")
        else:
            if outcome.project is not None and outcome.job is not None:
                messages.success(
                    request, _("{project} is being restored.").format(project=outcome.project)
                )
                return redirect("corpora:job", outcome.project.slug, outcome.job.pk)
            problems = outcome.problems
    status = 422 if request.method == "POST" else 200
    context = {"form": form, "problems": problems}
    return render(request, "evaluation/import_gold.html", context, status=status)


def _restore(request: HttpRequest, form: GoldImportForm) -> Restoring:
    file = form.cleaned_data["file"]
    return restoring.import_uploaded_gold(
        user=user_of(request),
        name=form.cleaned_data["name"],
        slug=form.cleaned_data["slug"],
        files=[(file.name, file.chunks())],
    )
