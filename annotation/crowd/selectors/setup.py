"""What a campaign can be set up with: the project's systems, the examples that have units."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Count, QuerySet

from annotation.corpora.models import Example, Project, System
from annotation.crowd.models import Campaign, ChangeKind, Hit
from annotation.crowd.selectors.stamps import Kept
from annotation.crowd.services.planning import list_judged_examples


def list_project_systems(project: Project) -> QuerySet[System]:
    rows: QuerySet[System] = System.objects.live().filter(project=project)
    return rows.order_by("name", "pk")


def _find_judged_systems(campaigns: Sequence[Campaign]) -> dict[int, frozenset[int]]:
    found: dict[int, set[int]] = {row.pk: set() for row in campaigns}
    rows = Hit.objects.filter(campaign__in=list(found)).order_by()
    pairs = rows.values_list("campaign", "summary__system").annotate(Count("pk"))
    for campaign, system, _cleaning in pairs:
        found[campaign].add(system)
    return {pk: frozenset(systems) for pk, systems in found.items()}


_judged_systems = Kept(_find_judged_systems, ChangeKind.HITS)


def list_systems_left(campaign: Campaign) -> QuerySet[System]:
    """Systems of the project that have summaries which the campaign does not judge yet."""
    rows: QuerySet[System] = System.objects.live().filter(project=campaign.project)
    return rows.exclude(pk__in=_judged_systems.of(campaign))


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
