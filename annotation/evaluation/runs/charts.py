"""Plots of a run, as the coordinates of an SVG that a template writes out, for two widths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.evaluation.labels.charts import (
    FOOT,
    LETTER,
    NARROW_LETTER,
    TOP,
    high_of,
    low_of,
    room_for_names,
)
from annotation.evaluation.labels.scores import ScoreRow
from scoring.figures.scale import WIDE, Scale, Tick, nice_ticks, shorten

STEP = 28
# Both marks of a system stand beside its line, the model's above.
APART = 5
SQUARE, SMALL_SQUARE = 420, 320
LEFT, SPACE, HEAD = 44, 16, 30


@dataclass(frozen=True, slots=True)
class Spot:
    """A score with its interval."""

    score: float
    low: float
    high: float
    x: float
    x1: float
    x2: float
    y: float


@dataclass(frozen=True, slots=True)
class Line:
    """A system: what the judge says of it and, where known, what people say."""

    name: str
    label: str
    y: float
    judge: Spot
    people: Spot | None


@dataclass(frozen=True, slots=True)
class ComparisonChart:
    width: int
    height: int
    left: int
    right: int
    base: float
    lines: list[Line]
    ticks: list[Tick]
    has_people: bool


def draw_beside(
    rows: Sequence[ScoreRow], people: Mapping[str, ScoreRow], width: int = WIDE
) -> ComparisonChart | None:
    """A line a system, the judge's best on top; two marks where people have scored it."""
    scored = [row for row in rows if row.score is not None]
    if not scored:
        return None
    shown = [*scored, *(people[row.system] for row in scored if row.system in people)]
    left, right = room_for_names(scored, width), width - 18
    lowest, highest = min(map(low_of, shown)), max(map(high_of, shown))
    scale = Scale(lowest, highest, left, right)
    letters = int((left - 12) / (LETTER if width >= WIDE else NARROW_LETTER))
    labels = shorten([row.system for row in scored], letters)
    base = TOP + STEP * len(scored)
    return ComparisonChart(
        width=width,
        height=base + FOOT,
        left=left,
        right=right,
        base=base,
        lines=[
            _line(row, people.get(row.system), TOP + STEP * (place + 0.5), scale, labels[place])
            for place, row in enumerate(scored)
        ],
        ticks=[
            Tick(scale.at(value), f"{value:g}")
            for value in nice_ticks(lowest, highest, 6 if width >= WIDE else 5)
        ],
        has_people=bool(people),
    )


def _line(row: ScoreRow, person: ScoreRow | None, y: float, scale: Scale, label: str) -> Line:
    has_person = person is not None and person.score is not None
    return Line(
        row.system,
        label,
        y,
        _spot(row, y - APART if has_person else y, scale),
        _spot(person, y + APART, scale) if person is not None and has_person else None,
    )


def _spot(row: ScoreRow, y: float, scale: Scale) -> Spot:
    score, low, high = row.score or 0.0, low_of(row), high_of(row)
    return Spot(score, low, high, scale.at(score), scale.at(low), scale.at(high), y)


@dataclass(frozen=True, slots=True)
class Dot:
    x: float
    y: float
    r: float
    bin: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CalibrationChart:
    """The judge's value from left to right, people's share from bottom to top."""

    size: int
    left: int
    right: int
    top: int
    base: int
    dots: list[Dot]
    across: list[Tick]
    up: list[Tick]

    @property
    def path(self) -> str:
        return " ".join(f"{dot.x},{dot.y}" for dot in self.dots)


def draw_calibration(
    bins: Sequence[Mapping[str, Any]], size: int = SQUARE
) -> CalibrationChart | None:
    """A dot a bin, its area by the number of pairs; on the diagonal judge and people agree."""
    if not bins:
        return None
    right, top, base = size - SPACE, HEAD, size - LEFT
    across, up = Scale(0, 1, LEFT, right), Scale(0, 1, base, top)
    most = max(row["units"] for row in bins)
    steps = (0.0, 0.25, 0.5, 0.75, 1.0)
    return CalibrationChart(
        size=size,
        left=LEFT,
        right=right,
        top=top,
        base=base,
        dots=[
            Dot(
                across.at(row["predicted"]),
                up.at(row["observed"]),
                _radius(row["units"], most),
                row,
            )
            for row in bins
        ],
        across=[Tick(across.at(value), f"{value:g}") for value in steps],
        up=[Tick(up.at(value), f"{value:g}") for value in steps],
    )


def _radius(number: int, most: int) -> float:
    return round(4 + 8 * (number / most) ** 0.5, 1)
