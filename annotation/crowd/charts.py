"""Plots of campaigns, as the coordinates of an SVG that a template writes out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

WIDTH, HEIGHT = 600, 180
# Room for the width of a line at the top and at the bottom.
EDGE = 2


@dataclass(frozen=True, slots=True)
class Curve:
    """A rising line, the area beneath it, and the line of what is wanted."""

    width: int
    height: int
    line: str
    area: str
    base: int
    goal: int
    goal_y: float


def draw_collected(points: Sequence[tuple[datetime, int]], wanted: int) -> Curve | None:
    """Collected assignments over time against those that are wanted."""
    if not points:
        return None
    most = max(wanted, points[-1][1], 1)
    start, end = points[0][0], points[-1][0]
    length = max((end - start).total_seconds(), 1)
    line = " ".join(
        f"{WIDTH * (at - start).total_seconds() / length:.1f},{_up(count / most):.1f}"
        for at, count in points
    )
    base = HEIGHT - EDGE
    return Curve(
        width=WIDTH,
        height=HEIGHT,
        line=line,
        area=f"0,{base} {line} {WIDTH},{base}",
        base=base,
        goal=wanted,
        goal_y=round(_up(wanted / most), 1),
    )


def _up(share: float) -> float:
    return EDGE + (1 - share) * (HEIGHT - 2 * EDGE)
