"""The steps of a campaign. What spends says how much, on a page of its own, and asks once."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from annotation.access import ProjectAccess
from annotation.corpora.models import Job, Role, User
from annotation.corpora.views.access import project_context, project_view, user_of
from annotation.crowd import services
from annotation.crowd.forms import ExtendForm, RecollectForm, SettlementForm
from annotation.crowd.models import Campaign, CampaignState
from annotation.crowd.selectors import campaigns as selectors
from annotation.crowd.selectors.live import get_intent
from annotation.crowd.selectors.prices import Price, price_extension, price_top_ups
from annotation.crowd.selectors.reach import get_reach
from annotation.crowd.selectors.sums import recall_books, recall_wages, sum_places
from annotation.crowd.templatetags.work_words import seconds_words
from annotation.errors import DomainError, Invalid, NotFound
from annotation.translation import gettext as _
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
    campaign = selectors.get_campaign(access.project, pk)
    if campaign.state != CampaignState.DRAFT:
        return _to_campaign(access, pk)
    cost = services.estimate_cost(campaign)
    if is_agreed(request, cost.total):
        services.publish_campaign(campaign=campaign, user=user_of(request))
        return _to_campaign(access, pk)
    if obstacles := services.list_obstacles(campaign):
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
            *services.list_warnings(campaign),
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
    return _start(request, access, pk, services.pause_campaign)


@project_view(Role.OWNER)
@require_POST
def resume_campaign(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    return _start(request, access, pk, services.resume_campaign)


def _start(
    request: HttpRequest, access: ProjectAccess, pk: int, step: Callable[..., Job]
) -> HttpResponse:
    campaign = selectors.get_campaign(access.project, pk)
    step(campaign=campaign, user=user_of(request))
    return _to_campaign(access, pk)


@project_view(Role.OWNER)
@require_http_methods(["GET", "POST"])
def end_campaign(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    campaign = selectors.get_campaign(access.project, pk)
    if request.method == "POST":
        return _start(request, access, pk, services.end_campaign)
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
    campaign = selectors.get_campaign(access.project, pk)
    given = request.POST if request.method == "POST" else request.GET or None
    form = ExtendForm(campaign, given)
    price = None
    if given is not None and form.is_valid():
        price = price_extension(campaign, **form.cleaned_data)
        if is_agreed(request, price.total):
            known = request.POST.get("expected", "")
            services.extend_campaign(
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
    campaign = selectors.get_campaign(access.project, pk)
    missing = services.count_missing(campaign)
    if not (missing.rejected or missing.dropped):
        raise DomainError(
            _("Every assignment counts or has already been re-collected."),
            _("There is nothing to do."),
        )
    given = request.POST if request.method == "POST" else request.GET or None
    form = RecollectForm(missing, given)
    price = None
    if given is not None and form.is_valid():
        price = services.price_recollection(campaign, **form.cleaned_data)
        if is_agreed(request, price.total):
            services.recollect_places(
                campaign=campaign, user=user_of(request), at_most=price.total, **form.cleaned_data
            )
            return _to_campaign(access, pk)
    context = project_context(access, "crowd", campaign=campaign, form=form, price=price)
    status = 422 if form.errors else 200
    return render(request, "crowd/campaigns/recollect.html", context, status=status)


@project_view(Role.EDITOR)
@require_POST
def collect_campaign(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    campaign = selectors.get_campaign(access.project, pk)
    collected = services.collect_campaign(campaign=campaign)
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
    campaign = selectors.get_campaign(access.project, pk)
    chosen = request.GET.get("worker", "")
    workers = [int(chosen)] if chosen.isascii() and chosen.isdigit() else None
    price = price_top_ups(campaign, workers)
    if not price.number:
        raise DomainError(
            _("All workers have reached the wage floor."), _("There is nothing to top up.")
        )
    services.refuse_beyond_cap(campaign, price.total, recall_books(campaign))
    if is_agreed(request, price.total):
        paid = services.top_up(
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
    for award in services.list_top_ups(campaign, workers, known):
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
            ).format(wage_floor=campaign.wage_floor, top_up_reason=services.TOP_UP_REASON)
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
    campaign = selectors.get_campaign(access.project, pk)
    found = get_intent(campaign, intent)
    form = SettlementForm(request.POST)
    if found is None:
        raise NotFound(_("There is no such entry in the campaign's ledger."))
    if not form.is_valid():
        raise Invalid(_("Choose done or not done."))
    user: User = user_of(request)
    services.settle_by_hand(intent=found, user=user, **form.cleaned_data)
    messages.success(request, _("Settled. The ledger shows it with your name."))
    return _to_campaign(access, pk)
