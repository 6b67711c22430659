"""Values with their intervals, a line each, in panels that share their names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scoring.figures.axes import SMALL, Frame, short, ticks_at
from scoring.figures.display import Figure, Line, Mark, Text, shape
from scoring.figures.letters import fit_all, measure
from scoring.figures.scale import WIDE, Scale, nice_ticks, widened

STEP, TOP, FOOT, GAP = 22, 34, 26, 28
VALUE = 30
Estimate = tuple[float | None, float | None, float | None]


@dataclass(frozen=True, slots=True)
class IntervalPanel:
    """One value, its low and its high end for each name; unknown ones are None."""

    head: str
    rows: tuple[Estimate, ...]


def draw_intervals(
    names: Sequence[str],
    panels: Sequence[IntervalPanel],
    *,
    name: str,
    title: str,
    width: float = WIDE,
) -> Figure:
    """Side by side where there is room, else one beneath the other."""
    is_wide = width >= WIDE
    longest = max((measure(each, 12) for each in names), default=0.0)
    room = min(longest, width * (0.3 if is_wide else 0.42))
    scale_ends = _ends(panels)
    height = TOP + STEP * len(names) + FOOT
    marks: list[Mark] = []
    for place, panel in enumerate(panels):
        frame = _place(place, len(panels), room, width, height, is_wide=is_wide)
        marks += _panel(panel, frame, Scale(*scale_ends, frame.left, frame.right))
        if place == 0 or not is_wide:
            marks += _names(names, frame, room)
    return Figure(name, title, width, height * (1 if is_wide else len(panels)), tuple(marks))


def _ends(panels: Sequence[IntervalPanel]) -> tuple[float, float]:
    known = [v for panel in panels for row in panel.rows for v in row if v is not None]
    return widened(known) if known else (0.0, 1.0)


def _place(
    place: int, panels: int, room: float, width: float, height: float, *, is_wide: bool
) -> Frame:
    left = room + 14
    if not is_wide:
        top = TOP + height * place
        return Frame(left, width - VALUE - 8, top, top + height - TOP - FOOT)
    each = (width - left - GAP * (panels - 1)) / panels
    start = left + (each + GAP) * place
    return Frame(round(start, 1), round(start + each - VALUE - 8, 1), TOP, height - FOOT)


def _names(names: Sequence[str], frame: Frame, room: float) -> Iterator[Mark]:
    for place, each in enumerate(fit_all(names, room, 12)):
        y = frame.top + STEP * (place + 0.5)
        yield Text(frame.left - 12, y + 4, each, 12, "end")


def _panel(panel: IntervalPanel, frame: Frame, scale: Scale) -> Iterator[Mark]:
    yield Text(frame.left, frame.top - 14, panel.head, SMALL, "start", "muted", True)
    wanted = 5 if frame.right - frame.left > 180 else 4
    for tick in ticks_at(scale, nice_ticks(scale.lowest, scale.highest, wanted)):
        is_nought = tick.label == "0"
        yield Line(tick.x, frame.top - 4, tick.x, frame.base, "edge" if is_nought else "line")
        yield Text(tick.x, frame.base + 16, tick.label, SMALL, "middle", "muted")
    for place, row in enumerate(panel.rows):
        yield from _row(row, scale, frame, frame.top + STEP * (place + 0.5))


def _row(row: Estimate, scale: Scale, frame: Frame, y: float) -> Iterator[Mark]:
    value, low, high = row
    if low is not None and high is not None:
        yield Line(scale.at(low), y, scale.at(high), y, "lapis", 2)
    if value is not None:
        yield shape("circle", scale.at(value), y, 4.5)
    yield Text(frame.right + VALUE + 6, y + 4, short(value), 12, "end", is_bold=True)
