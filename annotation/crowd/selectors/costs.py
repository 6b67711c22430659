"""What a draft costs and what stands in its way, in plain values and in lines of text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from annotation.crowd.models import Campaign
from annotation.crowd.services.planning import estimate_cost
from annotation.crowd.services.steps import list_obstacles, list_warnings
from annotation.translation import gettext as _


@dataclass(frozen=True, slots=True)
class Described:
    values: dict[str, Any]
    lines: list[str]


def describe_cost(campaign: Campaign) -> Described:
    cost = estimate_cost(campaign)
    obstacles, warnings = list_obstacles(campaign), list_warnings(campaign)
    values = {
        "hits": cost.hits,
        "assignments": cost.assignments,
        "total": f"{cost.total:.4f}",
        "obstacles": obstacles,
        "warnings": warnings,
    }
    first = _("{hits:,} HITs, {assignments:,} assignments, ${total:,.2f}").format(
        hits=cost.hits, assignments=cost.assignments, total=cost.total
    )
    return Described(values, [first, *obstacles, *warnings])
