"""How much somebody may send in one request: little, until we know who sends it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from rest_framework.exceptions import APIException

from annotation.access import can_send_files
from annotation.corpora.accounts.authentication import TokenAuthentication
from annotation.corpora.accounts.models import User
from annotation.errors import TooLarge, Unavailable, error_response
from annotation.faults import Fault
from annotation.file_views import is_for_files

# Enough for every form; only people who signed in send files.
ANONYMOUS_BYTES = 2**20
# A form without files, as browsers write it by default. Reading one takes eighty times its size.
TYPED_FORM = "application/x-www-form-urlencoded"
TYPED_BYTES = 5 * 2**19
# Names of fields and what stands between files, on top of the files.
SLACK_BYTES = 2**20
# Signed requests say who sent them only once they are read. This view has a limit of its own.
SIGNED_PATHS = ("/mturk", "/mturk/")
# Workers send answers from pages without cookies, so nobody can know here who sends them.
SUBMIT_PATH = "/mturk/externalSubmit"
# Answers a little too large are read to their end and then refused: a browser that is cut off while
# it sends does not show why.
REFUSED_BYTES = 2**22
# Views that answer in their own shape when a body is too large.
OWN_SHAPE = (*SIGNED_PATHS, SUBMIT_PATH)
# The web server says there why it left the body unread: it is too large, or the disk is full.
UNREAD = "giza.unread"
NO_ROOM = "no room"
KEY_OWNER = "giza_key_owner"


class BodyLimitMiddleware:
    """Refuses a body that is too large before anything of it is read or written to disk."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *__: object) -> HttpResponse | None:
        """Runs before the CSRF check, which would read the body to find its token."""
        if request.META.get(UNREAD) == NO_ROOM:
            return error_response(request, Unavailable(Fault.DISK))
        if request.path in OWN_SHAPE or not is_too_large(request):
            return None
        hint = _(
            "Sign in to upload more than {anonymous_bytes} MB. "
            "The most that anybody can send at once is {max_upload_mb:,} MB of files, "
            "or {typed_bytes} MB of typed text; workers and viewers send no files."
        ).format(
            anonymous_bytes=ANONYMOUS_BYTES // 2**20,
            max_upload_mb=settings.MAX_UPLOAD_MB,
            typed_bytes=TYPED_BYTES / 2**20,
        )
        return error_response(
            request, TooLarge(_("The request is too large for this server."), hint)
        )


def is_too_large(request: HttpRequest) -> bool:
    if request.META.get(UNREAD):
        return True
    length = request.META.get("CONTENT_LENGTH") or "0"
    if not length.isdecimal():
        return True
    # Small bodies pass without a look at who sends them, which would cost two queries.
    return int(length) > ANONYMOUS_BYTES and int(length) > most_bytes(request)


def most_bytes(request: HttpRequest) -> int:
    """What the sender may send; asked of the database, never of what a header claims."""
    if request.path == SUBMIT_PATH:
        return int(settings.DATA_UPLOAD_MAX_MEMORY_SIZE) + REFUSED_BYTES
    sender = None if request.path in SIGNED_PATHS else _find_sender(request)
    if sender is None:
        return ANONYMOUS_BYTES
    if request.content_type == TYPED_FORM:
        return TYPED_BYTES
    if not is_for_files(request.path_info) or not can_send_files(sender):
        return int(settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
    return int(settings.MAX_UPLOAD_MB) * 2**20 + SLACK_BYTES


def account_of(request: HttpRequest) -> str:
    """Whose a large body is; empty for a stranger's. Asked after `most_bytes`."""
    user = getattr(request, "user", None)
    if user is not None and user.is_authenticated:
        return str(user.pk)
    return str(getattr(request, KEY_OWNER, ""))


def _find_sender(request: Any) -> User | None:
    """Whose session that has not ended, or whose valid key, came along."""
    if not hasattr(request, "user"):
        SessionMiddleware(_nothing).process_request(request)
        AuthenticationMiddleware(_nothing).process_request(request)
    return request.user if request.user.is_authenticated else _find_key_owner(request)


def _find_key_owner(request: Any) -> User | None:
    try:
        found = TokenAuthentication().authenticate(request)
    except APIException:
        return None
    if found is None:
        return None
    setattr(request, KEY_OWNER, str(found[0].pk))
    return found[0]


def _nothing(__: HttpRequest) -> HttpResponse:
    return HttpResponse()
