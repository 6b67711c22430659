"""What a campaign can be set up with: the project's systems, the examples that have units."""

from __future__ import annotations

from django.db.models import QuerySet

from annotation.corpora.models import Example, Project, System
from annotation.crowd.models import Campaign
from annotation.crowd.services.planning import list_judged_examples


def list_project_systems(project: Project) -> QuerySet[System]:
    rows: QuerySet[System] = System.objects.live().filter(project=project)
    return rows.order_by("name", "pk")


def list_examples_left(campaign: Campaign) -> dict[str, int]:
    """Examples that have units and that the campaign does not judge yet: their ids by key."""
    chosen = set(campaign.scope.get("examples") or [])
    rows = list_examples_with_units(campaign) if chosen else []
    return {key: pk for pk, key in rows if pk not in chosen}


def list_examples_with_units(campaign: Campaign) -> list[tuple[int, str]]:
    """Ids and keys in the order of the corpus."""
    ids = list_judged_examples(campaign)
    rows = Example.objects.live().filter(pk__in=ids).order_by("position", "pk")
    return list(rows.values_list("pk", "key"))
