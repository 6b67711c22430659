"""Points in a plane: one plot with names at its points, or many small ones side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import cos, pi, sin

from scoring.figures.axes import SMALL, Frame, draw_grid, name_axes, ticks_at
from scoring.figures.display import Figure, Line, Mark, Text, shape
from scoring.figures.letters import fit, fit_all, measure
from scoring.figures.scale import WIDE, Scale, nice_ticks, widened
from scoring.translation import gettext as _

LEFT, HEAD, FOOT = 46, 30, 44
NAME = 10.5
# Halos lie beneath all signs; where signs lie on one another, both are seen.
HALO, SEEN = 1.5, 0.85
# How far from its point a name may stand, and in how many directions it is tried.
REACH, TURNS = 110, 16
KEY_LINE = 14
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
SIGNS = {
    "extractive": ("diamond", "unsure"),
    "abstractive": ("circle", "lapis"),
    "human": ("triangle", "present"),
}
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
    """Each point with its name; where there is no room, with a number that is explained beneath."""
    height = 460.0 if width >= WIDE else 360.0
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
    ]
    labels, unnamed = _labels(points, x, y, frame)
    key, foot = _explain(unnamed, height, width)
    return Figure(name, title, width, height + foot, (*marks, *labels, *key))


def _ends(points: Sequence[Point]) -> tuple[tuple[float, float], tuple[float, float]]:
    return widened([point.x for point in points]), widened([point.y for point in points])


def _dots(points: Sequence[Point], x: Scale, y: Scale, r: float) -> Iterator[Mark]:
    """All halos beneath all signs, so that none cuts another sign."""
    for point in points:
        kind, __ = sign_of(point.kind)
        yield shape(kind, x.at(point.x), y.at(point.y), r + HALO, fill="surface")
    for point in points:
        kind, colour = sign_of(point.kind)
        tip = _("{point}: {x:.3f} across, {y:.3f} up").format(
            point=point.name, x=point.x, y=point.y
        )
        yield shape(kind, x.at(point.x), y.at(point.y), r, fill=colour, opacity=SEEN, tip=tip)


def draw_key(kinds: Sequence[str], left: float, y: float) -> Iterator[Mark]:
    """What each sign stands for; none where all are alike."""
    if len(kinds) < 2:
        return
    names: dict[tuple[str, str], list[str]] = {}
    for kind in kinds:
        names.setdefault(sign_of(kind), []).append(kind)
    for (form, colour), alike in names.items():
        said = ", ".join(alike)
        yield shape(form, left + 5, y - 4, 4, fill=colour)
        yield Text(left + 14, y, said, SMALL)
        left += 14 + measure(said, SMALL) + 18


def _labels(
    points: Sequence[Point], x: Scale, y: Scale, frame: Frame
) -> tuple[list[Mark], list[str]]:
    """Names next to their points or at the end of a line; numbers for those that find no room.

    The names that the numbers stand for come in their order, from 1.
    """
    desk = _Desk([(x.at(point.x), y.at(point.y)) for point in points], frame)
    names = fit_all([point.name for point in points], 130, NAME)
    order = sorted(range(len(points)), key=lambda place: (points[place].y, points[place].name))
    left = [place for place in order if not desk.put(place, names[place], REACH)]
    for number, place in enumerate(left, start=1):
        if not desk.put(place, str(number), 2 * REACH):
            at_x, at_y = desk.at[place]
            desk.marks.append(Text(at_x + 7, at_y + 3.5, str(number), NAME, "start", "muted"))
    return desk.marks, [points[place].name for place in left]


class _Desk:
    """Where labels may still stand."""

    def __init__(self, at: Sequence[tuple[float, float]], frame: Frame) -> None:
        self.at, self.frame = at, frame
        self.taken: list[Box] = [(x - 5, y - 5, x + 5, y + 5) for x, y in at]
        self.marks: list[Mark] = []

    def put(self, place: int, said: str, reach: int) -> bool:
        """Near the point, or as far away as allowed, with a line to it."""
        x, y = self.at[place]
        wide = measure(said, NAME)
        for box, anchor in _places(x, y, wide):
            if _is_free(box, self.taken, self.frame):
                self._write(box, anchor, said)
                return True
        for box in _rings(x, y, wide, reach):
            if _is_free(box, self.taken, self.frame):
                edge = min(max(x, box[0]), box[2]), min(max(y, box[1] + 2), box[3] - 2)
                self.marks.append(Line(x, y, round(edge[0], 1), round(edge[1], 1), "edge"))
                self._write(box, "start", said)
                return True
        return False

    def _write(self, box: Box, anchor: str, said: str) -> None:
        self.taken.append(box)
        at = {"start": box[0], "end": box[2], "middle": (box[0] + box[2]) / 2}[anchor]
        self.marks.append(Text(round(at, 1), box[3] - 2.5, said, NAME, anchor, "muted"))


def _rings(x: float, y: float, wide: float, reach: int) -> Iterator[Box]:
    """Places around a point, the nearer ones first."""
    for distance in range(20, reach, 8):
        for turn in range(TURNS):
            angle = 2 * pi * turn / TURNS
            dx, dy = distance * cos(angle), distance * sin(angle)
            left = x + dx - (wide if dx < 0 else 0)
            yield left, y + dy - 6, left + wide, y + dy + 6


def _explain(names: Sequence[str], top: float, width: float) -> tuple[list[Mark], float]:
    """What numbers stand for, in columns beneath the plot; and how much room that takes."""
    if not names:
        return [], 0.0
    said = [f"{number} {name}" for number, name in enumerate(names, start=1)]
    columns = max(
        1, min(int((width - LEFT) // (max(measure(each, NAME) for each in said) + 16)), 4)
    )
    room = (width - LEFT - 8) / columns
    rows = -(-len(said) // columns)
    marks: list[Mark] = [
        Text(
            round(LEFT + room * (place // rows), 1),
            top + 12 + KEY_LINE * (place % rows),
            each,
            NAME,
            "start",
            "muted",
        )
        for place, each in enumerate(fit_all(said, room - 8, NAME))
    ]
    return marks, KEY_LINE * rows + 8.0


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
    heads = fit_all([panel.head for panel in panels], side, SMALL + 1)
    for place, panel in enumerate(panels):
        left = 4 + (side + gap) * (place % columns)
        top = 52 + row * (place // columns)
        frame = Frame(round(left, 1), round(left + side, 1), top, round(top + side * 0.8, 1))
        marks += _small(panel, heads[place], frame)
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


def _small(panel: ScatterPanel, head: str, frame: Frame) -> Iterator[Mark]:
    room = frame.right - frame.left
    yield Text(frame.left, frame.top - 19, head, SMALL + 1, is_bold=True)
    yield Text(frame.left, frame.top - 6, fit(panel.note, room, SMALL), SMALL, colour="muted")
    corners = ((frame.left, frame.top), (frame.right, frame.base))
    (left, top), (right, base) = corners
    for ends in ((left, base, right, base), (left, top, left, base)):
        yield Line(*ends, stroke="edge")
    if panel.points:
        x_ends, y_ends = _ends(panel.points)
        yield from _dots(panel.points, frame.across(*x_ends), frame.up(*y_ends), 3.2)
