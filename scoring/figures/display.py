"""What a figure is made of: lines, rectangles, circles, paths and text, with colours by role.

A colour is named by the token that pages know it by (`ink`, `muted`, `lapis` …), never by its
value: the writer decides what it looks like.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from scoring.io.cells import defuse, row_line

Cell = str | int | float | None


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line from one point to another."""

    x1: float
    y1: float
    x2: float
    y2: float
    stroke: str = "line"
    width: float = 1
    dash: tuple[float, ...] = ()
    opacity: float = 1


@dataclass(frozen=True, slots=True)
class Rect:
    """A box, by its upper left corner and its size."""

    x: float
    y: float
    width: float
    height: float
    fill: str = ""
    stroke: str = ""
    opacity: float = 1
    tip: str = ""


@dataclass(frozen=True, slots=True)
class Circle:
    """A disc around (x, y)."""

    x: float
    y: float
    r: float
    fill: str = "lapis"
    stroke: str = ""
    width: float = 1
    opacity: float = 1
    tip: str = ""


@dataclass(frozen=True, slots=True)
class Path:
    """A line through points; closed, it is a shape."""

    points: tuple[tuple[float, float], ...]
    closed: bool = False
    fill: str = ""
    stroke: str = ""
    width: float = 1
    dash: tuple[float, ...] = ()
    opacity: float = 1
    tip: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    """`turn` is in degrees, clockwise, around the point that the text is set at."""

    x: float
    y: float
    text: str
    size: float = 12
    anchor: str = "start"
    colour: str = "ink"
    is_bold: bool = False
    turn: float = 0


Mark = Line | Rect | Circle | Path | Text


@dataclass(frozen=True, slots=True)
class Table:
    """The data behind a figure."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def to_csv(self) -> str:
        """Numbers in full, what is not known left empty."""
        rows = [row_line(*(_plain(cell) for cell in row)) for row in self.rows]
        return "".join([row_line(*self.columns), *rows])


def _plain(cell: Cell) -> str:
    if cell is None:
        return ""
    return defuse(cell) if isinstance(cell, str) else repr(cell)


@dataclass(frozen=True, slots=True)
class Figure:
    """Marks are painted in their order. `title` is what a screen reader says."""

    name: str
    title: str
    width: float
    height: float
    marks: tuple[Mark, ...] = field(default_factory=tuple)


# Forms that are told apart without colour.
SHAPES = ("circle", "diamond", "triangle", "square", "down")


def shape(
    kind: str,
    x: float,
    y: float,
    r: float,
    *,
    fill: str = "lapis",
    stroke: str = "",
    opacity: float = 1,
    tip: str = "",
) -> Mark:
    """A small sign of about the same weight whatever its form."""
    if kind == "circle":
        return Circle(x, y, r, fill=fill, stroke=stroke, width=1.5, opacity=opacity, tip=tip)
    corners: dict[str, Sequence[tuple[float, float]]] = {
        "diamond": ((0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)),
        "triangle": ((0, -1.25), (1.2, 0.9), (-1.2, 0.9)),
        "square": ((-0.95, -0.95), (0.95, -0.95), (0.95, 0.95), (-0.95, 0.95)),
        "down": ((0, 1.25), (1.2, -0.9), (-1.2, -0.9)),
    }
    points = tuple((round(x + r * dx, 2), round(y + r * dy, 2)) for dx, dy in corners[kind])
    return Path(points, closed=True, fill=fill, stroke=stroke, width=1.5, opacity=opacity, tip=tip)
