"""Signing in is bounded: by account, whether there is one or not, and by address."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare
from django.views.decorators.debug import sensitive_variables

from annotation import clock
from annotation.corpora.models import AttemptKind, User
from annotation.corpora.services.attempts import count_attempt, forgive_attempts
from annotation.corpora.services.second_factor import check_code, has_second_factor
from annotation.sessions import PENDING

BACKEND = "django.contrib.auth.backends.ModelBackend"
PENDING_FOR = timedelta(minutes=10)


class SignInLimit:
    """Stands before the backend that knows passwords, and knows nobody itself."""

    @sensitive_variables("password")
    def authenticate(
        self, request: HttpRequest | None, username: str = "", password: str = ""
    ) -> None:
        """Every try counts until it succeeds, so that tries made at once can't slip through."""
        address = address_of(request) if request is not None else ""
        count_attempt(kind=AttemptKind.SIGN_IN, account=username, address=address)


@receiver(user_logged_in)
def _forgive(*, user: User, **_: Any) -> None:
    forgive_attempts(kind=AttemptKind.SIGN_IN, account=user.email)


def address_of(request: HttpRequest) -> str:
    """The visitor's, as the last proxy that we trust saw it."""
    seen = [part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",")]
    if settings.PROXIES and seen != [""]:
        return seen[-min(settings.PROXIES, len(seen))]
    return str(request.META.get("REMOTE_ADDR", ""))


def begin_sign_in(request: HttpRequest, user: User) -> bool:
    """Sign in somebody whose password was right; False where a code is needed first.

    Every page that signs people in goes through this, and nothing else calls Django's `login`.
    """
    if not has_second_factor(user):
        login(request, user, backend=BACKEND)
        return True
    request.session.cycle_key()
    request.session[PENDING] = {
        "user": user.pk,
        "hash": user.get_session_auth_hash(),
        "until": (clock.now() + PENDING_FOR).isoformat(),
    }
    return False


def find_pending(request: HttpRequest) -> User | None:
    """Who has typed the password, and not yet the code; a new password ends that, too."""
    pending = request.session.get(PENDING)
    if not pending or datetime.fromisoformat(pending["until"]) < clock.now():
        return None
    user = User.objects.filter(pk=pending["user"], is_active=True).first()
    if user is None or not constant_time_compare(pending["hash"], user.get_session_auth_hash()):
        return None
    return user


def complete_sign_in(request: HttpRequest, user: User, *, code: str) -> None:
    """Raises `WrongCode`, or `TooMany` after too many of them."""
    check_code(user=user, code=code)
    request.session.pop(PENDING, None)
    login(request, user, backend=BACKEND)
