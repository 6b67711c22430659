"""The HITs of a campaign."""

from __future__ import annotations

from django.db.models import F, QuerySet

from annotation.crowd.models import Campaign, Hit


def list_hits(campaign: Campaign, *, state: str = "") -> QuerySet[Hit]:
    """In the order in which they were planned."""
    rows = Hit.objects.filter(campaign=campaign).select_related(
        "summary__example", "summary__system"
    )
    return (rows.filter(state=state) if state else rows).order_by("pk")


def list_outstanding(campaign: Campaign, *, is_all: bool = False) -> QuerySet[Hit]:
    """HITs that lack assignments, those that lack most first; or all of them."""
    rows = list_hits(campaign).annotate(outstanding=F("wanted") - F("collected"))
    return (rows if is_all else rows.filter(outstanding__gt=0)).order_by("-outstanding", "pk")
