"""Plots of labels and scores, as the coordinates of an SVG that a template writes out.

Each is drawn twice, for a wide and for a narrow screen: text in an SVG does not wrap, and shrunk
to a telephone it could not be read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.evaluation.labels.outcome import SystemChange
from annotation.evaluation.labels.scores import ScoreRow
from scoring.figures.scale import WIDE, Scale, Tick, nice_ticks, shorten

STEP, TOP, FOOT = 22, 26, 30
# Room for one letter, at the size in which labels are set, and for one bracket.
LETTER, NARROW_LETTER, BRACKET = 6.4, 5.8, 13
# On a narrow screen, more brackets than these would leave no room for the scores.
MOST_NARROW = 4


@dataclass(frozen=True, slots=True)
class Slope:
    """A system's line from its rank before to its rank after."""

    name: str
    label: str
    before: float | None
    after: float | None
    y1: float
    y2: float
    move: str


@dataclass(frozen=True, slots=True)
class SlopeChart:
    width: int
    height: int
    x1: int
    x2: int
    has_scores: bool
    slopes: list[Slope]

    @property
    def moved(self) -> int:
        return sum(slope.move != "same" for slope in self.slopes)


def draw_slopes(systems: Sequence[SystemChange], width: int = WIDE) -> SlopeChart:
    """Ranks from top to bottom, so that no two labels meet; scores where there is room."""
    has_scores = width >= WIDE
    room = round(width * (0.36 if has_scores else 0.42))
    letters = int((room - (56 if has_scores else 14)) / LETTER)
    labels = shorten([row.name for row in systems], letters)
    slopes = [
        Slope(
            row.name,
            label,
            row.before,
            row.after,
            row_y(row.rank_before),
            row_y(row.rank_after),
            _move(row),
        )
        for row, label in zip(systems, labels, strict=True)
    ]
    # What moves is drawn last, on top of what stays.
    slopes.sort(key=lambda slope: slope.move != "same")
    height = TOP + STEP * len(systems)
    return SlopeChart(width, height, room, width - room, has_scores, slopes)


def _move(row: SystemChange) -> str:
    if row.rank_after == row.rank_before:
        return "same"
    return "up" if row.rank_after < row.rank_before else "down"


def row_y(rank: int) -> float:
    return TOP + STEP * (rank - 0.5)


@dataclass(frozen=True, slots=True)
class Mark:
    """A system's dot and interval; `places` are the groups that it is in."""

    name: str
    label: str
    kind: str
    score: float
    low: float | None
    high: float | None
    x: float
    x1: float
    x2: float
    y: float
    letters: str


@dataclass(frozen=True, slots=True)
class Bracket:
    """Systems that can't be told apart: a line beside them, with a tick at each."""

    letter: str
    x: float
    y1: float
    y2: float
    ticks: list[float]


@dataclass(frozen=True, slots=True)
class ScoreChart:
    width: int
    height: int
    left: int
    right: int
    base: float
    marks: list[Mark]
    brackets: list[Bracket]
    ticks: list[Tick]


def draw_scores(
    rows: Sequence[ScoreRow], groups: Sequence[Sequence[int]], width: int = WIDE
) -> ScoreChart | None:
    """A dot with its interval a row, the best on top; groups are of places in *rows*."""
    scored = [row for row in rows if row.score is not None]
    if not scored:
        return None
    shown = groups if width >= WIDE or len(groups) <= MOST_NARROW else []
    left, right = room_for_names(scored, width), width - 18 - BRACKET * len(shown)
    lowest = min(low_of(row) for row in scored)
    highest = max(high_of(row) for row in scored)
    ticks = nice_ticks(lowest, highest, 6 if width >= WIDE else 5)
    scale = Scale(lowest, highest, left, right)
    letters = name_groups(len(scored), groups)
    letter = LETTER if width >= WIDE else NARROW_LETTER
    labels = shorten([row.system for row in scored], int((left - 12) / letter))
    marks = [
        _mark(row, place, scale, letters[place], labels[place]) for place, row in enumerate(scored)
    ]
    return ScoreChart(
        width=width,
        height=TOP + STEP * len(scored) + FOOT,
        left=left,
        right=right,
        base=TOP + STEP * len(scored),
        marks=marks,
        brackets=[
            _bracket(number, group, right + 18 + BRACKET * number)
            for number, group in enumerate(shown)
        ],
        ticks=[Tick(scale.at(value), f"{value:g}") for value in ticks],
    )


def room_for_names(rows: Sequence[ScoreRow], width: int) -> int:
    """For the names: as much as the longest needs, and less than half at most."""
    longest = max(len(row.system) for row in rows)
    return round(min(longest * LETTER + 24, width * (0.36 if width >= WIDE else 0.46)))


def low_of(row: ScoreRow) -> float:
    return row.score or 0 if row.low is None else row.low


def high_of(row: ScoreRow) -> float:
    return row.score or 0 if row.high is None else row.high


def _mark(row: ScoreRow, place: int, scale: Scale, letters: str, label: str) -> Mark:
    score = row.score or 0.0
    return Mark(
        name=row.system,
        label=label,
        kind=row.kind,
        score=score,
        low=row.low,
        high=row.high,
        x=scale.at(score),
        x1=scale.at(low_of(row)),
        x2=scale.at(high_of(row)),
        y=row_y(place + 1),
        letters=letters,
    )


def _bracket(number: int, group: Sequence[int], x: float) -> Bracket:
    ticks = [row_y(place + 1) for place in group]
    return Bracket(letter_of(number), x, ticks[0], ticks[-1], ticks)


def letter_of(number: int) -> str:
    """a to z, then aa, ab and so on."""
    rest, place = divmod(number, 26)
    return (letter_of(rest - 1) if rest else "") + chr(ord("a") + place)


def name_groups(size: int, groups: Sequence[Sequence[int]]) -> list[str]:
    """The letters of each place, those of all its groups together."""
    return [
        "".join(letter_of(number) for number, group in enumerate(groups) if place in group)
        for place in range(size)
    ]
