"""What is found of campaigns and of those who work in them."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.urls import reverse

from annotation.corpora.models import Project, Role
from annotation.corpora.selectors.search import Kind, Match, add_kinds, holding
from annotation.crowd.models import Campaign, Worker


def _campaigns(project: Project, q: str) -> QuerySet[Campaign]:
    return Campaign.objects.filter(holding(q, "name", "title"), project=project).order_by("-pk")


def _workers(project: Project, q: str) -> QuerySet[Worker]:
    rows = Worker.objects.filter(holding(q, "provider_id", "note"), project=project)
    return rows.order_by("provider_id", "pk")


def _show_campaigns(project: Project, q: str, rows: list[Any]) -> list[Match]:
    return [
        Match(
            row.name,
            reverse("crowd:campaign", args=[project.slug, row.pk]),
            row.title,
            row.get_state_display().lower(),
        )
        for row in rows
    ]


def _show_workers(project: Project, q: str, rows: list[Any]) -> list[Match]:
    return [
        Match(
            row.provider_id,
            reverse("evaluation:worker", args=[project.slug, row.pk]),
            row.note,
            row.get_provider_display(),
        )
        for row in rows
    ]


add_kinds(
    Kind("campaigns", "campaign", "campaigns", _campaigns, _show_campaigns),
    # Others see a worker's number, which nobody searches for.
    Kind("workers", "worker", "workers", _workers, _show_workers, at_least=Role.EDITOR),
)
