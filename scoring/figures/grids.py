"""Values in squares: a heat map with its numbers, and a matrix of which is better than which."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from scoring.figures.axes import SMALL, short
from scoring.figures.display import Circle, Figure, Line, Mark, Path, Rect, Text, shape
from scoring.figures.letters import fit, measure
from scoring.figures.scale import WIDE
from scoring.translation import gettext as _

# The strongest shade still lets ink be read on it, in light and in dark.
STRONGEST = 0.5
# Whether the row's metric is significantly better: after correction, before it only, not, or not
# settled by as many random swaps as were made.
SURE, BEFORE, NOT, OPEN = "sure", "before", "not", "open"


def draw_heatmap(
    values: Sequence[Sequence[float | None]],
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    name: str,
    title: str,
    across: str,
    up: str,
    width: float = WIDE,
) -> Figure:
    """The number stands in each cell, and its shade says the same; below 0 it is another colour."""
    left, top = 44.0, 40.0
    side = min((width - left - 6) / max(len(columns), 1), 52.0)
    tall = min(side, 34.0)
    base = top + tall * len(rows)
    marks: list[Mark] = [Text(left, 14, f"↓ {up}   → {across}", SMALL, "start", "muted", True)]
    for place, said in enumerate(columns):
        marks.append(Text(left + side * (place + 0.5), top - 8, said, SMALL, "middle", "muted"))
    for at, (said, row) in enumerate(zip(rows, values, strict=True)):
        y = top + tall * at
        marks.append(Text(left - 8, y + tall / 2 + 4, said, SMALL, "end", "muted"))
        marks += _cells(row, left, y, side, tall)
    wide = round(max(left + side * len(columns) + 6, 320), 1)
    return Figure(name, title, wide, round(base + 10, 1), tuple(marks))


def _cells(
    row: Sequence[float | None], left: float, y: float, side: float, tall: float
) -> Iterator[Mark]:
    for place, value in enumerate(row):
        if value is None:
            continue
        x = left + side * place
        colour = "lapis" if value >= 0 else "absent"
        shade = round(max(abs(value), 0.02) * STRONGEST, 3)
        yield Rect(x + 0.5, y + 0.5, side - 1, tall - 1, fill=colour, opacity=shade)
        size = SMALL if side >= 34 else 10
        yield Text(x + side / 2, y + tall / 2 + 4, short(value), size, "middle")


def draw_matrix(
    names: Sequence[str],
    states: Sequence[Sequence[str]],
    *,
    name: str,
    title: str,
    width: float = WIDE,
) -> Figure:
    """A number stands for a metric at the top, so that any name fits at the side."""
    size = max(len(names), 1)
    longest = max((measure(f"{at} {each}", 12) for at, each in enumerate(names, 1)), default=0.0)
    room = min(longest, width * (0.36 if width >= WIDE else 0.42))
    left, top = room + 14, 52.0 if width >= WIDE else 66.0
    side = min((width - left - 6) / size, 28.0)
    right, base = left + side * len(names), top + side * len(names)
    wide = round(max(right + 6, min(width, 440)), 1)
    size_of_key = (SMALL, 20) if width >= WIDE else (10, 8)
    marks: list[Mark] = [*_matrix_key(wide, *size_of_key), Line(left, base, right, base)]
    for at, (said, row) in enumerate(zip(names, states, strict=True)):
        y = top + side * at
        marks += _matrix_names(
            at + 1, said, room, left + side * (at + 0.5), y + side / 2, left, top
        )
        marks.append(Line(left, y, right, y))
        for place, state in enumerate(row):
            marks += _state(state, left + side * place, y, side, is_self=place == at)
    return Figure(name, title, wide, round(base + 8, 1), tuple(marks))


def _matrix_names(
    number: int, said: str, room: float, x: float, y: float, left: float, top: float
) -> Iterator[Mark]:
    yield Text(x, top - 6, str(number), SMALL, "middle", "muted")
    yield Text(left - 8, y + 4, fit(f"{number} {said}", room, 12), 12, "end")


def _state(state: str, x: float, y: float, side: float, *, is_self: bool) -> Iterator[Mark]:
    middle_x, middle_y = x + side / 2, y + side / 2
    if is_self:
        yield Rect(x + 0.5, y + 0.5, side - 1, side - 1, fill="line", opacity=0.7)
    elif state == SURE:
        yield shape("square", middle_x, middle_y, min(side * 0.3, 7), fill="lapis")
    elif state == BEFORE:
        yield shape(
            "square", middle_x, middle_y, min(side * 0.26, 6), fill="surface", stroke="lapis"
        )
    elif state == OPEN:
        radius = min(side * 0.24, 5)
        yield shape("circle", middle_x, middle_y, radius, fill="surface", stroke="lapis")
    else:
        yield shape("circle", middle_x, middle_y, 1.4, fill="edge")


def _matrix_key(width: float, size: float, space: float) -> Iterator[Mark]:
    said = (
        (shape("square", 8, 10, 6, fill="lapis"), _("significant, corrected")),
        (shape("square", 8, 10, 5, fill="surface", stroke="lapis"), _("uncorrected only")),
        (shape("circle", 8, 10, 5, fill="surface", stroke="lapis"), _("not settled")),
        (shape("circle", 8, 10, 1.4, fill="edge"), _("not significant")),
    )
    x = y = 0.0
    for sign, words in said:
        room = 18 + measure(words, size)
        if x and x + room > width:
            x, y = 0.0, y + 16
        yield _moved(sign, x, y)
        yield Text(x + 18, y + 14, words, size)
        x += room + space


def _moved(mark: Mark, x: float, y: float) -> Mark:
    if isinstance(mark, Circle):
        return replace(mark, x=mark.x + x, y=mark.y + y)
    assert isinstance(mark, Path)
    return replace(mark, points=tuple((px + x, py + y) for px, py in mark.points))
