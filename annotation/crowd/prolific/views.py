"""Where Prolific sends its participants, and where it tells us of what happened there."""

from __future__ import annotations

import hashlib
import json
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from annotation.crowd.campaigns.models import Hit
from annotation.crowd.judging_page.question import make_task
from annotation.crowd.judging_page.views import answer_with_page, page_policy
from annotation.crowd.prolific import service
from annotation.crowd.providers.prolific_study import COMPLETE_ORIGIN, completion_url
from annotation.errors import Forbidden, Invalid

LONGEST_EVENT_ID = 128
# The form answers with a redirect to Prolific, which browsers count as going there.
FORM_ACTION = ("'self'", COMPLETE_ORIGIN)


@require_safe
@never_cache
def arrive(request: HttpRequest, token: UUID) -> HttpResponse:
    """The judging page, or the way back for who has submitted already."""
    campaign = service.get_campaign(token)
    session = service.admit_participant(
        campaign=campaign,
        participant=request.GET.get("PROLIFIC_PID", ""),
        session_id=request.GET.get("SESSION_ID", ""),
    )
    if session.submitted_at is not None:
        return HttpResponseRedirect(completion_url(campaign))
    rows = Hit.objects.select_related("campaign", "summary__example", "summary__system")
    task = make_task(
        rows.get(pk=session.hit_id),
        submit_url=reverse("crowd:prolific_submit", args=[token]),
        assignment_id=str(session.key),
    )
    policy = page_policy(ancestors=["'none'"], form_action=FORM_ACTION)
    return answer_with_page(task, policy)


@csrf_exempt
@require_POST
def submit(request: HttpRequest, token: UUID) -> HttpResponse:
    """Authorised by the session's key, which only the participant's page knows."""
    campaign = service.get_campaign(token)
    fields = dict(request.POST.lists())
    service.submit_session(
        campaign=campaign, key=request.POST.get("assignmentId", ""), fields=fields
    )
    return HttpResponseRedirect(completion_url(campaign))


@csrf_exempt
@require_POST
def webhook(request: HttpRequest) -> HttpResponse:
    """An event: checked, counted once, and then only a reason to look at the study."""
    timestamp = request.headers.get("X-Prolific-Request-Timestamp", "")
    if not service.is_genuine(
        secret=settings.PROLIFIC_WEBHOOK_SECRET,
        timestamp=timestamp,
        body=request.body,
        signature=request.headers.get("X-Prolific-Request-Signature", ""),
    ):
        raise Forbidden(_("This was not signed by Prolific."))
    event_id = request.headers.get("X-Event-ID") or _digest(timestamp, request.body)
    service.receive_event(event_id=event_id[:LONGEST_EVENT_ID], resource_id=_resource(request))
    return HttpResponse(status=204)


def _digest(timestamp: str, body: bytes) -> str:
    return hashlib.sha256(timestamp.encode() + body).hexdigest()


def _resource(request: HttpRequest) -> str:
    try:
        event = json.loads(request.body)
    except ValueError:
        raise Invalid(_("The event is not JSON.")) from None
    found = event.get("resource_id") if isinstance(event, dict) else None
    return found if isinstance(found, str) else ""
