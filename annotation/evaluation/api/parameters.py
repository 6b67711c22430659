"""Query parameters of labels and contested statements, and how they are read."""

from __future__ import annotations

from collections.abc import Iterable

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from annotation.errors import Invalid
from annotation.translation import gettext as _
from annotation.units.api.fields import LARGEST

LARGEST_SEED = 2**32 - 1
LARGEST_SAMPLE = 10_000
LONGEST_NAME = 200


def whole(name: str, description: str, *, least: int = 1, most: int = LARGEST) -> OpenApiParameter:
    described = {"type": "integer", "minimum": least, "maximum": most}
    return OpenApiParameter(name, described, description=description)


def read_whole(request: Request, name: str, *, least: int = 1, most: int = LARGEST) -> int | None:
    """The number of that name, if there is one."""
    said = request.query_params.get(name)
    if said is None:
        return None
    if not (said.isascii() and said.isdigit() and len(said) < 20 and least <= int(said) <= most):
        raise Invalid(
            _("{name}: expected a whole number from {least} to {most}.").format(
                name=name, least=least, most=most
            )
        )
    return int(said)


def read_choice(request: Request, name: str, known: Iterable[str], default: str) -> str:
    said = request.query_params.get(name, default)
    if said not in (listed := list(known)):
        raise Invalid(
            _("{name}: '{said}' is unknown.").format(name=name, said=said[:40]),
            _("Use one of {listed}.").format(listed=", ".join(listed)),
        )
    return said


def read_name(request: Request, name: str) -> str:
    said = request.query_params.get(name, "")
    if len(said) > LONGEST_NAME:
        raise Invalid(
            _("{name}: expected at most {longest_name} characters.").format(
                name=name, longest_name=LONGEST_NAME
            )
        )
    return said
