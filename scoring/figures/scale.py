"""Where values lie on paper: scales, round ticks, and names that do not meet."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

# Each figure is drawn twice: text in an SVG does not wrap, and shrunk to a telephone it could not
# be read.
WIDE, NARROW = 760, 350
# What a paper's column and its page are wide, in points; letters come out 7 to 8 points high.
ONE_COLUMN, TWO_COLUMNS = 240, 504


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on an axis: where it is, and what stands beside it."""

    x: float
    label: str


@dataclass(frozen=True, slots=True)
class Scale:
    """Values laid out between two edges."""

    lowest: float
    highest: float
    left: float
    right: float

    def at(self, value: float) -> float:
        span = self.highest - self.lowest or 1
        return round(self.left + (value - self.lowest) / span * (self.right - self.left), 1)


def nice_ticks(lowest: float, highest: float, wanted: int) -> list[float]:
    """Round numbers between the ends, about as many as are wanted."""
    span = max(highest - lowest, 1e-6)
    size = 10 ** math.floor(math.log10(span / wanted))
    step = next(size * factor for factor in (1, 2, 5, 10) if span / (size * factor) <= wanted)
    first, last = math.ceil(round(lowest / step, 6)), math.floor(round(highest / step, 6))
    return [round(number * step, 10) for number in range(first, last + 1)]


def shorten(texts: Sequence[str], most: int) -> list[str]:
    """At most so many characters each; names that differ stay different."""
    most = max(most, 2)

    def cut(text: str) -> str:
        return text if len(text) <= most else f"{text[: most - 1]}…"

    return cut_apart(texts, cut, lambda text: cut_middle(text, most) if len(text) > most else text)


def cut_middle(text: str, most: int) -> str:
    """The beginning and the end, so many characters in all."""
    tail = (most - 1) // 2
    return f"{text[: most - 1 - tail]}…{text[len(text) - tail :] if tail else ''}"


def cut_apart(texts: Sequence[str], *ways: Callable[[str], str]) -> list[str]:
    """Each text by the first of the ways to cut it after which no other text looks the same.

    Where none helps, the cut texts are numbered.
    """
    found = [ways[0](text) for text in texts]
    for way in ways[1:]:
        for place in _alike(texts, found):
            found[place] = way(texts[place])
    for number, place in enumerate(_alike(texts, found), start=1):
        ending = f"…{number}"
        found[place] = f"{found[place][: -len(ending)]}{ending}"
    return found


def _alike(texts: Sequence[str], found: Sequence[str]) -> list[int]:
    """Places of cut texts that look like another one's."""
    wholes: dict[str, set[str]] = {}
    for text, cut in zip(texts, found, strict=True):
        wholes.setdefault(cut, set()).add(text)
    return [
        place
        for place, (text, cut) in enumerate(zip(texts, found, strict=True))
        if len(wholes[cut]) > 1 and cut != text
    ]


def widened(values: Sequence[float], share: float = 0.06) -> tuple[float, float]:
    """The ends of what is shown, with a little room, so that nothing lies on the frame."""
    lowest, highest = min(values), max(values)
    if lowest == highest:
        # Else the axis of one value would show differences that nobody measured.
        room = max(abs(highest), 1.0) * 0.05
    else:
        room = max(highest - lowest, 0.01) * share
    return lowest - room, highest + room


def spread(wanted: Sequence[float], apart: float, top: float, base: float) -> list[float]:
    """Where names stand that want to be at these heights: near them, and none in another.

    Names that would meet share out the room around the middle of what they wish for.
    """
    order = sorted(range(len(wanted)), key=lambda place: (wanted[place], place))
    groups: list[list[int]] = []
    for place in order:
        groups.append([place])
        while (
            len(groups) > 1
            and _first(groups[-1], wanted, apart, top, base)
            < _last(groups[-2], wanted, apart, top, base) + apart
        ):
            last = groups.pop()
            groups[-1] += last
    found = [0.0] * len(wanted)
    for group in groups:
        first = _first(group, wanted, apart, top, base)
        for step, place in enumerate(group):
            found[place] = round(first + apart * step, 1)
    return found


def _first(
    group: Sequence[int], wanted: Sequence[float], apart: float, top: float, base: float
) -> float:
    height = apart * (len(group) - 1)
    middle = sum(wanted[place] for place in group) / len(group)
    return max(min(middle - height / 2, base - height), top)


def _last(
    group: Sequence[int], wanted: Sequence[float], apart: float, top: float, base: float
) -> float:
    return _first(group, wanted, apart, top, base) + apart * (len(group) - 1)
