"""REST: search across a project."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema, inline_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpora.rest import ProjectView
from annotation.corpora.search import queries
from annotation.corpora.search.queries import Found, Kind
from annotation.errors import Invalid
from annotation.translation import format_lazy, gettext_lazy

Fields = dict[str, serializers.Field[Any, Any, Any, Any]]

MATCH: Fields = {
    "title": serializers.CharField(),
    "url": serializers.CharField(help_text=gettext_lazy("The address of its page.")),
    "text": serializers.CharField(
        help_text=gettext_lazy("The words around the match; may be empty.")
    ),
    "note": serializers.CharField(),
}
GROUP: Fields = {
    "kind": serializers.CharField(),
    "count": serializers.IntegerField(
        help_text=format_lazy(gettext_lazy("At most {most:,}."), most=queries.MOST)
    ),
    "is_more": serializers.BooleanField(
        help_text=gettext_lazy("Whether there are more matches than were counted.")
    ),
    "results": inline_serializer("SearchMatch", MATCH, many=True),
}
ANSWER = inline_serializer(
    "SearchAnswer",
    {"q": serializers.CharField(), "kinds": inline_serializer("SearchGroup", GROUP, many=True)},
)
ASKED = [
    OpenApiParameter(
        "q",
        {
            "type": "string",
            "minLength": queries.SHORTEST,
            "maxLength": queries.LONGEST,
            "pattern": "^[^\\x00]*$",
        },
        required=True,
        description=gettext_lazy("The exact phrase, ignoring case."),
    ),
    OpenApiParameter(
        "kind",
        str,
        enum=list(queries.KINDS),
        description=gettext_lazy("Only this kind, one page at a time."),
    ),
    OpenApiParameter(
        "page",
        {"type": "integer", "minimum": 1, "maximum": 40},
        description=gettext_lazy("Only with `kind`."),
    ),
]


class Search(ProjectView):
    @extend_schema(operation_id="search_project", parameters=ASKED, responses={200: ANSWER})
    def get(self, request: Request, slug: str) -> Response:
        """Matches by kind: the first few of each, or one page of a single kind."""
        q = _words(request.query_params.get("q", ""))
        page = _page(request.query_params.get("page", "1"))
        name = request.query_params.get("kind")
        found = self._all(q) if name is None else [self._one(name, q, page)]
        return Response({"q": q, "kinds": [_told(each) for each in found]})

    def _all(self, q: str) -> list[Found]:
        return queries.search_project(self.access, q)

    def _one(self, name: str, q: str, page: int) -> Found:
        size = queries.PAGE_SIZE
        first = size * (page - 1)
        return queries.search_kind(self.access, self._kind(name), q, first=first, size=size)

    def _kind(self, name: str) -> Kind:
        known = {kind.name: kind for kind in queries.list_kinds(self.access)}
        if name not in known:
            raise Invalid(
                _("kind: '{name}' is unknown.").format(name=name),
                _("Use one of {known}.").format(known=", ".join(known)),
            )
        return known[name]


def _words(text: str) -> str:
    """Blanks alone are words too, and nothing holds them."""
    if not queries.SHORTEST <= len(text) <= queries.LONGEST or "\x00" in text:
        bounds = _("{shortest} to {longest}").format(
            shortest=queries.SHORTEST, longest=queries.LONGEST
        )
        raise Invalid(
            _("q: enter {bounds} characters, without a NUL character.").format(bounds=bounds)
        )
    return queries.clean_query(text)


def _page(text: str) -> int:
    most = queries.MOST // queries.PAGE_SIZE
    if not (text.isascii() and text.isdecimal()) or not 1 <= int(text) <= most:
        raise Invalid(
            _("page: '{text}' is not a number from 1 to {most}.").format(text=text[:20], most=most)
        )
    return int(text)


def _told(found: Found) -> dict[str, Any]:
    return {
        "kind": found.kind.name,
        "count": found.count,
        "is_more": found.is_more,
        "results": [
            {"title": row.title, "url": row.url, "text": row.text, "note": row.note}
            for row in found.matches
        ],
    }
