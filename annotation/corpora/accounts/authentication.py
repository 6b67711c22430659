"""`Authorization: Bearer giza_…`: the keys that people make on their account page."""

from __future__ import annotations

from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from annotation.corpora.accounts.models import ApiToken, User


class TokenAuthentication(BaseAuthentication):
    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        words = get_authorization_header(request).decode("latin-1").split()
        if not words or words[0].lower() != "bearer":
            return None
        if len(words) != 2:
            raise AuthenticationFailed(_("Write the header as 'Authorization: Bearer KEY'."))
        token = (
            ApiToken.objects.select_related("user")
            .filter(digest=ApiToken.digest_of(words[1]), user__is_active=True)
            .first()
        )
        if token is None:
            raise AuthenticationFailed(_("This key is unknown or was revoked."))
        if token.is_expired:
            raise AuthenticationFailed(
                _("This key has expired. Create a new one on your account page.")
            )
        token.note_use()
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class TokenScheme(OpenApiAuthenticationExtension):
    """How the schema describes the above."""

    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer"}
