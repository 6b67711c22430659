"""Search across a project: one question put to every kind of thing that a person may see.

Nothing is indexed: a kind is a query for rows whose few short columns hold the words, whatever
their case. It stops at `MOST` rows, and each kind is read through once, which takes a fraction of
a second for the texts of a large corpus. Documents, which are a hundred times longer than all else,
are looked through where there are not too many, and otherwise only when asked for.

- What is found of texts, systems, imports and people.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Q, QuerySet
from django.urls import reverse

from annotation.access import ProjectAccess
from annotation.corpora.corpus.models import Document, Example, Reference, System
from annotation.corpora.corpus.queries import cut_excerpt, mark_hits
from annotation.corpora.imports.models import Import
from annotation.corpora.projects.models import Invitation, Membership, Project, Role
from annotation.corpora.projects.queries import list_open_invitations
from annotation.translation import gettext_lazy

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


# With more examples than this, documents are looked through only when asked for.
MANY_DOCUMENTS = 2_000


def _examples(project: Project, q: str) -> QuerySet[Example]:
    rows = Example.objects.live().filter(project=project).order_by("position", "pk")
    held = Reference.objects.filter(example__project=project).filter(holding(q, "text"))
    return rows.filter(Q(key__icontains=q) | Q(pk__in=held.values("example"))) if q else rows


def _documents(project: Project, q: str) -> QuerySet[Example]:
    rows = Example.objects.live().filter(project=project).order_by("position", "pk")
    held = Document.objects.filter(example__project=project).filter(holding(q, "text"))
    return rows.filter(pk__in=held.values("example")) if q else rows


def _systems(project: Project, q: str) -> QuerySet[System]:
    return System.objects.live().filter(holding(q, "name"), project=project).order_by("name")


def _imports(project: Project, q: str) -> QuerySet[Import]:
    return Import.objects.filter(holding(q, "name"), project=project)


def _members(project: Project, q: str) -> QuerySet[Membership]:
    rows = Membership.objects.filter(holding(q, "user__name", "user__email"), project=project)
    return rows.select_related("user").order_by("user__name", "pk")


def _invitations(project: Project, q: str) -> QuerySet[Invitation]:
    return list_open_invitations(project).filter(holding(q, "note")).order_by("pk")


def _show_examples(project: Project, q: str, rows: list[Any]) -> list[Match]:
    """With the reference that holds the words, else the first."""
    ids = [row.pk for row in rows]
    found: dict[int, str] = {}
    for reference in Reference.objects.filter(example__in=ids).order_by("position"):
        kept = found.get(reference.example_id)
        if kept is None or (q.lower() not in kept.lower() and q.lower() in reference.text.lower()):
            found[reference.example_id] = reference.text
    return [_example(project, row, found.get(row.pk, "")) for row in rows]


def _show_documents(project: Project, q: str, rows: list[Any]) -> list[Match]:
    held = Document.objects.filter(holding(q, "text"), example__in=[row.pk for row in rows])
    texts = dict(held.order_by("-position").values_list("example", "text"))
    return [_example(project, row, texts.get(row.pk, "")) for row in rows]


def _example(project: Project, row: Example, text: str) -> Match:
    return Match(row.key, reverse("corpora:example", args=[project.slug, row.pk]), text)


def _show_systems(project: Project, q: str, rows: list[Any]) -> list[Match]:
    return [
        Match(row.name, reverse("corpora:system", args=[project.slug, row.pk]), "", row.kind)
        for row in rows
    ]


def _show_imports(project: Project, q: str, rows: list[Any]) -> list[Match]:
    return [
        Match(
            row.name,
            reverse("corpora:import", args=[project.slug, row.pk]),
            note=row.get_state_display().lower(),
        )
        for row in rows
    ]


def _show_members(project: Project, q: str, rows: list[Any]) -> list[Match]:
    url = reverse("corpora:members", args=[project.slug])
    return [
        Match(row.user.name, url, row.user.email, row.get_role_display().lower()) for row in rows
    ]


def _show_invitations(project: Project, q: str, rows: list[Any]) -> list[Match]:
    url = reverse("corpora:members", args=[project.slug])
    return [Match(row.note, url, note=row.get_role_display().lower()) for row in rows]


add_kinds(
    Kind("examples", "example", "examples", _examples, _show_examples),
    Kind(
        "documents",
        gettext_lazy("example by its documents"),
        gettext_lazy("examples by their documents"),
        _documents,
        _show_documents,
        is_asked=lambda project: project.example_count <= MANY_DOCUMENTS,
    ),
    Kind("systems", "system", "systems", _systems, _show_systems),
    Kind("imports", "import", "imports", _imports, _show_imports),
    Kind("members", "member", "members", _members, _show_members),
    Kind(
        "invitations",
        gettext_lazy("open invitation"),
        gettext_lazy("open invitations"),
        _invitations,
        _show_invitations,
        at_least=Role.OWNER,
    ),
)
