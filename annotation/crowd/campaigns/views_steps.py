"""The steps of a campaign. What spends says how much, on a page of its own, and asks once."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.access import ProjectAccess
from annotation.corpora.accounts.models import User
from annotation.corpora.activity.service import record_export
from annotation.corpora.corpus.queries import CountedPaginator
from annotation.corpora.jobs.models import Job
from annotation.corpora.projects.access import project_context, project_view, user_of
from annotation.corpora.projects.models import Role
from annotation.crowd.campaigns import collecting, ledger, planning, queries, recollecting, steps
from annotation.crowd.campaigns.forms import ExtendForm, RecollectForm, SettlementForm
from annotation.crowd.campaigns.live import (
    get_intent,
    get_rules,
    list_before_after,
    list_shown_summaries,
    price_top_ups,
)
from annotation.crowd.campaigns.models import Campaign, CampaignState
from annotation.crowd.campaigns.overview import get_reach
from annotation.crowd.campaigns.planning import Price, count_scope, price_extension
from annotation.crowd.campaigns.queries import get_campaign
from annotation.crowd.campaigns.recollecting import export_results_csv
from annotation.crowd.campaigns.sums import recall_books, recall_wages, sum_places
from annotation.crowd.offline.service import export_batch_csv
from annotation.crowd.review import bulk
from annotation.crowd.review import service as review_service
from annotation.crowd.templatetags.work_words import seconds_words
from annotation.errors import DomainError, Invalid, NotFound
from annotation.headers import attach_as
from annotation.wording import counted


@dataclass(frozen=True, slots=True)
class Question:
    """What a page asks before something is done; `total` if that spends."""

    campaign: Campaign
    title: str
    words: list[str]
    button: str
    lines: list[tuple[str, Any]] = field(default_factory=list)
    total: Decimal | None = None
    hidden: list[tuple[str, Any]] = field(default_factory=list)
    action: str = ""
    is_danger: bool = False
    doubtful: int = 0


def ask(request: HttpRequest, access: ProjectAccess, question: Question) -> HttpResponse:
    context = project_context(access, "crowd", campaign=question.campaign, question=question)
    return render(request, "crowd/campaigns/confirm.html", context)


def is_agreed(request: HttpRequest, total: Decimal) -> bool:
    """Whether the sum that was shown is the sum that it costs now."""
    if request.method != "POST":
        return False
    if request.POST.get("total") == f"{total:.4f}":
        return True
    messages.error(request, _("The amount has changed since you opened the page. Check it again."))
    return False


def _to_campaign(access: ProjectAccess, pk: int) -> HttpResponse:
    return redirect("crowd:campaign", access.project.slug, pk)


@project_view(Role.OWNER)
@require_http_methods(["GET", "POST"])
def publish(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    campaign = queries.get_campaign(access.project, pk)
    if campaign.state != CampaignState.DRAFT:
        return _to_campaign(access, pk)
    cost = planning.estimate_cost(campaign)
    if is_agreed(request, cost.total):
        steps.publish_campaign(campaign=campaign, user=user_of(request))
        return _to_campaign(access, pk)
    if obstacles := steps.list_obstacles(campaign):
        raise DomainError(obstacles[0], _("Fix this, then publish."), fix=campaign)
    reach = get_reach(campaign)
    question = Question(
        campaign,
        _("Publish {campaign}?").format(campaign=campaign.name),
        [
            _(
                "This publishes {HITs} with {assignments} each ({provider}). Workers see them "
                "immediately."
            ).format(
                HITs=counted(cost.hits, "HIT", "HITs"),
                assignments=counted(campaign.assignments_per_hit, "assignment", "assignments"),
                provider=campaign.get_provider_display(),
            ),
            _(
                "You can't change what workers have already seen. You can pause and end the "
                "campaign; the money for work that nobody has started is released."
            ),
            *([reach.words] if reach and reach.known else []),
            *steps.list_warnings(campaign),
        ],
        _("Publish for ${total:,.2f}").format(total=cost.total),
        lines=[
            (
                _("Rewards for {assignments:,} assignments").format(assignments=cost.assignments),
                cost.rewards,
            ),
            (_("Provider fees"), cost.fees),
            (_("Bonus reserve"), cost.bonus_reserve),
        ],
        total=cost.total,
    )
    return ask(request, access, question)


@project_view(Role.OWNER)
@require_POST
def pause_campaign(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    return _start(request, access, pk, steps.pause_campaign)


@project_view(Role.OWNER)
@require_POST
def resume_campaign(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    return _start(request, access, pk, steps.resume_campaign)


def _start(
    request: HttpRequest, access: ProjectAccess, pk: int, step: Callable[..., Job]
) -> HttpResponse:
    campaign = queries.get_campaign(access.project, pk)
    step(campaign=campaign, user=user_of(request))
    return _to_campaign(access, pk)


@project_view(Role.OWNER)
@require_http_methods(["GET", "POST"])
def end_campaign(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    campaign = queries.get_campaign(access.project, pk)
    if request.method == "POST":
        return _start(request, access, pk, steps.end_campaign)
    places = sum_places(campaign)
    question = Question(
        campaign,
        _("End {campaign}?").format(campaign=campaign.name),
        [
            _(
                "{collected:,} of {wanted:,} assignments are collected. "
                "Open HITs close for good. Work in progress can still be submitted and is paid."
            ).format(collected=places.collected, wanted=places.wanted),
            _("Money reserved for work that nobody has started is released."),
        ],
        _("End campaign"),
        is_danger=places.collected < places.wanted,
    )
    return ask(request, access, question)


@project_view(Role.OWNER)
@require_http_methods(["GET", "POST"])
def extend_campaign(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    """First what more is wanted; then what that costs; then it is done."""
    campaign = queries.get_campaign(access.project, pk)
    given = request.POST if request.method == "POST" else request.GET or None
    form = ExtendForm(campaign, given)
    price = None
    if given is not None and form.is_valid():
        price = price_extension(campaign, **form.cleaned_data)
        if is_agreed(request, price.total):
            known = request.POST.get("expected", "")
            steps.extend_campaign(
                campaign=campaign,
                user=user_of(request),
                expected=int(known) if known.isdecimal() else None,
                **form.cleaned_data,
            )
            return _to_campaign(access, pk)
    books = recall_books(campaign)
    context = project_context(
        access,
        "crowd",
        campaign=campaign,
        form=form,
        price=price,
        books=books,
        needed=books.cap_for(price.total) if price and price.total > books.left else None,
    )
    # What is typed is not finished: htmx shows no page that is refused.
    status = 422 if form.errors and not getattr(request, "htmx", False) else 200
    return render(request, "crowd/campaigns/extend.html", context, status=status)


@project_view(Role.OWNER)
@require_http_methods(["GET", "POST"])
def recollect_places(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    """Which assignments, then what they cost; then they are requested."""
    campaign = queries.get_campaign(access.project, pk)
    missing = recollecting.count_missing(campaign)
    if not (missing.rejected or missing.dropped):
        raise DomainError(
            _("Every assignment counts or has already been re-collected."),
            _("There is nothing to do."),
        )
    given = request.POST if request.method == "POST" else request.GET or None
    form = RecollectForm(missing, given)
    price = None
    if given is not None and form.is_valid():
        price = recollecting.price_recollection(campaign, **form.cleaned_data)
        if is_agreed(request, price.total):
            recollecting.recollect_places(
                campaign=campaign, user=user_of(request), at_most=price.total, **form.cleaned_data
            )
            return _to_campaign(access, pk)
    context = project_context(access, "crowd", campaign=campaign, form=form, price=price)
    status = 422 if form.errors else 200
    return render(request, "crowd/campaigns/recollect.html", context, status=status)


@project_view(Role.EDITOR)
@require_POST
def collect_campaign(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    campaign = queries.get_campaign(access.project, pk)
    collected = collecting.collect_campaign(campaign=campaign)
    messages.success(
        request,
        _("Collected {new:,} new and {decided:,} decided elsewhere.").format(
            new=collected.new, decided=collected.decided
        ),
    )
    return _to_campaign(access, pk)


@project_view(Role.OWNER)
@require_http_methods(["GET", "POST"])
def top_up(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    """Every worker below the wage floor, or one of them."""
    campaign = queries.get_campaign(access.project, pk)
    chosen = request.GET.get("worker", "")
    workers = [int(chosen)] if chosen.isascii() and chosen.isdigit() else None
    price = price_top_ups(campaign, workers)
    if not price.number:
        raise DomainError(
            _("All workers have reached the wage floor."), _("There is nothing to top up.")
        )
    ledger.refuse_beyond_cap(campaign, price.total, recall_books(campaign))
    if is_agreed(request, price.total):
        paid = bulk.top_up(
            campaign=campaign, user=user_of(request), workers=workers, at_most=price.total
        )
        messages.success(request, _("${paid:,.2f} paid in bonuses.").format(paid=paid))
        return _to_campaign(access, pk)
    return ask(request, access, _ask_to_top_up(campaign, price, workers))


def _ask_to_top_up(campaign: Campaign, price: Price, workers: Collection[int] | None) -> Question:
    """With a line for each worker: their wage, the time that it is by, and the bonus."""
    known = recall_wages(campaign)
    wages = {row.last: row for row in known}
    lines: list[tuple[str, Any]] = []
    for award in bulk.list_top_ups(campaign, workers, known):
        row = wages[award.assignment.pk]
        spent = seconds_words(float(row.hours) * 3600)
        lines.append(
            (
                _("{worker}: ${hourly:,.2f} per hour, {spent}").format(
                    worker=award.assignment.worker, hourly=row.hourly, spent=spent
                ),
                award.amount,
            )
        )
    return Question(
        campaign,
        _("Top up {workers} to the wage floor?").format(
            workers=counted(price.number, "worker", "workers")
        ),
        [
            _(
                "Each worker earned less than ${wage_floor:,.2f} per hour for the time "
                "their assignments took, and gets one bonus with this reason: "
                "“{top_up_reason}” Nobody is paid twice."
            ).format(wage_floor=campaign.wage_floor, top_up_reason=bulk.TOP_UP_REASON)
        ],
        f"Pay ${price.total:,.2f}",
        lines=[*lines, (_("Provider fees"), price.fees)],
        total=price.total,
    )


@project_view(Role.OWNER)
@require_POST
def settle_intent(
    request: HttpRequest, access: ProjectAccess, pk: int, intent: int
) -> HttpResponse:
    campaign = queries.get_campaign(access.project, pk)
    found = get_intent(campaign, intent)
    form = SettlementForm(request.POST)
    if found is None:
        raise NotFound(_("There is no such entry in the campaign's ledger."))
    if not form.is_valid():
        raise Invalid(_("Choose done or not done."))
    user: User = user_of(request)
    review_service.settle_by_hand(intent=found, user=user, **form.cleaned_data)
    messages.success(request, _("Settled. The ledger shows it with your name."))
    return _to_campaign(access, pk)


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


def batch_response(campaign: Campaign) -> StreamingHttpResponse:
    return _respond(campaign, export_batch_csv(campaign), "batch")


def results_response(campaign: Campaign) -> StreamingHttpResponse:
    return _respond(campaign, export_results_csv(campaign), "results")


def _respond(campaign: Campaign, lines: Iterator[str], what: str) -> StreamingHttpResponse:
    about = _("the {what} of {campaign}").format(what=what, campaign=campaign.name)
    record_export(project=campaign.project, what=about, format="csv", target=campaign)
    response = StreamingHttpResponse(
        (line.encode() for line in lines), content_type="text/csv; charset=utf-8"
    )
    plain = re.sub(r"[^A-Za-z0-9._ -]", "-", campaign.name)
    attach_as(response, f"{campaign.project.slug}-{plain}-{what}.csv")
    return response
