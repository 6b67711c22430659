"""What every request passes: a policy that lets pages run our own files alone, and a limit."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from annotation.errors import TooLarge, error_response
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


def framing_policy(*sources: str) -> str:
    """For a page of ours with a frame, which shows what comes from these sources."""
    return write_policy({**DIRECTIVES, "frame-src": sources})


class ContentSecurityPolicyMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        set_default_policy(response, POLICY)
        return response


# Enough for every form; only people who signed in send files.
ANONYMOUS_BYTES = 2**20
SLACK_BYTES = 2**20


class BodyLimitMiddleware:
    """Refuses a body that is too large before anything of it is read or written to disk."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_: object) -> HttpResponse | None:
        """Runs before the CSRF check, which would read the body to find its token."""
        length = request.META.get("CONTENT_LENGTH") or "0"
        # Small bodies pass without a look at who sends them, which would cost two queries.
        if length.isdecimal() and (
            int(length) <= ANONYMOUS_BYTES or int(length) <= _most_bytes(request)
        ):
            return None
        mend = f"Send at most {settings.MAX_UPLOAD_MB:,} MB, signed in."
        return error_response(request, TooLarge("This is more than the server takes.", mend))


def _most_bytes(request: HttpRequest) -> int:
    if request.user.is_authenticated or "Authorization" in request.headers:
        return int(settings.MAX_UPLOAD_MB) * 2**20 + SLACK_BYTES
    return ANONYMOUS_BYTES
