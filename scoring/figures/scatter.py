"""Points in a plane: one plot with names at its points, or many small ones side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scoring.figures.axes import SMALL, Frame, draw_grid, name_axes, ticks_at
from scoring.figures.display import Figure, Line, Mark, Text, shape
from scoring.figures.letters import fit, measure
from scoring.figures.scale import WIDE, Scale, nice_ticks, widened

LEFT, HEAD, FOOT = 46, 30, 44
NAME = 10.5
Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Point:
    name: str
    x: float
    y: float
    kind: str = ""


@dataclass(frozen=True, slots=True)
class ScatterPanel:
    head: str
    note: str
    points: tuple[Point, ...]


# How kinds of systems are drawn, whatever the colours.
SIGNS = {"extractive": ("diamond", "unsure"), "abstractive": ("circle", "lapis")}
OTHER = ("square", "muted")


def sign_of(kind: str) -> tuple[str, str]:
    return SIGNS.get(kind, OTHER)


def draw_scatter(
    points: Sequence[Point],
    *,
    name: str,
    title: str,
    across: str,
    up: str,
    width: float = WIDE,
) -> Figure:
    """Each point with its name, where there is room for it."""
    height = 460 if width >= WIDE else 360
    frame = Frame(LEFT, width - 12, HEAD + 22, height - FOOT)
    ends = _ends(points)
    x, y = frame.across(*ends[0]), frame.up(*ends[1])
    wanted = 8 if width >= WIDE else 5
    marks: list[Mark] = [
        *draw_grid(
            frame, ticks_at(x, nice_ticks(*ends[0], wanted)), ticks_at(y, nice_ticks(*ends[1], 6))
        ),
        *name_axes(frame, across, up),
        *draw_key(sorted({point.kind for point in points if point.kind}), LEFT, 12),
        *_dots(points, x, y, 4.5),
        *_labels(points, x, y, frame),
    ]
    return Figure(name, title, width, height, tuple(marks))


def _ends(points: Sequence[Point]) -> tuple[tuple[float, float], tuple[float, float]]:
    return widened([point.x for point in points]), widened([point.y for point in points])


def _dots(points: Sequence[Point], x: Scale, y: Scale, r: float) -> Iterator[Mark]:
    for point in points:
        kind, colour = sign_of(point.kind)
        tip = f"{point.name}: {point.x:.3f} across, {point.y:.3f} up"
        yield shape(kind, x.at(point.x), y.at(point.y), r, fill=colour, stroke="surface", tip=tip)


def draw_key(kinds: Sequence[str], left: float, y: float) -> Iterator[Mark]:
    """What each sign stands for; none where all are alike."""
    if len(kinds) < 2:
        return
    for kind in kinds:
        form, colour = sign_of(kind)
        yield shape(form, left + 5, y - 4, 4, fill=colour)
        yield Text(left + 14, y, kind, SMALL)
        left += 14 + measure(kind, SMALL) + 18


def _labels(points: Sequence[Point], x: Scale, y: Scale, frame: Frame) -> Iterator[Mark]:
    """Beside, above or beneath its point, wherever it covers nothing; else not at all."""
    taken: list[Box] = [
        (x.at(point.x) - 5, y.at(point.y) - 5, x.at(point.x) + 5, y.at(point.y) + 5)
        for point in points
    ]
    for point in sorted(points, key=lambda each: (each.y, each.name)):
        said = fit(point.name, 130, NAME)
        for box, anchor in _places(x.at(point.x), y.at(point.y), measure(said, NAME)):
            if _is_free(box, taken, frame):
                taken.append(box)
                at = {"start": box[0], "end": box[2], "middle": (box[0] + box[2]) / 2}[anchor]
                yield Text(round(at, 1), box[3] - 2.5, said, NAME, anchor, "muted")
                break


def _places(x: float, y: float, width: float) -> Iterator[tuple[Box, str]]:
    yield (x + 7, y - 6, x + 7 + width, y + 6), "start"
    yield (x - 7 - width, y - 6, x - 7, y + 6), "end"
    yield (x - width / 2, y - 18, x + width / 2, y - 6), "middle"
    yield (x - width / 2, y + 6, x + width / 2, y + 18), "middle"
    yield (x + 5, y - 16, x + 5 + width, y - 4), "start"
    yield (x + 5, y + 4, x + 5 + width, y + 16), "start"


def _is_free(box: Box, taken: Sequence[Box], frame: Frame) -> bool:
    left, top, right, base = box
    if left < frame.left or right > frame.right + 8 or top < frame.top - 8 or base > frame.base:
        return False
    return all(
        right < other[0] or left > other[2] or base < other[1] or top > other[3] for other in taken
    )


def draw_small_scatters(
    panels: Sequence[ScatterPanel],
    *,
    name: str,
    title: str,
    across: str,
    up: str,
    width: float = WIDE,
) -> Figure:
    """As many in a row as can be read; all have the same people's scores from bottom to top."""
    columns = 4 if width >= WIDE else 2
    side, gap, row = _sizes(columns, width)
    rows = -(-len(panels) // columns)
    foot = 22
    marks: list[Mark] = [*draw_key(_kinds(panels), 4, 12)]
    for place, panel in enumerate(panels):
        left = 4 + (side + gap) * (place % columns)
        top = 52 + row * (place // columns)
        frame = Frame(round(left, 1), round(left + side, 1), top, round(top + side * 0.8, 1))
        marks += _small(panel, frame)
    height = 52 + row * rows - 20 + foot
    marks.append(Text(width - 4, height - 6, f"{across} →", SMALL, "end", "muted", True))
    marks.append(Text(4, height - 6, f"↑ {up}", SMALL, "start", "muted", True))
    return Figure(name, title, width, round(height, 1), tuple(marks))


def _sizes(columns: int, width: float) -> tuple[float, float, float]:
    gap = 16.0
    side = (width - 8 - gap * (columns - 1)) / columns
    return side, gap, side * 0.8 + 46


def _kinds(panels: Sequence[ScatterPanel]) -> list[str]:
    return sorted({point.kind for panel in panels for point in panel.points if point.kind})


def _small(panel: ScatterPanel, frame: Frame) -> Iterator[Mark]:
    room = frame.right - frame.left
    yield Text(
        frame.left, frame.top - 19, fit(panel.head, room, SMALL + 1), SMALL + 1, is_bold=True
    )
    yield Text(frame.left, frame.top - 6, fit(panel.note, room, SMALL), SMALL, colour="muted")
    corners = ((frame.left, frame.top), (frame.right, frame.base))
    (left, top), (right, base) = corners
    for ends in ((left, base, right, base), (left, top, left, base)):
        yield Line(*ends, stroke="edge")
    if panel.points:
        x_ends, y_ends = _ends(panel.points)
        yield from _dots(panel.points, frame.across(*x_ends), frame.up(*y_ends), 3.2)
