"""What every request passes: a policy that lets pages run our own files only."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from annotation.headers import set_default_policy, write_policy

DIRECTIVES = {
    "default-src": ["'none'"],
    "script-src": ["'self'"],
    "style-src": ["'self'"],
    "img-src": ["'self'", "data:"],
    "font-src": ["'self'"],
    "connect-src": ["'self'"],
    "form-action": ["'self'"],
    "base-uri": ["'none'"],
    "frame-ancestors": ["'none'"],
}
POLICY = write_policy(DIRECTIVES)


def framing_policy(*sources: str, server: str = "") -> str:
    """For a page of ours with a frame, which shows what comes from these sources.

    It may ask the server of the framed page whether it is there.
    """
    reached = [*DIRECTIVES["connect-src"], *filter(None, [server])]
    return write_policy({**DIRECTIVES, "connect-src": reached, "frame-src": sources})


def picture_policy() -> str:
    """For a page of ours that shows pictures of other sites."""
    return write_policy({**DIRECTIVES, "img-src": [*DIRECTIVES["img-src"], "https:"]})


class ContentSecurityPolicyMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        set_default_policy(response, POLICY)
        return response
