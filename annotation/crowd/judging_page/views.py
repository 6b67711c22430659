"""The judging page where we serve it ourselves: to a crowd's workers, and to the researchers.

The page carries its style and script. A policy of its own names them by hash, so that nothing else
runs in it, and says who may frame it and where its form may go.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from urllib.parse import urlsplit

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_http_methods, require_safe

from annotation.access import ProjectAccess
from annotation.corpora.corpus.models import Summary
from annotation.corpora.projects.access import project_context, project_view, user_of
from annotation.corpora.projects.models import Role
from annotation.crowd.campaigns.models import Campaign, Hit
from annotation.crowd.campaigns.planning import list_chosen
from annotation.crowd.campaigns.service import record_preview
from annotation.crowd.judging_page import question
from annotation.crowd.judging_page.question import (
    MAX_BYTES,
    SCRIPTS,
    STYLES,
    JudgingTask,
    make_task,
    measure_page,
    render_page,
    source_hash,
)
from annotation.errors import Invalid, NotFound
from annotation.headers import set_policy, write_policy
from annotation.middleware import framing_policy
from annotation.origins import AddressError, read_origin, read_url

SUBMIT_PATH = "/mturk/externalSubmit"
NOT_ACCEPTED = "ASSIGNMENT_ID_NOT_AVAILABLE"


def page_policy(*, ancestors: Sequence[str], form_action: Sequence[str], sandbox: str = "") -> str:
    directives = {
        "default-src": ["'none'"],
        "script-src": [source_hash(*SCRIPTS)],
        "style-src": [source_hash(*STYLES)],
        "form-action": form_action,
        "base-uri": ["'none'"],
        "frame-ancestors": ancestors,
    }
    return write_policy(directives, sandbox=sandbox)


def answer_with_page(task: JudgingTask, policy: str) -> HttpResponse:
    response = HttpResponse(render_page(task))
    set_policy(response, policy)
    return response


# For workers ----------------------------------------------------------------------------------


@require_safe
@never_cache
@xframe_options_exempt
def judge(request: HttpRequest, token: str) -> HttpResponse:
    """The page of an ExternalQuestion. Who may frame it is in its policy."""
    hit = question.get_hit_by_token(token)
    origins = question.list_submit_origins(hit.campaign)
    assignment = request.GET.get("assignmentId", NOT_ACCEPTED)
    task = make_task(
        hit,
        origins=origins,
        assignment_id="" if assignment == NOT_ACCEPTED else assignment,
        submit_url=_submit_url(request, origins),
    )
    places = ["'self'", *origins]
    return answer_with_page(task, page_policy(ancestors=places, form_action=places))


def _submit_url(request: HttpRequest, origins: Sequence[str]) -> str:
    """Where a form without script sends to; empty if the crowd named a place we don't know."""
    try:
        given = read_url(request.GET.get("turkSubmitTo", ""))
    except AddressError:
        return ""
    origin = str(read_origin(given))
    own = f"{request.scheme}://{request.get_host()}"
    is_known = origin in {own, *origins}
    return f"{origin}{urlsplit(given).path.rstrip('/')}{SUBMIT_PATH}" if is_known else ""


# For researchers ------------------------------------------------------------------------------


@project_view()
@require_safe
def preview(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    """The first HIT of the campaign."""
    campaign = _campaign(access, pk)
    summary = question.get_first_summary(campaign)
    return redirect("crowd:preview_summary", access.project.slug, campaign.pk, summary.pk)


@project_view()
@require_safe
def preview_summary(
    request: HttpRequest, access: ProjectAccess, pk: int, summary: int
) -> HttpResponse:
    """A HIT as workers see it before they accept, and what it takes of the space there is."""
    campaign = _campaign(access, pk)
    hits = question.list_preview_hits(campaign, _summary(campaign, summary))
    hit = _part(request, hits)
    before, after = question.get_neighbours(campaign, hit.summary)
    context = project_context(
        access,
        "crowd",
        campaign=campaign,
        hit=hit,
        hits=hits,
        before=before,
        after=after,
        size=measure_page(render_page(make_task(hit))),
        limit=MAX_BYTES,
    )
    response = render(request, "crowd/judge/preview.html", context)
    set_policy(response, framing_policy("'self'"))
    return response


@project_view()
@require_safe
@xframe_options_exempt
def preview_page(
    request: HttpRequest, access: ProjectAccess, pk: int, summary: int
) -> HttpResponse:
    """What the frame of the preview holds: the worker's page, inert, without an origin."""
    campaign = _campaign(access, pk)
    hit = _part(request, question.list_preview_hits(campaign, _summary(campaign, summary)))
    policy = page_policy(ancestors=["'self'"], form_action=["'none'"], sandbox="allow-scripts")
    return answer_with_page(make_task(hit, is_preview=True), policy)


@project_view(Role.EDITOR)
@require_http_methods(["GET", "POST"])
@never_cache
def timed_preview(
    request: HttpRequest, access: ProjectAccess, pk: int, summary: int
) -> HttpResponse:
    """One HIT done in earnest by one of the team, to know what the work pays an hour."""
    campaign = _campaign(access, pk)
    hit = _part(request, question.list_preview_hits(campaign, _summary(campaign, summary)))
    if request.method == "POST":
        seconds = _seconds(request, hit)
        record_preview(
            campaign=campaign,
            user=user_of(request),
            seconds=seconds,
            statements=len(hit.statements),
        )
        messages.success(request, _wage_words(hit, seconds))
        return redirect("crowd:preview_summary", access.project.slug, campaign.pk, summary)
    task = make_task(
        hit,
        submit_url=request.get_full_path(),
        assignment_id=f"timed-{secrets.token_hex(8)}",
        hidden={"csrfmiddlewaretoken": get_token(request)},
    )
    return answer_with_page(task, page_policy(ancestors=["'none'"], form_action=["'self'"]))


def _seconds(request: HttpRequest, hit: Hit) -> float:
    missing = [row["key"] for row in hit.statements if not request.POST.get(row["key"])]
    if missing:
        raise Invalid(
            _("No answer to {missing}.").format(missing=", ".join(missing)),
            _("Go back and answer every statement."),
        )
    try:
        return float(request.POST.get("giza_seconds", ""))
    except ValueError:
        raise Invalid(
            _("The time was not measured."), _("Turn on JavaScript and try again.")
        ) from None


def _wage_words(hit: Hit, seconds: float) -> str:
    hourly = float(hit.reward) / seconds * 3600
    return _(
        "{seconds:.0f} seconds for {statements} statements: at this pace, "
        "the reward of ${reward:.2f} comes to ${hourly:,.2f} per hour."
    ).format(seconds=seconds, statements=len(hit.statements), reward=hit.reward, hourly=hourly)


def _campaign(access: ProjectAccess, pk: int) -> Campaign:
    return get_object_or_404(Campaign, project=access.project, pk=pk)


def _summary(campaign: Campaign, pk: int) -> Summary:
    """One that is chosen; whether its example has units is seen when its HITs are made."""
    rows = list_chosen(campaign).filter(example__project=campaign.project_id)
    return get_object_or_404(rows.select_related("example", "system"), pk=pk)


def _part(request: HttpRequest, hits: list[Hit]) -> Hit:
    """The part of a split summary that was asked for, counted from 1."""
    wanted = request.GET.get("part", "1")
    for hit in hits:
        if str(hit.part + 1) == wanted:
            return hit
    raise NotFound(_("This summary has no part '{wanted}'.").format(wanted=wanted))
