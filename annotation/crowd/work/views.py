"""The worker's pages: work to choose from, a HIT in progress, and its outcome."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation import clock
from annotation.crowd.market.accepting import NoPlace, accept_hit, accept_next, list_free
from annotation.crowd.market.models_accounts import WorkerAccount
from annotation.crowd.market.models_work import AssignmentStatus, MarketAssignment
from annotation.crowd.market.work import PREVIEW_ID, return_assignment, save_time
from annotation.crowd.requesters.payments import get_earnings
from annotation.crowd.work.access import worker_view
from annotation.crowd.work.forms import TimeForm
from annotation.crowd.work.queries import (
    get_assignment,
    get_first_of_group,
    get_hit,
    get_hit_type,
    get_offer,
    list_in_hand,
    list_offers,
)
from annotation.crowd.work.views_frame import find_external, frame_address
from annotation.crowd.work.views_sandbox import EXTERNAL_SANDBOX, Frame, Shell, frame_for
from annotation.errors import Invalid, NotFound
from annotation.headers import set_policy
from annotation.middleware import framing_policy


@require_safe
@worker_view
def work_home(request: HttpRequest, worker: WorkerAccount) -> HttpResponse:
    offers = list_offers(worker, clock.now())
    context = {
        "worker": worker,
        "tab": "work",
        "in_hand": list_in_hand(worker),
        "open_offers": [offer for offer in offers if offer.is_open],
        "closed_offers": [offer for offer in offers if not offer.is_open],
        "earnings": get_earnings(worker),
    }
    return render(request, "crowd/work/home.html", context)


@require_safe
@worker_view
def work_type(request: HttpRequest, worker: WorkerAccount, hit_type_id: str) -> HttpResponse:
    """A preview of the HIT that would come next."""
    hit = list_free(get_hit_type(hit_type_id), worker, clock.now()).first()
    if hit is None:
        raise NotFound(
            _("No more HITs of this kind are available to you."), _("Choose other work.")
        )
    return redirect("crowd:work_hit", hit.hit_id)


@require_safe
@worker_view
def work_group(request: HttpRequest, worker: WorkerAccount) -> HttpResponse:
    """Programs print this address, with a HITGroupId, once they have created HITs."""
    group_id = request.GET.get("groupId", "")
    hit = get_first_of_group(group_id, worker, clock.now())
    return redirect("crowd:work_hit", hit.hit_id)


@require_safe
@worker_view
def work_hit(request: HttpRequest, worker: WorkerAccount, hit_id: str) -> HttpResponse:
    hit = get_hit(hit_id)
    external = find_external(hit)
    frame = frame_for(request, external)
    offer = get_offer(worker, hit.hit_type, clock.now())
    context = {
        "hit": hit,
        "offer": offer,
        "mine": hit.assignments.filter(worker=worker).exclude(status="Returned").first(),
        "title": hit.hit_type.title,
        "frame_url": frame_address(request, external.url, hit, PREVIEW_ID, worker),
        "sandbox": frame.sandbox,
        "server": frame.server,
        "height": frame.height,
    }
    html = render_to_string("crowd/work/preview.html", context, request)
    return _framing(html, frame)


@require_POST
@worker_view
def work_accept(request: HttpRequest, worker: WorkerAccount, hit_id: str) -> HttpResponse:
    return redirect(_address_of(accept_hit(hit_id=hit_id, worker=worker)))


@require_POST
@worker_view
def work_accept_next(request: HttpRequest, worker: WorkerAccount, hit_type_id: str) -> HttpResponse:
    return redirect(_address_of(accept_next(hit_type=get_hit_type(hit_type_id), worker=worker)))


def _address_of(assignment: MarketAssignment) -> str:
    return reverse("crowd:work_assignment", args=[assignment.assignment_id])


@require_safe
@never_cache
@worker_view
def work_assignment(
    request: HttpRequest, worker: WorkerAccount, assignment_id: str
) -> HttpResponse:
    """The HIT in progress; afterwards its outcome."""
    assignment = get_assignment(worker, assignment_id)
    if assignment.status != AssignmentStatus.ACCEPTED:
        return _show_outcome(request, worker, assignment)
    hit = assignment.hit
    external = find_external(hit)
    frame = frame_for(request, external)
    html = ASSIGNMENT.render(
        title=hit.hit_type.title,
        hit_id=hit.hit_id,
        assignment_id=assignment_id,
        requester_id=str(hit.requester_id),
        seconds=f"{assignment.seconds_worked:.1f}",
        reward=f"{hit.hit_type.reward:.2f}",
        left=str(max(0, int((assignment.deadline - clock.now()).total_seconds()))),
        deadline=f"{timezone.localtime(assignment.deadline):%H:%M}",
        frame_url=frame_address(request, external.url, hit, assignment_id, worker),
        sandbox=frame.sandbox,
        server=frame.server,
        height=str(frame.height),
        csrf_token=get_token(request),
    )
    return _framing(html, frame)


ASSIGNMENT = Shell(
    "crowd/work/assignment.html",
    [
        *("title", "hit_id", "assignment_id", "requester_id", "seconds", "reward", "left"),
        *("deadline", "frame_url", "sandbox", "server", "height", "csrf_token"),
    ],
)


def _framing(html: str, frame: Frame) -> HttpResponse:
    """A page with a frame, which shows our own pages or an external task."""
    response = HttpResponse(html)
    set_policy(response, framing_policy(*frame.sources, server=frame.server))
    if frame.sandbox == EXTERNAL_SANDBOX:
        # Otherwise browsers part an application from the windows that it opens.
        response["Cross-Origin-Opener-Policy"] = "same-origin-allow-popups"
    return response


def _show_outcome(
    request: HttpRequest, worker: WorkerAccount, assignment: MarketAssignment
) -> HttpResponse:
    more = list_free(assignment.hit.hit_type, worker, clock.now()).count()
    context = {"worker": worker, "tab": "work", "assignment": assignment, "more": more}
    return render(request, "crowd/work/outcome.html", context)


@require_POST
@worker_view
def work_time(request: HttpRequest, worker: WorkerAccount, assignment_id: str) -> HttpResponse:
    """What the page around a task reports every few seconds."""
    form = TimeForm(request.POST)
    if not form.is_valid():
        raise Invalid(_("The time must be a number of seconds, 0 or more."))
    assignment = get_assignment(worker, assignment_id)
    save_time(assignment=assignment, seconds=form.cleaned_data["seconds"])
    return HttpResponse(status=204)


@require_POST
@worker_view
def work_return(request: HttpRequest, worker: WorkerAccount, assignment_id: str) -> HttpResponse:
    return_assignment(assignment=get_assignment(worker, assignment_id))
    messages.success(request, _("HIT returned."))
    return redirect("crowd:work_home")


@require_POST
@worker_view
def work_go_on(request: HttpRequest, worker: WorkerAccount, assignment_id: str) -> HttpResponse:
    """After the frame said that it was sent: the next HIT if wanted, otherwise what became of it.

    The frame's word is not taken for it: while the HIT is in progress, its page stays as it is.
    """
    assignment = get_assignment(worker, assignment_id)
    if assignment.status == AssignmentStatus.ACCEPTED and "asked" not in request.POST:
        return HttpResponse(status=204)
    if assignment.status == AssignmentStatus.ACCEPTED or "next" not in request.POST:
        return redirect(_address_of(assignment))
    try:
        return redirect(_address_of(accept_next(hit_type=assignment.hit.hit_type, worker=worker)))
    except NoPlace as error:
        messages.info(request, _("Your work was submitted. {error}").format(error=error.message))
        return redirect("crowd:work_home")
