"""What is found of texts, systems, imports and people."""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet
from django.urls import reverse

from annotation.corpora.models import (
    Document,
    Example,
    Import,
    Invitation,
    Membership,
    Project,
    Reference,
    Role,
    System,
)
from annotation.corpora.selectors.projects import list_open_invitations
from annotation.corpora.selectors.search import Kind, Match, add_kinds, holding
from annotation.translation import gettext_lazy

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
