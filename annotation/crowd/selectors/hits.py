"""The HITs of a campaign."""

from __future__ import annotations

from django.db.models import QuerySet

from annotation.crowd.models import Campaign, Hit


def list_hits(campaign: Campaign, *, state: str = "") -> QuerySet[Hit]:
    """In the order in which they were planned."""
    rows = Hit.objects.filter(campaign=campaign).select_related(
        "summary__example", "summary__system"
    )
    return (rows.filter(state=state) if state else rows).order_by("pk")
