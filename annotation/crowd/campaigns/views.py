"""Plots of campaigns, as the coordinates of an SVG that a template writes out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.access import ProjectAccess
from annotation.corpora.projects.access import project_context, project_view, sent, user_of
from annotation.corpora.projects.models import Role
from annotation.crowd.campaigns import live as live_selectors
from annotation.crowd.campaigns import planning, queries, recollecting, service, steps
from annotation.crowd.campaigns.forms import NewCampaignForm
from annotation.crowd.campaigns.forms_setup import LaterForm, NameForm, Setup, read_settings
from annotation.crowd.campaigns.live import list_rows, price_top_ups
from annotation.crowd.campaigns.models import Campaign, CampaignState, ProviderName
from annotation.crowd.campaigns.overview import get_reach, list_requirements
from annotation.crowd.campaigns.presets import PRESETS, describe_requirement
from annotation.crowd.campaigns.service import is_imported
from annotation.crowd.campaigns.steps import list_left_out_keys
from annotation.crowd.campaigns.sums import list_outstanding
from annotation.crowd.campaigns.views_steps import Question, ask, results_response
from annotation.crowd.offline.service import list_frozen_sets
from annotation.crowd.requesters.queries import find_payer
from annotation.errors import DomainError, Invalid
from annotation.headers import attach_as
from annotation.wording import counted

WIDTH, HEIGHT = 600, 180
# Room for the width of a line at the top and at the bottom.
EDGE = 2


@dataclass(frozen=True, slots=True)
class Curve:
    """A rising line, the area beneath it, and the line of what is wanted."""

    width: int
    height: int
    line: str
    area: str
    base: int
    goal: int
    goal_y: float


def draw_collected(points: Sequence[tuple[datetime, int]], wanted: int) -> Curve | None:
    """Collected assignments over time against those that are wanted."""
    if not points:
        return None
    most = max(wanted, points[-1][1], 1)
    start, end = points[0][0], points[-1][0]
    length = max((end - start).total_seconds(), 1)
    line = " ".join(
        f"{WIDTH * (at - start).total_seconds() / length:.1f},{_up(count / most):.1f}"
        for at, count in points
    )
    base = HEIGHT - EDGE
    return Curve(
        width=WIDTH,
        height=HEIGHT,
        line=line,
        area=f"0,{base} {line} {WIDTH},{base}",
        base=base,
        goal=wanted,
        goal_y=round(_up(wanted / most), 1),
    )


def _up(share: float) -> float:
    return EDGE + (1 - share) * (HEIGHT - 2 * EDGE)


PAGE = 100


@project_view()
@require_safe
def campaigns(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    context = project_context(
        access,
        "crowd",
        rows=list_rows(access.project),
        has_frozen=list_frozen_sets(access.project).exists(),
    )
    return render(request, "crowd/campaigns/list.html", context)


@project_view(Role.EDITOR)
@require_http_methods(["GET", "POST"])
def create_campaign(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    """A draft with one click: the button that is pressed carries the preset."""
    form = NewCampaignForm(access.project, sent(request), initial={"name": _free_name(access)})
    if request.method == "POST" and form.is_valid():
        try:
            made = service.create_campaign(
                project=access.project, user=user_of(request), **form.cleaned_data
            )
        except DomainError as error:
            form.add_error("name", f"{error.message} {error.hint}")
        else:
            _say_left_out(request, made, form.cleaned_data["preset"])
            return redirect("crowd:setup", access.project.slug, made.pk)
    context = project_context(
        access,
        "crowd",
        form=form,
        presets=PRESETS,
        has_frozen=list_frozen_sets(access.project).exists(),
    )
    status = 422 if form.errors else 200
    return render(request, "crowd/campaigns/new.html", context, status=status)


def _say_left_out(request: HttpRequest, campaign: Campaign, preset: str) -> None:
    """A study's requirements that this crowd can't be asked for."""
    rows = PRESETS[preset].left_out(campaign.provider)
    if rows:
        listed = ", ".join(map(describe_requirement, rows))
        where = campaign.get_provider_display()
        messages.info(
            request,
            _("Not set, because {where} doesn't support it: {listed}.").format(
                where=where, listed=listed
            ),
        )


def _free_name(access: ProjectAccess) -> str:
    taken = set(Campaign.objects.filter(project=access.project).values_list("name", flat=True))
    numbers = range(1, len(taken) + 2)
    return next(
        _("Round {number}").format(number=number)
        for number in numbers
        if f"Round {number}" not in taken
    )


@project_view()
@require_safe
def campaign(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    """A draft before it is published; afterwards, its live status."""
    found = queries.get_campaign(access.project, pk)
    if found.state == CampaignState.DRAFT:
        context = project_context(access, "crowd", **draft_context(found))
        return render(request, "crowd/campaigns/draft.html", context)
    return _live(request, access, found)


def draft_context(campaign: Campaign) -> dict[str, Any]:
    cost = planning.estimate_cost(campaign)
    # As in the list of obstacles: until the set is frozen, nobody is asked for money.
    is_priced = campaign.unit_set.is_frozen
    return {
        "campaign": campaign,
        "cost": cost,
        "cap": planning.find_cap(campaign, cost),
        "reach": get_reach(campaign),
        "requirements": list_requirements(campaign),
        "wage": planning.expected_wage(campaign, cost),
        "room": planning.find_room(campaign, cost),
        "obstacles": steps.list_obstacles(campaign),
        "warnings": steps.list_warnings(campaign),
        "requester": find_payer(campaign),
        "shortage": steps.find_shortage(campaign, cost.total) if is_priced else "",
        "has_left_out": bool(list_left_out_keys(campaign)),
    }


def _live(request: HttpRequest, access: ProjectAccess, campaign: Campaign) -> HttpResponse:
    """Nothing is sent, and nothing on the page moves, when nothing has changed."""
    stamp = live_selectors.get_stamp(campaign)
    if request.GET.get("stamp") == stamp and getattr(request, "htmx", False):
        return HttpResponse(status=204)
    context = project_context(access, "crowd", stamp=stamp, **live_context(campaign))
    response = render(request, "crowd/campaigns/live.html", context)
    response["Vary"] = "HX-Request"
    return response


def live_context(campaign: Campaign) -> dict[str, Any]:
    live = queries.get_live(campaign)
    squares = queries.list_squares(campaign)
    points = queries.count_by_time(campaign)
    top_up = price_top_ups(campaign) if live.wage.below else None
    job = campaign.job
    return {
        "campaign": campaign,
        "live": live,
        "job": job if job and not job.is_over else None,
        "failed_job": job if job and job.state == "failed" else None,
        "is_moving": campaign.state in live_selectors.MOVING or (job and not job.is_over),
        "is_sign_up_open": settings.MARKET_SIGN_UP == "open",
        "is_offline": campaign.provider == ProviderName.OFFLINE,
        "is_imported": is_imported(campaign),
        "needs": live_selectors.list_needs(live, top_up),
        "squares": squares,
        "legend": live_selectors.count_squares(campaign),
        "hit_count": live.hits,
        "points": points,
        "curve": draw_collected(points, live.wanted),
        "top_up": top_up,
        "missing": recollecting.count_missing(campaign) if can_recollect(campaign) else None,
    }


def can_recollect(campaign: Campaign) -> bool:
    return campaign.state == CampaignState.LIVE and campaign.provider != ProviderName.OFFLINE


@project_view()
@require_safe
def hits(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    """Every HIT with what is collected and what is outstanding; at first those that lack some."""
    found = queries.get_campaign(access.project, pk)
    is_all = request.GET.get("all") == "1"
    rows = list_outstanding(found, is_all=is_all)
    page = Paginator(rows, PAGE).get_page(request.GET.get("page", 1))
    context = project_context(
        access,
        "crowd",
        campaign=found,
        page=page,
        shown=[(hit, queries.get_hit_state(hit)) for hit in page.object_list],
        total=page.paginator.count,
        first=page.start_index(),
        last=page.end_index(),
        is_all=is_all,
        query_string="all=1" if is_all else "",
    )
    return render(request, "crowd/campaigns/hits.html", context)


@project_view(Role.EDITOR)
@require_http_methods(["GET", "POST"])
def setup(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = queries.get_campaign(access.project, pk)
    if found.state != CampaignState.DRAFT:
        return _later(request, access, found)
    filled = Setup(found, sent(request))
    if request.method == "POST" and filled.is_valid() and _save(request, found, filled):
        messages.success(request, _("Settings saved."))
        if request.POST.get("then") == "check":
            return redirect("crowd:campaign", access.project.slug, pk)
        return redirect("crowd:setup", access.project.slug, pk)
    shown = found if request.method == "GET" else queries.get_campaign(access.project, pk)
    cost = planning.estimate_cost(shown)
    context = project_context(
        access,
        "crowd",
        campaign=shown,
        filled=filled,
        form=filled.form,
        cost=cost,
        cap=planning.find_cap(shown, cost),
        wage=planning.expected_wage(shown, cost),
        room=planning.find_room(shown, cost),
    )
    status = 422 if request.method == "POST" else 200
    return render(request, "crowd/campaigns/setup.html", context, status=status)


@project_view(Role.EDITOR)
@require_POST
def preview_cost(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    """What the settings that are being typed would cost; nothing is saved."""
    found = queries.get_campaign(access.project, pk)
    filled = Setup(found, request.POST)
    context = project_context(access, "crowd", campaign=found, is_typed=True)
    if not filled.is_valid():
        return render(request, "crowd/campaigns/_no_cost.html", {"form": filled.form})
    try:
        draft = service.preview_settings(campaign=found, **filled.settings())
    except DomainError as error:
        return render(request, "crowd/campaigns/_no_cost.html", {"error": error})
    cost = planning.estimate_cost(draft)
    context |= {
        "campaign": draft,
        "cost": cost,
        "cap": planning.find_cap(draft, cost),
        "wage": planning.expected_wage(draft, cost),
        "room": planning.find_room(draft, cost),
        "requester": find_payer(draft),
    }
    return render(request, "crowd/campaigns/_cost.html", context)


def _save(request: HttpRequest, campaign: Campaign, filled: Setup) -> bool:
    try:
        service.update_campaign(campaign=campaign, user=user_of(request), **filled.settings())
    except Invalid as error:
        filled.refuse(error)
        return False
    except DomainError as error:
        filled.form.add_error(None, f"{error.message} {error.hint}")
        return False
    return True


def _later(request: HttpRequest, access: ProjectAccess, campaign: Campaign) -> HttpResponse:
    if set(request.POST) & set(LaterForm.base_fields) - {"name"}:
        access.require(Role.OWNER)
    chosen = LaterForm if access.can_own else NameForm
    form = chosen(sent(request), initial=read_settings(campaign))
    if request.method == "POST" and form.is_valid():
        try:
            service.update_campaign(campaign=campaign, user=user_of(request), **form.cleaned_data)
        except DomainError as error:
            form.add_error(None, f"{error.message} {error.hint}")
        else:
            messages.success(request, _("Settings saved."))
            return redirect("crowd:campaign", access.project.slug, campaign.pk)
    context = project_context(access, "crowd", campaign=campaign, form=form)
    status = 422 if request.method == "POST" else 200
    return render(request, "crowd/campaigns/later.html", context, status=status)


@project_view(Role.EDITOR)
@require_POST
def duplicate_campaign(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = queries.get_campaign(access.project, pk)
    made = service.duplicate_campaign(campaign=found, user=user_of(request))
    messages.success(
        request,
        _("{made} is a new draft with the settings of {found}.").format(made=made, found=found),
    )
    return redirect("crowd:setup", access.project.slug, made.pk)


@project_view()
@require_safe
def results_csv(request: HttpRequest, access: ProjectAccess, pk: int) -> StreamingHttpResponse:
    return results_response(queries.get_campaign(access.project, pk))


@project_view(Role.OWNER)
@require_http_methods(["GET", "POST"])
def delete_campaign(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    found = queries.get_campaign(access.project, pk)
    if request.method == "POST":
        service.delete_campaign(campaign=found, user=user_of(request))
        messages.success(request, _("{found} was deleted.").format(found=found))
        return redirect("crowd:campaigns", access.project.slug)
    number = counted(found.assignments.count(), "assignment", "assignments")
    question = Question(
        found,
        _("Delete {name}?").format(name=found.name),
        [
            _("This also deletes its {number} with all answers. It can't be undone.").format(
                number=number
            )
        ],
        _("Delete campaign"),
        is_danger=True,
    )
    return ask(request, access, question)


@project_view()
@require_safe
def collected_csv(request: HttpRequest, access: ProjectAccess, pk: int) -> StreamingHttpResponse:
    found = queries.get_campaign(access.project, pk)
    return csv_response(live_selectors.stream_collected(found), f"collected-{pk}.csv")


def csv_response(lines: Any, name: str) -> StreamingHttpResponse:
    response = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
    attach_as(response, name)
    return response
