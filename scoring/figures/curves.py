"""Curves with their names at their ends: a few are told apart, the others stand back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scoring.figures.axes import COLOURS, DASHES, SMALL, Frame, draw_grid, name_axes, ticks_at
from scoring.figures.display import SHAPES, Figure, Line, Mark, Path, Text, shape
from scoring.figures.letters import fit_all, measure
from scoring.figures.scale import WIDE, Scale, nice_ticks, spread, widened
from scoring.translation import gettext as _

LEFT, HEAD, FOOT, APART = 46, 34, 46, 15
MOST_NAMED = len(COLOURS)


@dataclass(frozen=True, slots=True)
class Series:
    """`low` and `high` are as long as `y`, or empty; what is not known is None."""

    name: str
    x: tuple[float, ...]
    y: tuple[float | None, ...]
    low: tuple[float | None, ...] = ()
    high: tuple[float | None, ...] = ()


def draw_curves(
    series: Sequence[Series],
    *,
    name: str,
    title: str,
    across: str,
    up: str,
    x_ticks: Sequence[float] = (),
    banded: int = 1,
    named: int = MOST_NAMED,
    width: float = WIDE,
) -> Figure:
    """The first ones are named, and the first of these have bands; the others are grey."""
    is_wide = width >= WIDE
    height = 360.0 if is_wide else 320.0
    # A colour and a dash belong to one curve alone.
    named = min(named, MOST_NAMED, len(series))
    room = _room(series[:named], len(series) > named, width, is_wide=is_wide)
    frame = Frame(LEFT, width - room, HEAD, height - FOOT)
    x, y = _scales(series, frame, banded)
    ticks = x_ticks or _ticks_across(series, nice_ticks(x.lowest, x.highest, 6 if is_wide else 4))
    marks: list[Mark] = [
        *draw_grid(frame, ticks_at(x, ticks), ticks_at(y, nice_ticks(y.lowest, y.highest, 6))),
        *name_axes(frame, across, up),
    ]
    for each in series[named:]:
        marks += [Path(run, stroke="edge", width=1, opacity=0.45) for run in _runs(each, x, y)]
    for place in range(min(banded, named)):
        marks += _band(series[place], COLOURS[place], x, y)
    for place in reversed(range(named)):
        marks += _curve(series[place], place, x, y)
    for place in reversed(range(named)):
        marks += _signs(series[place], place, x, y)
    marks += _names(series, named, frame, x, y, room)
    return Figure(name, title, width, height, tuple(marks))


def _room(shown: Sequence[Series], has_others: bool, width: float, *, is_wide: bool) -> float:
    names = [each.name for each in shown] + ([_("the others")] if has_others else [])
    longest = max((measure(each, SMALL) for each in names), default=0.0)
    return round(min(longest, width * (0.3 if is_wide else 0.34)) + 20, 1)


def _scales(series: Sequence[Series], frame: Frame, banded: int) -> tuple[Scale, Scale]:
    xs = [x for each in series for x in each.x] or [0.0, 1.0]
    known = [y for each in series for y in each.y if y is not None]
    known += [y for each in series[:banded] for y in (*each.low, *each.high) if y is not None]
    return frame.across(min(xs), max(xs)), frame.up(*(widened(known) if known else (0.0, 1.0)))


def _ticks_across(series: Sequence[Series], ticks: Sequence[float]) -> list[float]:
    """Whole numbers where all values are: there is no system between the fourth and the fifth."""
    is_whole = all(float(x).is_integer() for each in series for x in each.x)
    return [tick for tick in ticks if not is_whole or float(tick).is_integer()]


def _runs(each: Series, x: Scale, y: Scale) -> Iterator[tuple[tuple[float, float], ...]]:
    """The curve, broken where nothing is known."""
    run: list[tuple[float, float]] = []
    for across, up in zip(each.x, each.y, strict=True):
        if up is not None:
            run.append((x.at(across), y.at(up)))
        elif run:
            yield tuple(run)
            run = []
    if run:
        yield tuple(run)


def _curve(each: Series, place: int, x: Scale, y: Scale) -> Iterator[Mark]:
    for run in _runs(each, x, y):
        width = 2.4 if place == 0 else 1.8
        yield Path(run, stroke=COLOURS[place], width=width, dash=DASHES[place])


def _signs(each: Series, place: int, x: Scale, y: Scale) -> Iterator[Mark]:
    """Without halos, which would cut the signs of other curves."""
    for run in _runs(each, x, y):
        for across, up in run if len(run) <= 12 else run[:: -(-len(run) // 12)]:
            yield shape(SHAPES[place], across, up, 3.4, fill=COLOURS[place])


def _band(each: Series, colour: str, x: Scale, y: Scale) -> Iterator[Mark]:
    both = [
        (across, low, high)
        for across, low, high in zip(each.x, each.low, each.high, strict=False)
        if low is not None and high is not None
    ]
    if len(both) > 1:
        top = [(x.at(across), y.at(high)) for across, __, high in both]
        bottom = [(x.at(across), y.at(low)) for across, low, __ in reversed(both)]
        yield Path((*top, *bottom), closed=True, fill=colour, opacity=0.14)


def _names(
    series: Sequence[Series], named: int, frame: Frame, x: Scale, y: Scale, room: float
) -> Iterator[Mark]:
    """At the right end, with a line to the curve's own end."""
    ends = [_end(each, x, y, frame) for each in series[:named]]
    has_others = len(series) > named
    if has_others:
        rest = [_end(each, x, y, frame)[1] for each in series[named:]]
        ends.append((frame.right, sum(rest) / len(rest)))
    heights = spread([end[1] for end in ends], APART, frame.top, frame.base)
    names = [*(each.name for each in series[:named]), *([_("the others")] if has_others else [])]
    names = fit_all(names, room - 16, SMALL)
    for place, ((end_x, end_y), at) in enumerate(zip(ends, heights, strict=True)):
        is_other = place == named
        colour = "muted" if is_other else COLOURS[place]
        if not is_other:
            yield Line(end_x, end_y, frame.right + 8, at, "line")
        yield Text(
            frame.right + 11,
            at + 4,
            names[place],
            SMALL,
            "start",
            colour,
            place == 0,
        )


def _end(each: Series, x: Scale, y: Scale, frame: Frame) -> tuple[float, float]:
    for across, up in reversed(list(zip(each.x, each.y, strict=True))):
        if up is not None:
            return x.at(across), y.at(up)
    return frame.right, frame.base
