"""The frame of a plot: where it lies, its grid, its ticks and the words beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scoring.figures.display import Line, Mark, Text
from scoring.figures.letters import measure
from scoring.figures.scale import Scale, Tick

SMALL = 11
# Lines that are told apart by colour, by dash and by the sign at their points.
COLOURS = ("lapis", "present", "absent", "unsure", "model")
DASHES: tuple[tuple[float, ...], ...] = ((), (8, 3), (2, 3), (10, 3, 2, 3), (5, 2))


@dataclass(frozen=True, slots=True)
class Frame:
    left: float
    right: float
    top: float
    base: float

    def across(self, lowest: float, highest: float) -> Scale:
        return Scale(lowest, highest, self.left, self.right)

    def up(self, lowest: float, highest: float) -> Scale:
        return Scale(lowest, highest, self.base, self.top)


def say(value: float) -> str:
    """A tick's number, with a true minus."""
    return f"{value:g}".replace("-", "−")


def short(value: float | None, digits: int = 2) -> str:
    """A figure between −1 and 1 without its nought: .83"""
    if value is None:
        return "–"
    said = f"{value:.{digits}f}"
    if float(said) == 0:
        said = said.lstrip("-")
    return (
        said.replace("0.", ".", 1).replace("-", "−")
        if abs(float(said)) < 1
        else said.replace("-", "−")
    )


def ticks_at(scale: Scale, values: Sequence[float]) -> list[Tick]:
    return [Tick(scale.at(value), say(value)) for value in values]


def draw_grid(
    frame: Frame, across: Sequence[Tick], up: Sequence[Tick], size: float = SMALL
) -> Iterator[Mark]:
    for tick in across:
        yield Line(tick.x, frame.top, tick.x, frame.base)
        yield Text(tick.x, frame.base + 16, tick.label, size, "middle", "muted")
    for tick in up:
        yield Line(frame.left, tick.x, frame.right, tick.x)
        yield Text(frame.left - 6, tick.x + 4, tick.label, size, "end", "muted")


def name_axes(frame: Frame, across: str, up: str, size: float = SMALL) -> Iterator[Mark]:
    """What is told, with the way that it grows."""
    if across:
        said = f"{across} →"
        # Names of curves stand to the right of the frame: a long title may go on beneath them.
        end = max(frame.right, measure(said, size, is_bold=True) + 2)
        yield Text(end, frame.base + 34, said, size, "end", "muted", True)
    if up:
        yield Text(frame.left, frame.top - 10, f"↑ {up}", size, "start", "muted", True)
