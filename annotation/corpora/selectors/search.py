"""Search across a project: one question put to every kind of thing that a person may see.

Nothing is indexed: a kind is a query for rows whose few short columns hold the words, whatever
their case. It stops at `MOST` rows, and each kind is read through once, which takes a fraction of
a second for the texts of a large corpus. Documents, which are a hundred times longer than all else,
are looked through where there are not too many, and otherwise only when asked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Q, QuerySet

from annotation.access import ProjectAccess
from annotation.corpora.models import Project, Role
from annotation.corpora.selectors.corpus import cut_excerpt, mark_hits

MOST = 1_000
PREVIEW = 5
PAGE_SIZE = 25
SHORTEST, LONGEST = 2, 200
_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")


@dataclass(frozen=True, slots=True)
class Match:
    """A thing that was found: what it is called, where it is, and the words around the hit."""

    title: str
    url: str
    text: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of thing: which rows hold the words, and how they are shown.

    `rows` gives them in the order in which they are listed. `show` is given a page of them.
    """

    name: str
    one: str
    many: str
    rows: Callable[[Project, str], QuerySet[Any]]
    show: Callable[[Project, str, list[Any]], list[Match]]
    at_least: Role = Role.VIEWER
    is_asked: Callable[[Project], bool] = field(default=lambda project: True)


@dataclass(frozen=True, slots=True)
class Found:
    """What was found of a kind. `count` stops at `MOST`."""

    kind: Kind
    count: int
    matches: list[Match]
    is_more: bool = False


# Apps tell of their kinds here, in the order in which a page lists them.
KINDS: dict[str, Kind] = {}


def add_kinds(*kinds: Kind) -> None:
    KINDS.update({kind.name: kind for kind in kinds})


def clean_query(text: str) -> str:
    """Without what nobody can type, and without blanks that nobody meant."""
    return " ".join(_CONTROL.sub(" ", text).split())[:LONGEST]


def is_long_enough(q: str) -> bool:
    return len(q) >= SHORTEST


def list_kinds(access: ProjectAccess) -> list[Kind]:
    """The kinds that this person may see."""
    return [kind for kind in KINDS.values() if access.allows(kind.at_least)]


def search_project(access: ProjectAccess, q: str) -> list[Found]:
    """The first of each kind, and how many there are; kinds without any are left out."""
    if not is_long_enough(q):
        return []
    asked = [kind for kind in list_kinds(access) if kind.is_asked(access.project)]
    found = (search_kind(access, kind, q, first=0, size=PREVIEW) for kind in asked)
    return [each for each in found if each.count]


def search_kind(access: ProjectAccess, kind: Kind, q: str, *, first: int, size: int) -> Found:
    """Rows `first` to `first + size` of one kind; too short a question finds none."""
    if not is_long_enough(q):
        return Found(kind, 0, [])
    ids = list(kind.rows(access.project, q).values_list("pk", flat=True)[: MOST + 1])
    is_more, ids = len(ids) > MOST, ids[:MOST]
    rows = _in_order(kind, access.project, ids[first : first + size])
    return Found(kind, len(ids), kind.show(access.project, q, rows), is_more)


def _in_order(kind: Kind, project: Project, ids: Sequence[int]) -> list[Any]:
    """The rows of these ids, read without looking for the words once more."""
    if not ids:
        return []
    found = kind.rows(project, "").filter(pk__in=ids).in_bulk()
    return [found[pk] for pk in ids if pk in found]


def holding(q: str, *columns: str) -> Q:
    """Rows of which one of the columns holds the words; every row, for no words."""
    held = Q()
    for column in columns:
        held |= Q(**{f"{column}__icontains": q})
    return held if q else Q()


def mark(match: Match, q: str) -> dict[str, Any]:
    """For a page: title and text in pieces, those that were asked for marked."""
    text = cut_excerpt(match.text, q)
    return {
        "url": match.url,
        "note": match.note,
        "title": mark_hits(match.title, q),
        "text": mark_hits(text, q) if text else [],
    }
