"""Plots of curves and of plans, as the coordinates of an SVG that a template writes out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.figures.scale import WIDE, Scale, Tick, nice_ticks, widened

HEIGHT, LOW_HEIGHT = 340, 300
LEFT, HEAD, FOOT = 48, 18, 44
# Room for the names of curves at the right end, and the least between two of them.
NAMES, NARROW_NAMES, APART = 108, 92, 15
PERCENT = tuple(range(0, 101, 20))


@dataclass(frozen=True, slots=True)
class Line:
    """A curve; `label_y` is where its name stands, apart from the others."""

    name: str
    order: str
    path: str
    end_x: float
    end_y: float
    label_y: float


@dataclass(frozen=True, slots=True)
class CurveChart:
    width: int
    height: int
    left: int
    right: int
    top: int
    base: int
    band: str
    lines: list[Line]
    across: list[Tick]
    up: list[Tick]


def draw_curve_chart(
    rows: Sequence[Mapping[str, Any]], percentages: Sequence[float], width: int = WIDE
) -> CurveChart | None:
    """Percentage from left to right, correlation from bottom to top, random's band behind all."""
    known = [value for row in rows for value in _all_values(row) if value is not None]
    if not known:
        return None
    height, names = (HEIGHT, NAMES) if width >= WIDE else (LOW_HEIGHT, NARROW_NAMES)
    right, base = width - names, height - FOOT
    lowest, highest = widened(known)
    across = Scale(percentages[0], percentages[-1], LEFT, right)
    up = Scale(lowest, highest, base, HEAD)
    return CurveChart(
        width=width,
        height=height,
        left=LEFT,
        right=right,
        top=HEAD,
        base=base,
        band=_band(rows, percentages, across, up),
        lines=_spread([_line(row, percentages, across, up) for row in rows], HEAD, base),
        across=[Tick(across.at(value), f"{value:g}") for value in PERCENT],
        up=[Tick(up.at(value), f"{value:g}") for value in nice_ticks(lowest, highest, 6)],
    )


def _all_values(row: Mapping[str, Any]) -> list[float | None]:
    return [*row["values"], *row["low"], *row["high"]]


def _line(row: Mapping[str, Any], percentages: Sequence[float], across: Scale, up: Scale) -> Line:
    points = [
        (across.at(percentage), up.at(value))
        for percentage, value in zip(percentages, row["values"], strict=True)
        if value is not None
    ]
    end = points[-1] if points else (across.right, up.left)
    path = " ".join(f"{x},{y}" for x, y in points)
    return Line(row["words"], row["order"], path, end[0], end[1], end[1])


def _band(
    rows: Sequence[Mapping[str, Any]], percentages: Sequence[float], across: Scale, up: Scale
) -> str:
    for row in rows:
        if row["low"] and None not in (*row["low"], *row["high"]):
            top, bottom = (
                list(zip(percentages, row[side], strict=True)) for side in ("high", "low")
            )
            points = [*top, *reversed(bottom)]
            return " ".join(f"{across.at(x)},{up.at(value)}" for x, value in points)
    return ""


def _spread(lines: list[Line], top: float, base: float) -> list[Line]:
    """All curves end alike at 100 %: their names stand one below the other, none in another."""
    ordered = sorted(lines, key=_middle)
    if not ordered:
        return []
    height = APART * (len(ordered) - 1)
    first = max(min(ordered[0].end_y - height / 2, base - height), top + 8)
    return [
        Line(
            line.name,
            line.order,
            line.path,
            line.end_x,
            line.end_y,
            round(first + APART * place, 1),
        )
        for place, line in enumerate(ordered)
    ]


def _middle(line: Line) -> float:
    """How high a curve runs half-way, where orders differ most."""
    points = line.path.split()
    return float(points[len(points) // 2].split(",")[1]) if points else 0.0


@dataclass(frozen=True, slots=True)
class Point:
    """A plan: where it lies, and how sure its figure is."""

    key: str
    number: int
    x: float
    y: float
    y1: float
    y2: float
    is_best: bool
    is_top: bool
    is_chosen: bool
    at_end: bool
    plan: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class FrontierChart:
    width: int
    height: int
    left: int
    right: int
    top: int
    base: int
    figure: str
    points: list[Point]
    path: str
    goal: float | None
    across: list[Tick]
    up: list[Tick]


def draw_frontier(
    plans: Sequence[Mapping[str, Any]],
    figure: str,
    *,
    best: str = "",
    top: str = "",
    chosen: str = "",
    goal: float | None = None,
    width: int = WIDE,
) -> FrontierChart | None:
    """Money from left to right, the figure that decides from bottom to top."""
    known = [plan for plan in plans if plan[figure] is not None]
    if not known:
        return None
    height = HEIGHT if width >= WIDE else LOW_HEIGHT
    right, base = width - 20, height - FOOT
    lowest, highest = _ends(known, figure, goal)
    most = max(float(plan["money"]) for plan in known) or 1.0
    across, up = Scale(0, most, LEFT + 12, right - 12), Scale(lowest, highest, base, HEAD)
    points = [
        _point(plan, place, figure, (across, up), (best, top, chosen))
        for place, plan in enumerate(known, 1)
    ]
    return FrontierChart(
        width=width,
        height=height,
        left=LEFT,
        right=right,
        top=HEAD,
        base=base,
        figure=figure,
        points=points,
        path=_edge(points, figure),
        goal=None if goal is None else up.at(goal),
        across=[
            Tick(across.at(value), f"${value:g}")
            for value in nice_ticks(0, most, 6 if width >= WIDE else 4)
        ],
        up=[Tick(up.at(value), f"{value:g}") for value in nice_ticks(lowest, highest, 6)],
    )


def _ends(
    plans: Sequence[Mapping[str, Any]], figure: str, goal: float | None
) -> tuple[float, float]:
    shown = [plan[f"{figure}{end}"] for plan in plans for end in ("", "_low", "_high")]
    return widened([*shown, *([] if goal is None else [goal])])


def _point(
    plan: Mapping[str, Any],
    number: int,
    figure: str,
    scales: tuple[Scale, Scale],
    marked: tuple[str, str, str],
) -> Point:
    """`marked` are the keys of the recommended plan, of the best expected and of the one shown."""
    across, up = scales
    is_best, is_top, is_chosen = (plan["key"] == key for key in marked)
    return Point(
        plan["key"],
        number,
        across.at(float(plan["money"])),
        up.at(plan[figure]),
        up.at(plan[f"{figure}_low"]),
        up.at(plan[f"{figure}_high"]),
        is_best,
        is_top,
        is_chosen,
        across.at(float(plan["money"])) > across.right - 70,
        plan,
    )


def _edge(points: Sequence[Point], figure: str) -> str:
    """The best that can be had for so much money, hours aside; of widths the least is best."""
    sign = -1 if figure == "width" else 1
    reached: list[Point] = []
    for point in sorted(points, key=lambda point: (point.x, sign * point.y)):
        if not reached or sign * point.y < sign * reached[-1].y:
            reached.append(point)
    return " ".join(f"{point.x},{point.y}" for point in reached)
