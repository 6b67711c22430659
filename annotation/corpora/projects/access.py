"""What every project page begins with: the project, the role, the navigation."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import resolve_url
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from annotation.access import ProjectAccess, get_access
from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Role
from annotation.corpora.projects.navigation import list_places
from annotation.errors import NotFound

P = ParamSpec("P")
ProjectView = Callable[Concatenate[HttpRequest, ProjectAccess, P], HttpResponseBase]


def project_view(
    at_least: Role = Role.VIEWER,
) -> Callable[[ProjectView[P]], Callable[..., HttpResponseBase]]:
    """Sign-in first, then membership, then the role; the view gets a `ProjectAccess`."""

    def decorate(view: ProjectView[P]) -> Callable[..., HttpResponseBase]:
        @login_required
        @wraps(view)
        def checked(request: HttpRequest, slug: str, *args: Any, **kwargs: Any) -> HttpResponseBase:
            return view(request, get_access(request.user, slug, at_least=at_least), *args, **kwargs)

        return checked

    return decorate


def project_context(access: ProjectAccess, tab: str, **context: Any) -> dict[str, Any]:
    return {
        "project": access.project,
        "role": access.role,
        "can_edit": access.can_edit,
        "can_own": access.can_own,
        "tab": tab,
        "places": list_places(access, tab),
        **context,
    }


def sent(request: HttpRequest) -> QueryDict | None:
    """What a form is to check: all that was posted, be it nothing; None when nobody posted."""
    return request.POST if request.method == "POST" else None


def staff_view(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """For the people who run this site; to others it does not exist."""

    @login_required
    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not user_of(request).is_staff:
            raise NotFound(_("There is nothing at this address."))
        return view(request, *args, **kwargs)

    return checked


def stay_here(request: HttpRequest, target: str, otherwise: str) -> str:
    """`target` if it is an address of this site; else the address of the page `otherwise`."""
    allowed = url_has_allowed_host_and_scheme(
        target, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return target if allowed else resolve_url(otherwise)


def user_of(request: HttpRequest) -> User:
    """The signed-in person; only for views behind a sign-in."""
    assert isinstance(request.user, User)
    return request.user
