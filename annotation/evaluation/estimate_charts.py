"""The plot of an estimate, as the coordinates of an SVG that a template writes out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.evaluation.charts import FOOT, LETTER, TOP
from scoring.figures.scale import WIDE, Scale, Tick, nice_ticks, shorten

STEP = 30
# The estimate stands above a system's line, people alone beneath it.
APART = 5
ROOM, NARROW_ROOM = 240, 118


@dataclass(frozen=True, slots=True)
class Interval:
    x: float
    x1: float
    x2: float
    y: float


@dataclass(frozen=True, slots=True)
class Line:
    """A system: its estimate, people alone, and where the judge alone puts it."""

    row: Mapping[str, Any]
    label: str
    y: float
    both: Interval
    people: Interval
    judge: float


@dataclass(frozen=True, slots=True)
class EstimateChart:
    width: int
    height: int
    left: int
    right: int
    base: float
    lines: list[Line]
    ticks: list[Tick]


def draw_estimates(rows: Sequence[Mapping[str, Any]], width: int = WIDE) -> EstimateChart | None:
    """A line a system, the best on top."""
    if not rows:
        return None
    names = ("low", "high", "people_low", "people_high", "judge")
    shown = [row[name] for row in rows for name in names]
    most = max(len(row["system"]) for row in rows)
    left = min(ROOM if width >= WIDE else NARROW_ROOM, int(most * LETTER) + 24)
    right = width - 18
    lowest, highest = min(shown), max(shown)
    scale = Scale(lowest, highest if highest > lowest else lowest + 0.01, left, right)
    labels = shorten([row["system"] for row in rows], int((left - 16) / LETTER))
    base = TOP + STEP * len(rows)
    return EstimateChart(
        width=width,
        height=base + FOOT,
        left=left,
        right=right,
        base=base,
        lines=[
            _line(row, TOP + STEP * (place + 0.5), scale, labels[place])
            for place, row in enumerate(rows)
        ],
        ticks=[
            Tick(scale.at(value), f"{value:g}")
            for value in nice_ticks(lowest, highest, 6 if width >= WIDE else 4)
        ],
    )


def _line(row: Mapping[str, Any], y: float, scale: Scale, label: str) -> Line:
    return Line(
        row,
        label,
        y,
        _interval(row["value"], row["low"], row["high"], y - APART, scale),
        _interval(row["people"], row["people_low"], row["people_high"], y + APART, scale),
        scale.at(row["judge"]),
    )


def _interval(value: float, low: float, high: float, y: float, scale: Scale) -> Interval:
    return Interval(scale.at(value), scale.at(low), scale.at(high), y)
