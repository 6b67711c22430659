"""`Authorization: Bearer giza_…`: the keys that people make on their account page."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Q
from django.utils import timezone
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from annotation.corpora.models import ApiToken, User

SEEN_EVERY = timedelta(minutes=1)


class TokenAuthentication(BaseAuthentication):
    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        words = get_authorization_header(request).decode("latin-1").split()
        if not words or words[0].lower() != "bearer":
            return None
        if len(words) != 2:
            raise AuthenticationFailed("Write the header as 'Authorization: Bearer KEY'.")
        token = (
            ApiToken.objects.select_related("user")
            .filter(digest=ApiToken.digest_of(words[1]), user__is_active=True)
            .first()
        )
        if token is None:
            raise AuthenticationFailed("This key is not known, or was revoked.")
        _note_use(token)
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


def _note_use(token: ApiToken) -> None:
    """Write at most once a minute, so that reading stays reading."""
    now = timezone.now()
    stale = Q(last_used_at=None) | Q(last_used_at__lt=now - SEEN_EVERY)
    if token.last_used_at is None or token.last_used_at < now - SEEN_EVERY:
        ApiToken.objects.filter(stale, pk=token.pk).update(last_used_at=now)


class TokenScheme(OpenApiAuthenticationExtension):
    """How the schema describes the above."""

    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer"}
