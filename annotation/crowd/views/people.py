"""The workers of a campaign, and its books."""

from __future__ import annotations

from collections.abc import Iterator

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotation.access import ProjectAccess
from annotation.corpora.models import Role
from annotation.corpora.selectors.corpus import CountedPaginator
from annotation.corpora.views.access import project_context, project_view, user_of
from annotation.crowd import services
from annotation.crowd.forms import ExclusionForm, MessageForm
from annotation.crowd.models import Campaign, ProviderName, Worker
from annotation.crowd.selectors import campaigns as selectors
from annotation.crowd.selectors.books import stream_entries
from annotation.crowd.selectors.review import list_workers
from annotation.crowd.selectors.sums import count_entries, recall_books
from annotation.crowd.views.campaigns import csv_response
from annotation.errors import Invalid
from annotation.translation import gettext as _
from annotation.wording import counted

PAGE = 100


@project_view()
@require_safe
def workers(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    campaign = selectors.get_campaign(access.project, pk)
    return _workers_page(request, access, campaign, MessageForm(), 200)


def _workers_page(
    request: HttpRequest, access: ProjectAccess, campaign: Campaign, form: MessageForm, status: int
) -> HttpResponse:
    context = project_context(
        access,
        "crowd",
        campaign=campaign,
        standings=selectors.list_standings(campaign),
        form=form,
        can_reach=access.can_own and campaign.provider != ProviderName.OFFLINE,
    )
    return render(request, "crowd/campaigns/workers.html", context, status=status)


def _worker(campaign: Campaign, pk: int) -> Worker:
    return get_object_or_404(list_workers(campaign), pk=pk)


@project_view(Role.OWNER)
@require_POST
def exclude_worker(
    request: HttpRequest, access: ProjectAccess, pk: int, worker: int
) -> HttpResponse:
    campaign = selectors.get_campaign(access.project, pk)
    form = ExclusionForm(request.POST)
    if not form.is_valid():
        raise Invalid(_("An exclusion needs a reason."), _("Enter one."))
    found = _worker(campaign, worker)
    services.exclude_worker(
        campaign=campaign, worker=found, user=user_of(request), **form.cleaned_data
    )
    messages.success(
        request,
        _("{found} gets no further work in this project. Past work is still paid.").format(
            found=found
        ),
    )
    return redirect("crowd:workers", access.project.slug, pk)


@project_view(Role.OWNER)
@require_POST
def include_worker(
    request: HttpRequest, access: ProjectAccess, pk: int, worker: int
) -> HttpResponse:
    campaign = selectors.get_campaign(access.project, pk)
    found = _worker(campaign, worker)
    services.include_worker(campaign=campaign, worker=found, user=user_of(request))
    messages.success(request, _("{found} was re-admitted.").format(found=found))
    return redirect("crowd:workers", access.project.slug, pk)


@project_view(Role.OWNER)
@require_POST
def message_workers(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    campaign = selectors.get_campaign(access.project, pk)
    form = MessageForm(request.POST)
    ids = [int(row) for row in request.POST.getlist("worker") if row.isdecimal()]
    chosen = list(list_workers(campaign).filter(pk__in=ids))
    if form.is_valid() and not chosen:
        form.add_error(None, _("Select the workers to message."))
    if form.errors:
        return _workers_page(request, access, campaign, form, 422)
    told = services.notify_workers(
        campaign=campaign, user=user_of(request), workers=chosen, **form.cleaned_data
    )
    reached = len(chosen) - len(told.failures)
    if reached:
        messages.success(
            request,
            _("Sent to {reached} of {workers}.").format(
                reached=reached, workers=counted(len(chosen), "worker", "workers")
            ),
        )
    for worker, reason in told.failures.items():
        messages.warning(
            request, _("Not sent to {worker}: {reason}").format(worker=worker, reason=reason)
        )
    return redirect("crowd:workers", access.project.slug, pk)


@project_view()
@require_safe
def ledger(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    campaign = selectors.get_campaign(access.project, pk)
    rows = CountedPaginator(selectors.list_entries(campaign), PAGE, count_entries(campaign))
    page = rows.get_page(request.GET.get("page", 1))
    context = project_context(
        access,
        "crowd",
        campaign=campaign,
        books=recall_books(campaign),
        page=page,
        total=page.paginator.count,
        first=page.start_index(),
        last=page.end_index(),
        query_string="",
    )
    return render(request, "crowd/campaigns/ledger.html", context)


@project_view()
@require_safe
def ledger_csv(request: HttpRequest, access: ProjectAccess, pk: int) -> StreamingHttpResponse:
    campaign = selectors.get_campaign(access.project, pk)
    lines: Iterator[str] = stream_entries(campaign)
    return csv_response(lines, f"ledger-{pk}.csv")
