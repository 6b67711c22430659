"""A requester's webhooks: how each is doing, and what its owner can do about it."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.corpora.views.access import user_of
from annotation.crowd.market import deliveries
from annotation.crowd.selectors.requesters import get_requester
from annotation.crowd.selectors.webhooks import get_webhook, list_webhooks
from annotation.translation import gettext as _


@login_required
@never_cache
@require_safe
def webhooks(request: HttpRequest, pk: int) -> HttpResponse:
    requester = get_requester(user_of(request), pk)
    context = {
        "requester": requester,
        "webhooks": list_webhooks(requester),
        "days": deliveries.GIVEN_UP_AFTER.days,
        "seconds": deliveries.SECONDS,
    }
    return render(request, "crowd/webhooks.html", context)


@login_required
@require_POST
def retry_webhook(request: HttpRequest, pk: int, webhook: int) -> HttpResponse:
    found = get_webhook(get_requester(user_of(request), pk), webhook)
    waiting = deliveries.retry_webhook(webhook=found)
    messages.success(request, deliveries.describe_waiting(waiting))
    return redirect("crowd:webhooks", pk)


@login_required
@require_POST
def disable_webhook(request: HttpRequest, pk: int, webhook: int) -> HttpResponse:
    found = get_webhook(get_requester(user_of(request), pk), webhook)
    deliveries.disable_webhook(webhook=found)
    messages.success(
        request, _("Webhook disabled. No more events are sent to {found}.").format(found=found)
    )
    return redirect("crowd:webhooks", pk)
