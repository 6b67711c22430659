"""Messages of workers: read and answered on the campaign's page, or on the requester's."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.access import ProjectAccess
from annotation.corpora.models import Role
from annotation.corpora.views.access import project_context, project_view, user_of
from annotation.crowd.market.messages import answer_worker, mark_questions_read
from annotation.crowd.selectors import messages as selectors
from annotation.crowd.selectors.campaigns import get_campaign
from annotation.crowd.selectors.requesters import get_requester
from annotation.translation import gettext as _


@project_view()
@require_safe
@never_cache
def campaign_messages(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    """Those who may answer have read them once they are shown."""
    campaign = get_campaign(access.project, pk)
    rows = selectors.list_campaign_messages(campaign)
    page, threads = selectors.page_threads(rows, request.GET.get("page", 1))
    if access.can_own:
        mark_questions_read(threads=threads)
    context = project_context(
        access,
        "crowd",
        campaign=campaign,
        page=page,
        threads=threads,
        total=page.paginator.count,
        first=page.start_index(),
        last=page.end_index(),
    )
    return render(request, "crowd/campaigns/messages.html", context)


@project_view(Role.OWNER)
@require_POST
def answer_message(
    request: HttpRequest, access: ProjectAccess, pk: int, message: int
) -> HttpResponse:
    campaign = get_campaign(access.project, pk)
    question = selectors.get_question(selectors.list_campaign_messages(campaign), message)
    answer_worker(message=question, user=user_of(request), text=request.POST.get("text", ""))
    messages.success(request, _("Your reply to {worker} was sent.").format(worker=question.worker))
    return redirect("crowd:campaign_messages", access.project.slug, pk)


@login_required
@require_POST
def answer_requester_message(request: HttpRequest, pk: int, message: int) -> HttpResponse:
    found = get_requester(user_of(request), pk)
    question = selectors.get_question(found.messages.all(), message)
    answer_worker(message=question, user=user_of(request), text=request.POST.get("text", ""))
    messages.success(request, _("Your reply to {worker} was sent.").format(worker=question.worker))
    return redirect("crowd:requester", pk)
