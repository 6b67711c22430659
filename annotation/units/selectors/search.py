"""What is found of unit sets, units and comments on them."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.urls import reverse

from annotation.corpora.models import Project
from annotation.corpora.selectors.search import Kind, Match, add_kinds, holding
from annotation.translation import gettext as _
from annotation.translation import gettext_lazy
from annotation.units.models import Comment, Unit, UnitSet
from annotation.units.selectors.blind import list_hidden_sets


def _sets(project: Project, q: str) -> QuerySet[UnitSet]:
    return UnitSet.objects.filter(holding(q, "name"), project=project).order_by("name", "version")


def _units(project: Project, q: str) -> QuerySet[Unit]:
    rows = Unit.objects.filter(holding(q, "text"), set__project=project, is_deleted=False)
    rows = rows.exclude(set__in=list_hidden_sets(None))
    return rows.select_related("set", "example").order_by("-set", "pk")


def _comments(project: Project, q: str) -> QuerySet[Comment]:
    rows = Comment.objects.filter(holding(q, "text", "suggestion", "answer"), set__project=project)
    rows = rows.exclude(set__in=list_hidden_sets(None))
    return rows.select_related("set", "example", "author").order_by("-pk")


def _show_sets(project: Project, q: str, rows: list[Any]) -> list[Match]:
    return [
        Match(
            str(row),
            reverse("units:set", args=[project.slug, row.pk]),
            note=row.get_state_display().lower(),
        )
        for row in rows
    ]


def _show_units(project: Project, q: str, rows: list[Any]) -> list[Match]:
    return [
        Match(
            row.text,
            _studio(project, row),
            note=_("{kind} of {place}").format(kind=row.kind.upper(), place=_place(row)),
        )
        for row in rows
    ]


def _show_comments(project: Project, q: str, rows: list[Any]) -> list[Match]:
    return [
        Match(
            _first_holding(q, row.text, row.suggestion, row.answer),
            _studio(project, row),
            note=_("{author} on {place}").format(
                author=row.author or _("former member"), place=_place(row)
            ),
        )
        for row in rows
    ]


def _first_holding(q: str, *texts: str) -> str:
    return next((text for text in texts if q.lower() in text.lower()), texts[0])


def _place(row: Any) -> str:
    return f"{row.example.key}, {row.set}"


def _studio(project: Project, row: Any) -> str:
    return reverse("units:studio", args=[project.slug, row.set_id, row.example_id])


add_kinds(
    Kind("unit_sets", gettext_lazy("unit set"), gettext_lazy("unit sets"), _sets, _show_sets),
    Kind("units", "unit", "units", _units, _show_units),
    Kind("comments", "comment", "comments", _comments, _show_comments),
)
