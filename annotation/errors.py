"""Domain errors, and the one shape in which a page or a REST call tells of any error.

Workers and commands need these, too, and load no REST framework for it: rest_errors.py does.
"""

from __future__ import annotations

import logging
import math
import sys
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.db.models import Model
from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from annotation.faults import Fault, classify_fault
from annotation.headers import set_policy, write_policy
from annotation.references import describe_defect, reference_of
from annotation.refill import is_private
from annotation.translation import gettext_lazy

logger = logging.getLogger(__name__)


class DomainError(Exception):
    """Something a person asked for that cannot be done; says what, and how to fix it."""

    status = 409
    code = "conflict"
    title = gettext_lazy("This can't be done")
    # Whoever pays is told of it in another way than of other faults.
    is_about_money = False

    def __init__(self, message: str, hint: str = "", *, fix: Model | str = "") -> None:
        # A text of a class or a module is lazy: it is told in the language of whoever asked.
        self.message, self.hint = str(message), str(hint)
        super().__init__(self.message)
        # Where it can be fixed, if that is another page: its address, or the thing that it shows.
        self.fix = fix
        # What a script needs besides the words; REST adds it to the answer.
        self.extra: dict[str, Any] = {}
        self.headers: dict[str, str] = {}


class NotFound(DomainError):
    """No such thing, or none that this person may know of."""

    status = 404
    code = "not_found"
    title = gettext_lazy("Not found")


class Forbidden(DomainError):
    """The person is a member, but their role does not allow this."""

    status = 403
    code = "forbidden"
    title = gettext_lazy("Your role doesn't allow this")


class Invalid(DomainError):
    """What was sent is not what was expected."""

    status = 400
    code = "invalid"
    title = gettext_lazy("Invalid request")


class Expired(Forbidden):
    """A form without the token of this session."""

    title = gettext_lazy("This form has expired")

    def __init__(self) -> None:
        super().__init__(
            _("The page was open for too long, or the form was sent from another site."),
            _("Nothing was changed. Reload the page and send the form again."),
        )


class TooLarge(DomainError):
    """More was sent than this server takes."""

    status = 413
    code = "too_large"
    title = gettext_lazy("Too large")


class TooMany(DomainError):
    """It was tried more often than is allowed; `retry_after` says how long to wait."""

    status = 429
    code = "throttled"
    title = gettext_lazy("Too many attempts")

    def __init__(self, message: str, hint: str = "", *, retry_after: timedelta) -> None:
        super().__init__(message, hint)
        self.headers = {"Retry-After": str(math.ceil(retry_after.total_seconds()))}


# What is said of a fault: title, what happened, what to do, seconds until the next try.
UNAVAILABLE = {
    Fault.DATABASE: (
        gettext_lazy("The database is busy"),
        gettext_lazy(
            "The database can't be reached, or is locked by a long write. Nothing was saved."
        ),
        gettext_lazy(
            "Wait a moment and try again. If it keeps failing, tell the administrators of this "
            "server."
        ),
        5,
    ),
    Fault.DISK: (
        gettext_lazy("The server's disk is full"),
        gettext_lazy("The server can't write to its disk. Nothing was saved."),
        gettext_lazy("Ask the administrators of this server to free disk space, then try again."),
        30,
    ),
}


class Unavailable(DomainError):
    """The server can't do it just now. The same request may succeed a moment later."""

    status = 503

    def __init__(self, fault: Fault) -> None:
        self.title, message, hint, self.retry_seconds = UNAVAILABLE[fault]
        super().__init__(message, hint)
        self.code = f"{fault}_unavailable"
        self.headers = {"Retry-After": str(self.retry_seconds)}


def as_unavailable(error: BaseException) -> Unavailable | None:
    """The fault behind an error, in words for whoever asked."""
    fault = classify_fault(error)
    if fault is None:
        return None
    logger.warning("answered with 503, %s unavailable: %s", fault, error)
    return Unavailable(fault)


def error_response(request: HttpRequest, error: DomainError) -> HttpResponse:
    """The error in the shape of the door at which the request knocked."""
    if request.path.startswith("/api/"):
        body = shape(error.code, error.message, hint=error.hint)
        return JsonResponse(body, status=error.status, headers=error.headers)
    if isinstance(error, Unavailable):
        return show_unavailable(request, error)
    from annotation.refusals import render_refusal

    return render_refusal(request, error)


def shape(
    code: str, message: str, *, hint: str = "", fields: dict[str, list[str]] | None = None
) -> dict[str, Any]:
    """What REST answers, whatever went wrong."""
    detail = {"code": code, "message": message, "hint": hint, "fields": fields or {}}
    # `mend` is what `hint` was called; scripts may read it for one more version.
    return {"error": detail | {"mend": hint}}


# Django refuses with these while it reads a form, and would call them bad requests.
TOO_LARGE_FORMS = (RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent)


def describe_form_limits() -> TooLarge:
    return TooLarge(
        _(
            "The form is too large for this server. It takes at most "
            "{data_upload_max_memory_size} MB of text, {data_upload_max_number_fields:,} fields "
            "and {data_upload_max_number_files:,} files. Nothing was saved."
        ).format(
            data_upload_max_memory_size=settings.DATA_UPLOAD_MAX_MEMORY_SIZE // 2**20,
            data_upload_max_number_fields=settings.DATA_UPLOAD_MAX_NUMBER_FIELDS,
            data_upload_max_number_files=settings.DATA_UPLOAD_MAX_NUMBER_FILES,
        ),
        _("Send less at a time."),
    )


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    if isinstance(exception, TOO_LARGE_FORMS):
        return error_response(request, describe_form_limits())
    return _plain(request, 400, _("The request can't be read."))


def permission_denied(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _plain(request, 403, _("This is not allowed."))


def page_not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _plain(request, 404, _("There is nothing at this address."))


def server_error(request: HttpRequest) -> HttpResponse:
    """Faults outside of views come here, too: of a session, or of an upload that is read early."""
    error = sys.exc_info()[1]
    found = as_unavailable(error) if error else None
    if found:
        return error_response(request, found)
    reference = reference_of(request)
    if request.path.startswith("/api/"):
        return JsonResponse(shape(CODES[500], describe_defect(reference)), status=500)
    return render(request, "500.html", {"reference": reference}, status=500)


CODES = {400: "invalid", 403: "forbidden", 404: "not_found", 500: "server_error"}


def _plain(request: HttpRequest, status: int, message: str) -> HttpResponse:
    if request.path.startswith("/api/"):
        return JsonResponse(shape(CODES[status], message), status=status)
    from annotation.refusals import find_layout

    return render(request, f"{status}.html", find_layout(request, request.path), status=status)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """What another site sent is not carried along: nobody would know what they send."""
    from annotation.refusals import find_sender, render_refusal, show_form_again
    from annotation.unsent import ask_to_sign_in, leave_sign_in, read_unsent

    if not find_sender(request):
        request.POST = QueryDict()
        return render_refusal(request, Expired())
    if unsent := read_unsent(request):  # somebody signed in by another tab meanwhile
        is_in = request.user.is_authenticated
        return leave_sign_in(request, "") if is_in else ask_to_sign_in(request, unsent)
    return show_form_again(request, Expired()) or render_refusal(request, Expired())


UNAVAILABLE_POLICY = write_policy(
    {
        "default-src": [],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "form-action": ["'self'"],
        "base-uri": [],
        "frame-ancestors": ["'self'"],
    }
)
# A form with more is sent again by the browser's own means.
MOST_CARRIED_BYTES = 2**20


def show_unavailable(request: HttpRequest, error: Unavailable) -> HttpResponse:
    """A page that carries what was typed and sends it again; a part of a page is told in words.

    Nothing here may need the database: no session, no account, no request for the template.
    """
    if request.headers.get("HX-Request") == "true":
        words = f"{error.message} {error.hint}"
        return HttpResponse(
            words, status=error.status, content_type="text/plain", headers=error.headers
        )
    html = render_unavailable(request, error)
    page = HttpResponse(html, status=error.status, headers=error.headers)
    page["Cache-Control"] = "no-store"
    # It may come where a page of ours would have stood in a frame of ours.
    page["X-Frame-Options"] = "SAMEORIGIN"
    set_policy(page, UNAVAILABLE_POLICY)
    return page


def render_unavailable(request: HttpRequest, error: Unavailable) -> str:
    context = {
        "error": error,
        "fields": carry_fields(request),
        "action": request.get_full_path(),
        "is_read": request.method in ("GET", "HEAD"),
    }
    return render_to_string("unavailable.html", context)


def carry_fields(request: HttpRequest) -> list[tuple[str, str]]:
    """What the form sent, to be sent again. Passwords and files stay with whoever typed them."""
    fields, is_whole = read_fields(request)
    return fields if is_whole else []


def read_fields(request: HttpRequest) -> tuple[list[tuple[str, str]], bool]:
    """What the form sent besides passwords and files, and whether that is all of it."""
    length = request.META.get("CONTENT_LENGTH") or "0"
    is_small = length.isdecimal() and int(length) <= MOST_CARRIED_BYTES
    # A large body is not read for this; it may be refused for its size.
    if request.method != "POST" or not (is_small or hasattr(request, "_post")):
        return [], False
    try:
        sent, has_files = request.POST, bool(request.FILES)
    except (OSError, ValueError):  # it could not be read, for the same fault perhaps
        return [], False
    names = [name for name in sent if not is_private(name)]
    rows = [(name, value) for name in names for value in sent.getlist(name)]
    return rows, is_small and not has_files and len(names) == len(sent)
