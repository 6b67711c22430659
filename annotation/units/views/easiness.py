"""STUs and easiness: extracting, training, rankings of sentences, and plans taken back."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.access import ProjectAccess
from annotation.corpora.models import JobState, Role
from annotation.corpora.views.access import project_context, project_view, sent, user_of
from annotation.errors import DomainError
from annotation.headers import attach_as
from annotation.translation import gettext as _
from annotation.units import services
from annotation.units.models import UnitSet
from annotation.units.regressors import list_regressors
from annotation.units.selectors import plans
from annotation.units.selectors import studio as selectors
from annotation.units.selectors.learned import count_ranked
from annotation.units.services.ranking import list_ranking_jobs
from annotation.units.stu_forms import ExtractForm, RankForm, TrainEasinessForm
from annotation.wording import counted

ROWS_A_PAGE = 50
MOST_MODELS = 200
HARDEST = 5
WHO = {"people": True, "stus": False}


@project_view(Role.EDITOR)
@require_http_methods(["GET", "POST"])
def extract(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    form = ExtractForm(access.project, sent(request))
    if request.method == "POST" and form.is_valid():
        try:
            made = services.extract_stus(
                project=access.project, user=user_of(request), **form.cleaned_data
            )
        except DomainError as error:
            form.add_error(None, f"{error.message} {error.hint}".strip())
        else:
            return redirect("units:set", access.project.slug, made.pk)
    context = project_context(access, "units", form=form)
    status = 422 if request.method == "POST" else 200
    return render(request, "units/extract.html", context, status=status)


@project_view(Role.EDITOR)
@require_POST
def pause(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    services.pause_filling(unit_set=selectors.get_set(access.project, pk))
    return redirect("units:set", access.project.slug, pk)


@project_view(Role.EDITOR)
@require_POST
def resume(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    services.resume_filling(unit_set=selectors.get_set(access.project, pk))
    return redirect("units:set", access.project.slug, pk)


@project_view()
@require_http_methods(["GET", "POST"])
def easiness(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    """Regressors with their figures, one to train, and the sets whose sentences are ranked."""
    project = access.project
    form = TrainEasinessForm(project, sent(request), initial=_asked(request))
    if request.method == "POST":
        access.require(Role.EDITOR)
        if form.is_valid():
            try:
                made = services.train_easiness(
                    project=project, user=user_of(request), **form.arguments()
                )
            except DomainError as error:
                form.add_error(None, f"{error.message} {error.hint}".strip())
            else:
                return redirect("units:easiness_model", project.slug, made.pk)
    rows = list(plans.list_easiness_models(project)[:MOST_MODELS])
    context = project_context(
        access,
        "easiness",
        form=form,
        models=rows,
        common=[row for row in list_regressors(project) if row.model is None],
        is_moving=any(row.is_moving for row in rows),
        rankings=plans.list_rankings(project),
        is_asked=bool(form.errors) or "scus" in request.GET,
    )
    return render(request, "units/easiness.html", context, status=422 if form.errors else 200)


def _asked(request: HttpRequest) -> dict[str, str]:
    """What the address says of the form."""
    names = ("name", "scus", "stus", "regressor")
    return {name: request.GET[name] for name in names if name in request.GET}


@project_view()
@require_safe
def easiness_model(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = plans.get_easiness_model(access.project, pk)
    job = found.job
    is_open = job is not None and not job.is_over and not found.is_ready
    context = project_context(
        access,
        "easiness",
        model=found,
        card=found.card,
        held_out=found.card.get("held_out"),
        job=job if is_open else None,
        failed_job=job if job and job.state == JobState.FAILED and not found.is_ready else None,
        can_cancel=is_open and access.can_edit and job and not job.cancel_requested,
        can_delete=access.can_edit and not is_open,
    )
    return render(request, "units/easiness_model.html", context)


@project_view()
@require_safe
def easiness_file(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    """The regressor as `python -m scoring easiness predict --model FILE` reads it."""
    found = plans.get_ready_model(access.project, pk)
    text = json.dumps(found.file, ensure_ascii=False)
    response = HttpResponse(text, content_type="application/json")
    attach_as(response, f"easiness-{pk}.json")
    return response


@project_view(Role.EDITOR)
@require_POST
def delete_easiness_model(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = plans.get_easiness_model(access.project, pk)
    words = _("{found} was deleted.").format(found=found)
    services.delete_easiness_model(model=found, user=user_of(request))
    messages.success(request, words)
    return redirect("units:easiness", access.project.slug)


@project_view()
@require_safe
def ranking(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    """The sentences of a set by how hard they are; `who` keeps those of people, or of STUs."""
    found = selectors.get_set(access.project, pk)
    who = request.GET.get("who", "")
    rows = plans.list_sentence_plans(found)
    if who in WHO:
        rows = rows.filter(is_human=WHO[who])
    counts = plans.get_plan_counts(found)
    page = Paginator(rows, ROWS_A_PAGE).get_page(request.GET.get("page", 1))
    context = project_context(
        access,
        "units",
        unit_set=found,
        counts=counts,
        shared=count_ranked(found),
        who=who if who in WHO else "",
        is_mixed=bool(counts["stus"] and counts["human"]),
        page=page,
        first=page.start_index(),
        last=page.end_index(),
        total=page.paginator.count,
        query_string=f"who={who}" if who in WHO else "",
    )
    return render(request, "units/ranking.html", context)


@project_view(Role.EDITOR)
@require_POST
def rank(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = selectors.get_set(access.project, pk)
    form = RankForm(access.project, request.POST)
    if not form.is_valid():
        raise DomainError(
            _("No set of STUs is selected."), _("Extract STUs, then select their set.")
        )
    services.start_ranking(unit_set=found, user=user_of(request), **form.arguments())
    messages.success(request, _("Ranking started."))
    return redirect("units:set", access.project.slug, pk)


@project_view(Role.EDITOR)
@require_POST
def drop_plan(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = selectors.get_set(access.project, pk)
    services.drop_plan(unit_set=found, user=user_of(request))
    messages.success(request, _("Plan removed. All sentences are for people to write."))
    return redirect("units:set", access.project.slug, pk)


@project_view(Role.EDITOR)
@require_POST
def leave_rest(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = selectors.get_set(access.project, pk)
    count = services.leave_rest(unit_set=found, user=user_of(request))
    messages.success(
        request,
        _("{sentences} left to STUs.").format(sentences=counted(count, "sentence", "sentences")),
    )
    return redirect("units:set", access.project.slug, pk)


@project_view(Role.EDITOR)
@require_POST
def take_rest_back(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = selectors.get_set(access.project, pk)
    count = services.take_rest_back(unit_set=found, user=user_of(request))
    messages.success(
        request,
        _("{sentences} returned to people.").format(
            sentences=counted(count, "sentence", "sentences")
        ),
    )
    return redirect("units:set", access.project.slug, pk)


def describe_order(access: ProjectAccess, unit_set: UnitSet) -> dict[str, Any]:
    """What a set's page says of its ranking and plan, and the form that ranks a draft."""
    form = RankForm(access.project) if unit_set.state == "draft" and access.can_edit else None
    hardest = plans.list_sentence_plans(unit_set)[:HARDEST] if unit_set.extractor else []
    return {
        "hardest": hardest,
        "plan": plans.get_plan_counts(unit_set),
        "rest": services.count_rest(unit_set) if form else None,
        "rank_form": form if form and form.stu_sets else None,
        "ranking_job": next(iter(list_ranking_jobs(unit_set)), None),
    }
