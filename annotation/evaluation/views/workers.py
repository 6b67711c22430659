"""Workers of the judged campaigns, and decisions on whose work counts."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from annotation.access import ProjectAccess
from annotation.corpora.models import Role
from annotation.corpora.views.access import project_context, project_view, user_of
from annotation.errors import Invalid
from annotation.evaluation import services
from annotation.evaluation.forms import VerdictForm
from annotation.evaluation.models import Decision
from annotation.evaluation.selectors.answer_figures import find_stored_answers
from annotation.evaluation.selectors.answers import (
    get_collected,
    get_judged_campaigns,
    list_judged_campaigns,
    read_some,
)
from annotation.evaluation.selectors.pages_workers import (
    SORTS,
    WorkerList,
    describe_work,
    list_leanings,
    list_stored_rows,
    list_work,
    list_worker_decisions,
    list_worker_rows,
    sort_leanings,
)
from annotation.evaluation.selectors.people import get_assignment, get_worker
from annotation.translation import gettext as _

PAGE = 25


@project_view(Role.EDITOR)
@require_safe
def workers(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    if not list_judged_campaigns(access.project):
        return render(request, "evaluation/whatif_empty.html", project_context(access, "workers"))
    sort = request.GET.get("sort", "")
    sort = sort if sort in SORTS else SORTS[0]
    campaigns = get_judged_campaigns(access.project, [])
    stored = find_stored_answers(access.project)
    found = (
        WorkerList(
            list_stored_rows(access.project, stored.figures.workers, sort), stored.figures.unknown
        )
        if stored
        else list_worker_rows(access.project, campaigns, sort)
    )
    page = Paginator(found.rows, 100).get_page(request.GET.get("page", 1))
    context = project_context(
        access,
        "workers",
        campaigns=campaigns,
        stored=stored,
        rows=page.object_list,
        unknown=found.unknown,
        sort=sort,
        page=page,
        total=page.paginator.count,
        first=page.start_index(),
        last=page.end_index(),
        query_string=f"sort={sort}",
    )
    return render(request, "evaluation/workers.html", context)


@project_view(Role.EDITOR)
@require_safe
def worker(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = get_worker(access.project, pk)
    campaigns = get_judged_campaigns(access.project, [])
    page = Paginator(list_work(campaigns, found), PAGE).get_page(request.GET.get("page", 1))
    works = list(page.object_list)
    stored = find_stored_answers(access.project)
    if stored:
        figures = [row for row in stored.figures.workers if row.worker == pk]
        rows = list_stored_rows(access.project, figures)
        collected = read_some(campaigns, {work.hit.summary_id for work in works})
        leanings = sort_leanings(figures[0].leanings if figures else {})
    else:
        rows = list_worker_rows(access.project, campaigns).rows
        collected = get_collected(campaigns)
        leanings = list_leanings(collected, found)
    context = project_context(
        access,
        "workers",
        worker=found,
        row=next((row for row in rows if row.worker.pk == pk), None),
        stored=stored,
        leanings=leanings,
        work=describe_work(access.project, collected, works),
        decisions=list_worker_decisions(found),
        form=VerdictForm(),
        page=page,
        total=page.paginator.count,
        first=page.start_index(),
        last=page.end_index(),
        query_string="",
        back=request.get_full_path(),
    )
    return render(request, "evaluation/worker.html", context)


def _verdict(request: HttpRequest) -> dict[str, str]:
    form = VerdictForm(request.POST)
    if not form.is_valid():
        raise Invalid(_("A decision needs a verdict and a reason."), _("Enter both."))
    return {name: form.cleaned_data[name] for name in ("verdict", "reason")}


@project_view(Role.EDITOR)
@require_POST
def decide_worker(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = get_worker(access.project, pk)
    services.decide_worker(
        project=access.project, user=user_of(request), worker=found, **_verdict(request)
    )
    messages.success(request, _("Decision saved. It applies to labels created from now on."))
    return redirect("evaluation:worker", access.project.slug, pk)


@project_view(Role.EDITOR)
@require_POST
def decide_assignment(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = get_assignment(access.project, pk)
    services.decide_assignment(
        project=access.project, user=user_of(request), assignment=found, **_verdict(request)
    )
    messages.success(request, _("Decision saved. It applies to labels created from now on."))
    return redirect(_page_of(access, found.worker_id))


@project_view(Role.EDITOR)
@require_POST
def undo_decision(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    rows = Decision.objects.filter(project=access.project).select_related("project", "assignment")
    found = get_object_or_404(rows, pk=pk)
    services.undo_decision(decision=found, user=user_of(request))
    messages.success(request, _("Decision undone. From now on, only the rules apply."))
    worker_pk = found.assignment.worker_id if found.assignment else found.worker_id
    return redirect(_page_of(access, worker_pk))


def _page_of(access: ProjectAccess, worker_pk: int | None) -> str:
    if worker_pk is None:
        return reverse("evaluation:workers", args=[access.project.slug])
    return reverse("evaluation:worker", args=[access.project.slug, worker_pk])
