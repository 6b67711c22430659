"""Signing in is bounded: by account, whether there is one or not, and by address."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest
from django.views.decorators.debug import sensitive_variables

from annotation.corpora.models import AttemptKind, User
from annotation.corpora.services.attempts import count_attempt, forgive_attempts


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
