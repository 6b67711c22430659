"""Domain errors, and the one shape in which a page or a REST call tells of any error.

Workers and commands need these, too, and load no REST framework for it: rest_errors.py does.
"""

from __future__ import annotations

import math
from datetime import timedelta
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from annotation.references import describe_defect, reference_of


class DomainError(Exception):
    """Something a person asked for that cannot be done; says what, and how to mend it."""

    status = 409
    code = "conflict"
    title = "That can't be done"
    # Whoever pays is told of it in another way than of other faults.
    is_about_money = False

    def __init__(self, message: str, mend: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.mend = mend
        # What a script needs besides the words; REST adds it to the answer.
        self.extra: dict[str, Any] = {}
        self.headers: dict[str, str] = {}


class NotFound(DomainError):
    """No such thing, or none that this person may know of."""

    status = 404
    code = "not_found"
    title = "Not here"


class Forbidden(DomainError):
    """The person is a member, but their role does not allow this."""

    status = 403
    code = "forbidden"
    title = "Your role doesn't allow this"


class Invalid(DomainError):
    """What was sent is not what was expected."""

    status = 400
    code = "invalid"
    title = "That was not understood"


class TooLarge(DomainError):
    """More was sent than this server takes."""

    status = 413
    code = "too_large"
    title = "That is too large"


class TooMany(DomainError):
    """It was tried more often than is allowed; `retry_after` says how long to wait."""

    status = 429
    code = "throttled"
    title = "Too often"

    def __init__(self, message: str, mend: str = "", *, retry_after: timedelta) -> None:
        super().__init__(message, mend)
        self.headers = {"Retry-After": str(math.ceil(retry_after.total_seconds()))}


class DomainErrorMiddleware:
    """Turns a domain error of a page view into a page."""

    def __init__(self, get_response: Any) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response: HttpResponse = self.get_response(request)
        return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        return error_response(request, error) if isinstance(error, DomainError) else None


def error_response(request: HttpRequest, error: DomainError) -> HttpResponse:
    """The error in the shape of the door at which the request knocked."""
    if request.path.startswith("/api/"):
        body = shape(error.code, error.message, mend=error.mend)
        return JsonResponse(body, status=error.status, headers=error.headers)
    page = _error_page(request, error.status, error.title, error.message, error.mend)
    for name, value in error.headers.items():
        page[name] = value
    return page


def shape(
    code: str, message: str, *, mend: str = "", fields: dict[str, list[str]] | None = None
) -> dict[str, Any]:
    """What REST answers, whatever went wrong."""
    return {"error": {"code": code, "message": message, "mend": mend, "fields": fields or {}}}


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _plain(request, 400, "The request was not understood.")


def permission_denied(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _plain(request, 403, "This is not allowed.")


def page_not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _plain(request, 404, "There is nothing at this address.")


def server_error(request: HttpRequest) -> HttpResponse:
    reference = reference_of(request)
    if request.path.startswith("/api/"):
        return JsonResponse(shape(CODES[500], describe_defect(reference)), status=500)
    return render(request, "500.html", {"reference": reference}, status=500)


CODES = {400: "invalid", 403: "forbidden", 404: "not_found", 500: "server_error"}


def _plain(request: HttpRequest, status: int, message: str) -> HttpResponse:
    if request.path.startswith("/api/"):
        return JsonResponse(shape(CODES[status], message), status=status)
    return render(request, f"{status}.html", status=status)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return _error_page(
        request,
        403,
        "This form has expired",
        "The page was open for too long, or it was opened by another site.",
        "Go back, reload the page and send it again. Nothing was changed.",
    )


def _error_page(
    request: HttpRequest, status: int, title: str, message: str, mend: str
) -> HttpResponse:
    context = {"status": status, "title": title, "message": message, "mend": mend}
    return render(request, "corpora/error.html", context, status=status)
