"""MTurk clients whose endpoint URL lacks `/mturk/`: what to set, in the shape that they read."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from annotation.crowd.market.protocol import Answer
from annotation.crowd.market.service_model import TARGET_PREFIX
from annotation.crowd.views.mturk import respond
from annotation.translation import gettext as _


class MisaddressedMiddleware:
    """Answers calls of the API anywhere but at its address, before a page asks for a form token."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        target = request.META.get("HTTP_X_AMZ_TARGET", "")
        if not target.startswith(TARGET_PREFIX) or request.path in _addresses():
            return self.get_response(request)
        return respond(_describe(request))


def _addresses() -> tuple[str, str]:
    return reverse("crowd:mturk"), reverse("crowd:mturk_plain")


def _describe(request: HttpRequest) -> Answer:
    right = request.build_absolute_uri(reverse("crowd:mturk"))
    wrong = request.build_absolute_uri(request.path)
    message = _(
        "The MTurk API of this server is at {right}, not at {wrong}. Set endpoint_url, or the "
        "environment variable AWS_ENDPOINT_URL_MTURK, to {right}"
    ).format(right=right, wrong=wrong)
    return Answer(404, {"__type": "UnknownOperationException", "message": message})
