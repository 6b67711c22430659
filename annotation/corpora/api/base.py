"""What every REST view of a project begins with, and how all of them describe their errors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import extend_schema_field, inline_serializer
from rest_framework import serializers
from rest_framework.exceptions import ParseError
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.parsers import JSONParser
from rest_framework.permissions import SAFE_METHODS
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.access import ProjectAccess, get_access
from annotation.corpora.api.pagination import Pagination
from annotation.corpora.models import ApiToken, KeyScope, Role, User
from annotation.errors import Forbidden
from annotation.translation import gettext as _


@extend_schema_field({"type": "string", "deprecated": True})
class FormerHint(serializers.CharField):
    """Scripts may read it for one more version."""


ERROR = inline_serializer(
    "Error",
    {
        "error": inline_serializer(
            "ErrorDetail",
            {
                "code": serializers.CharField(),
                "message": serializers.CharField(),
                "hint": serializers.CharField(help_text="How to fix it; may be empty."),
                "mend": FormerHint(help_text="The former name of `hint`, with the same text."),
                "fields": serializers.DictField(
                    child=serializers.ListField(child=serializers.CharField())
                ),
            },
        )
    },
)

ERRORS = ["400", "401", "403", "404", "405", "409", "429"]
BODY_ERRORS = ["413", "415"]


def page_of(serializer: type[serializers.BaseSerializer[Any]]) -> Any:
    """How the schema describes one page of a list."""
    name = serializer.__name__.removesuffix("Serializer")
    return inline_serializer(
        f"{name}Page",
        {
            "count": serializers.IntegerField(),
            "next": serializers.URLField(allow_null=True),
            "previous": serializers.URLField(allow_null=True),
            "results": serializer(many=True),
        },
    )


class Schema(AutoSchema):
    """Adds to every operation the errors that it can answer with, all of one shape."""

    def get_tags(self) -> list[str]:
        """What a call is about: the word that follows the project in its path."""
        about = self.path.removeprefix("/api/v1/").removeprefix("projects/{slug}/")
        return [about.split("/")[0].replace("-", " ").capitalize() or _("Projects")]

    def _get_response_bodies(self, direction: Any = "response") -> dict[str, Any]:
        # The only place that `extend_schema` with its own answers does not pass by.
        answers: dict[str, Any] = super()._get_response_bodies(direction)
        takes_body = self.method in ("POST", "PUT", "PATCH")
        for status in [*ERRORS, *(BODY_ERRORS if takes_body else [])]:
            answers[status] = self._get_response_for_code(ERROR, status, direction=direction)
        return answers


class JsonBody(JSONParser):
    """JSON that is nested too deeply to be read is the sender's mistake, not ours."""

    def parse(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().parse(*args, **kwargs)
        except RecursionError:
            raise ParseError(_("The JSON is nested too deeply.")) from None


class AlwaysJson(DefaultContentNegotiation):
    """Answers are JSON, or a file where one was asked for, whatever `Accept` says."""

    def select_renderer(
        self, request: Request, renderers: Any, format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        return renderers[0], renderers[0].media_type


class GizaView(APIView):
    """`scopes` names what a key needs for a method, where that isn't read for reading methods and
    publish for all others. A session may do everything that its person may."""

    schema = Schema()
    parser_classes = [JsonBody]
    content_negotiation_class = AlwaysJson
    scopes: dict[str, KeyScope] = {}

    @classmethod
    def scope_for(cls, method: str) -> KeyScope:
        default = KeyScope.READ if method in SAFE_METHODS else KeyScope.PUBLISH
        return cls.scopes.get(method, default)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.require_scope(self.scope_for(request.method or ""))

    def has_scope(self, needed: KeyScope) -> bool:
        key = self.request.auth
        return not isinstance(key, ApiToken) or key.allows(needed)

    def require_scope(self, needed: KeyScope) -> None:
        key = self.request.auth
        if isinstance(key, ApiToken) and not key.allows(needed):
            raise Forbidden(
                _("This key may {scope}; this call needs a key with the scope '{needed}'.").format(
                    scope=key.get_scope_display().lower(), needed=needed.value
                ),
                _("Create a key with that scope on your account page."),
            )

    @property
    def user(self) -> User:
        assert isinstance(self.request.user, User)
        return self.request.user

    def paged(
        self,
        rows: QuerySet[Any] | Sequence[Any],
        serializer: type[serializers.BaseSerializer[Any]],
        *,
        load: Callable[[list[Any]], Sequence[Any]] = list,
        **context: Any,
    ) -> Response:
        """One page of *rows*; `load` makes what is shown of just these."""
        paginator = Pagination()
        page = load(paginator.paginate_queryset(rows, self.request, view=self) or [])
        data = serializer(page, many=True, context={"request": self.request, **context}).data
        return paginator.get_paginated_response(data)


class ProjectView(GizaView):
    """A view below `/projects/{slug}/`; `roles` names the least role for each method."""

    roles: dict[str, Role] = {}

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        least = self.roles.get(request.method or "", Role.VIEWER)
        self.access: ProjectAccess = get_access(self.user, kwargs["slug"], at_least=least)
        self.project = self.access.project
