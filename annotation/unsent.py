"""A form that was sent after its session had ended comes back once somebody has signed in.

Until then, what was entered is in the pages for signing in and nowhere on the server. Afterwards
the page that the form stood on is shown with it. Nothing is sent again until somebody presses the
button.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any
from urllib.parse import urlsplit

from django.core import signing
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.corpora.forms import SignInForm
from annotation.corpora.projects.access import stay_here
from annotation.errors import Forbidden
from annotation.refusals import Sent, read_sent, render_refusal, show_form_again
from annotation.translation import gettext_lazy

# The field of the pages for signing in, the key in the new session, and the mark in the address.
UNSENT = "unsent"
SIGNED_OUT = gettext_lazy("You are signed out. Sign in again in another tab, then continue here.")


class SignedOut(Forbidden):
    title = gettext_lazy("You were signed out")

    def __init__(self) -> None:
        super().__init__(
            _("Your session had expired, so the form was not sent. You are signed in again."),
            _("Check what you entered and send it again."),
        )


class UnsentFormMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method == "GET" and UNSENT in request.GET and UNSENT in request.session:
            return _show(request, Sent(**request.session.pop(UNSENT)))
        response = self.get_response(request)
        if not _leads_to_sign_in(response):
            return response
        if request.headers.get("HX-Request"):
            return HttpResponse(SIGNED_OUT, status=401, content_type="text/plain")
        return ask_to_sign_in(request) if request.method == "POST" else response


def _leads_to_sign_in(response: HttpResponse) -> bool:
    if not isinstance(response, HttpResponseRedirect):
        return False
    parts = urlsplit(response.url)
    return parts.path == reverse("corpora:sign_in") and "next=" in parts.query


def _show(request: HttpRequest, sent: Sent) -> HttpResponse:
    page = show_form_again(request, SignedOut(), sent)
    return page or render_refusal(request, SignedOut(), sent)


def ask_to_sign_in(request: HttpRequest, unsent: str = "") -> HttpResponse:
    """The page for signing in, with the form that could not be sent in it."""
    if not unsent:
        unsent = signing.dumps(asdict(read_sent(request)), salt=UNSENT, compress=True)
    context = {"form": SignInForm(), "unsent": unsent}
    response = render(request, "corpora/sign_in.html", context, status=401)
    response["Cache-Control"] = "no-store"
    return response


def read_unsent(request: HttpRequest) -> str:
    """What the page for signing in carries along; empty if nothing, or not as we wrote it."""
    return request.POST.get(UNSENT, "") if _unpack(request) else ""


def leave_sign_in(request: HttpRequest, target: str) -> HttpResponse:
    """Where somebody goes who has signed in: to the form that was not sent, if there is one."""
    sent = _unpack(request)
    if sent is None:
        return redirect(stay_here(request, target, "corpora:projects"))
    request.session[UNSENT] = sent
    page = sent["page"] or "/"
    address = f"{page}{'&' if '?' in page else '?'}{UNSENT}=1"
    return redirect(stay_here(request, address, "corpora:projects"))


def _unpack(request: HttpRequest) -> dict[str, Any] | None:
    try:
        return dict(signing.loads(request.POST.get(UNSENT, ""), salt=UNSENT))
    except signing.BadSignature:
        return None
