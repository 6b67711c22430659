"""What every REST view of a project begins with, and how all of them describe their errors.

- Texts as REST takes them: a number is not a text, and the schema says what is refused.
- Query parameters that the schema names, and how they are read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.core.validators import RegexValidator
from django.db import models
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter, extend_schema_field, inline_serializer
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
from annotation.corpora.accounts.models import ApiToken, KeyScope, User
from annotation.corpora.corpus.queries import WHERE, ExampleFilter
from annotation.corpora.pagination import Pagination
from annotation.corpora.projects.models import Role
from annotation.errors import Forbidden, Invalid
from annotation.translation import gettext_lazy


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


SOMETHING = RegexValidator(
    r"^[^\x00]*[^\x00\s][^\x00]*$", gettext_lazy("Expected more than spaces.")
)


class Text(serializers.CharField):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if not self.allow_blank:
            self.validators.append(SOMETHING)

    def to_internal_value(self, data: Any) -> str:
        return super().to_internal_value(_expect_text(self, data))


# What a line of text may not hold: control characters and marks of no meaning.
_CONTROL = r"\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff"
LINE = RegexValidator(
    rf"^[^{_CONTROL}]*$", gettext_lazy("Expected one line without control characters.")
)
NAME = RegexValidator(
    rf"^[^{_CONTROL}]*[^{_CONTROL}\s][^{_CONTROL}]*$",
    gettext_lazy("Expected one line with more than spaces and without control characters."),
)


class Line(Text):
    """A name: one line, and something in it unless it may be empty."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        kept = [item for item in self.validators if item is not SOMETHING]
        self.validators = [*kept, LINE if self.allow_blank else NAME]


class CheckOnly(serializers.BooleanField):
    """Of an import: check the files, and write nothing."""

    def __init__(self, **kwargs: Any) -> None:
        given = {"required": False, "default": False}
        super().__init__(
            **given | {"help_text": _("Check the files without writing anything.")} | kwargs
        )


class CheckedSerializer(serializers.Serializer[Any]):
    checked = serializers.IntegerField(
        help_text=gettext_lazy(
            "The number of units, labelled systems, scores or assignments in the files."
        )
    )


class Slug(serializers.SlugField):
    def to_internal_value(self, data: Any) -> str:
        return super().to_internal_value(_expect_text(self, data))


def _expect_text(field: serializers.CharField, data: Any) -> str:
    """The framework would write a number as a text; who sends one has mixed up the fields."""
    if not isinstance(data, str):
        field.fail("invalid")
    return data


FIELD_OF = {
    **serializers.ModelSerializer.serializer_field_mapping,
    models.CharField: Text,
    models.TextField: Text,
    models.SlugField: Slug,
}


PAGED = [
    OpenApiParameter(
        "page", {"type": "integer", "minimum": 1}, description=gettext_lazy("From 1.")
    ),
    OpenApiParameter(
        "page_size",
        {"type": "integer", "minimum": 1},
        description=gettext_lazy("Default 50, maximum 200."),
    ),
]
MISSING = ("summaries", "references")
EXAMPLE_FILTER = [
    OpenApiParameter(
        "q", {"type": "string", "maxLength": 200, "pattern": "^[^\\x00]*$"}, description="Search."
    ),
    OpenApiParameter(
        "where",
        str,
        enum=list(WHERE),
        description=gettext_lazy("Texts to search in addition to IDs. Default: reference."),
    ),
    OpenApiParameter(
        "missing", str, enum=MISSING, description=gettext_lazy("Only examples without these.")
    ),
]


def read_example_filter(request: Request) -> ExampleFilter:
    query = request.query_params
    q = query.get("q", "")
    if "\x00" in q or len(q) > 200:
        raise Invalid(_("q: the search is too long or contains a NUL character."))
    where = one_of(query.get("where", "reference"), "where", tuple(WHERE))
    missing = one_of(query["missing"], "missing", MISSING) if "missing" in query else ""
    return ExampleFilter(q, where, missing)


def one_of(value: str, name: str, known: tuple[str, ...]) -> str:
    if value not in known:
        raise Invalid(
            _("{name}: '{value}' is unknown.").format(name=name, value=value),
            _("Use one of {known}.").format(known=", ".join(known)),
        )
    return value
