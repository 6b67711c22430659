"""A drawing of a report: the figure in two widths, and the numbers behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.figures.display import Cell, Figure, Table
from scoring.figures.intervals import Estimate
from scoring.figures.scale import NARROW, WIDE

Record = Mapping[str, Any]
LEVEL = 0.05
HUMAN = "people"


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure for a page, one for a telephone, and the numbers behind both."""

    wide: Figure
    narrow: Figure
    table: Table

    @property
    def name(self) -> str:
        return self.wide.name


def draw_both(draw: Callable[..., Figure], *given: Any, table: Table, **options: Any) -> Drawing:
    wide, narrow = (draw(*given, width=width, **options) for width in (WIDE, NARROW))
    return Drawing(wide, narrow, table)


def make_table(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Table:
    return Table(tuple(columns), tuple(tuple(row) for row in rows))


def three(values: Sequence[float | None]) -> Estimate:
    value, low, high = values
    return value, low, high
