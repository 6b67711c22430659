"""Query parameters that the schema names, and how they are read."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from annotation.corpora.selectors.corpus import WHERE, ExampleFilter
from annotation.errors import Invalid
from annotation.translation import gettext as _
from annotation.translation import gettext_lazy

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
