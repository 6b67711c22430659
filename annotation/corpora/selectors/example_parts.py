"""What later apps show on an example's page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from annotation.access import ProjectAccess
from annotation.corpora.models import Example


@dataclass(frozen=True, slots=True)
class ExamplePart:
    """A section with its template, its style sheet if it needs one, and what it is about."""

    template: str
    about: Any
    style: str = ""


EXAMPLE_PARTS: list[Callable[[ProjectAccess, Example], ExamplePart | None]] = []


def list_example_parts(access: ProjectAccess, example: Example) -> list[ExamplePart]:
    found = (describe(access, example) for describe in EXAMPLE_PARTS)
    return [part for part in found if part is not None]
