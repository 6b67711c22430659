"""Summaries as they are stored and as workers see them, side by side."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.access import ProjectAccess
from annotation.corpora.selectors.corpus import CountedPaginator
from annotation.corpora.views.access import project_context, project_view
from annotation.crowd.selectors.campaigns import get_campaign
from annotation.crowd.selectors.cleaning import (
    get_rules,
    list_before_after,
    list_shown_summaries,
)
from annotation.crowd.services.planning import count_scope

PAGE = 50


@project_view()
@require_safe
def cleaning(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    """Of a draft, what its rules do to so many summaries at a time; later, what was changed."""
    campaign = get_campaign(access.project, pk)
    is_planned = campaign.hits.exists()
    known = None if is_planned else count_scope(campaign)
    shown = CountedPaginator(list_shown_summaries(campaign), PAGE, known)
    page = shown.get_page(request.GET.get("page", 1))
    rows = list_before_after(campaign, list(page.object_list))
    context = project_context(
        access,
        "crowd",
        campaign=campaign,
        rules=get_rules(campaign),
        is_planned=is_planned,
        rows=rows,
        page=page,
        total=page.paginator.count,
        first=page.start_index(),
        last=page.end_index(),
        looked_at=len(page.object_list),
    )
    return render(request, "crowd/campaigns/cleaning.html", context)
