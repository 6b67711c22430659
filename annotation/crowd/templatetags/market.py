"""Parts of other apps' pages that are about the marketplace."""

from __future__ import annotations

from typing import Any

from django import template
from django.conf import settings
from django.template import RequestContext
from django.urls import reverse

from annotation.access import owns_project
from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Project
from annotation.crowd.market.workers import list_invitations
from annotation.crowd.requesters.queries import list_own_requesters
from annotation.crowd.requesters.views import RequesterForm
from annotation.crowd.work.forms import WorkerInvitationForm

register = template.Library()


@register.inclusion_tag("crowd/_requesters.html", takes_context=True)
def requesters(context: RequestContext) -> dict[str, Any]:
    """On the account page: one's own requesters, and a form for who may create some."""
    user = context["request"].user
    assert isinstance(user, User)
    may_create = user.is_staff or owns_project(user)
    return {
        "requesters": list_own_requesters(user),
        "keys": user.requester_keys.select_related("requester"),
        "path": context["request"].path,
        "form": RequesterForm(user) if may_create else None,
        "csrf_token": context.get("csrf_token"),
        "is_staff": user.is_staff,
    }


@register.inclusion_tag("crowd/_worker_links.html", takes_context=True)
def worker_links(context: RequestContext, project: Project) -> dict[str, Any]:
    """On the members' page: how workers come to the marketplace."""
    request = context["request"]
    can_own = bool(context["can_own"])
    return {
        "project": project,
        "can_own": can_own,
        "is_open": settings.MARKET_SIGN_UP == "open",
        "address": request.build_absolute_uri(reverse("crowd:work_join")),
        "origin": f"{request.scheme}://{request.get_host()}",
        "invitations": list_invitations(project) if can_own else [],
        "form": WorkerInvitationForm(auto_id="workers-%s") if can_own else None,
        "csrf_token": context.get("csrf_token"),
    }
