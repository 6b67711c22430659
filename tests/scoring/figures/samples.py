"""Small figures of every kind, for tests."""

from __future__ import annotations

from typing import Any

from scoring.figures.curves import Series, draw_curves
from scoring.figures.display import Circle, Figure, Line, Path, Rect, Text
from scoring.figures.grids import BEFORE, NOT, SURE, draw_heatmap, draw_matrix
from scoring.figures.intervals import IntervalPanel, draw_intervals
from scoring.figures.scale import NARROW, WIDE
from scoring.figures.scatter import Point, ScatterPanel, draw_scatter, draw_small_scatters

HOSTILE = "</title><script>x()</script>&\x00\ud800\"'"
SMALL = Figure(
    "small",
    "A line & more",
    100,
    50,
    (
        Line(0, 10, 50, 10, "edge", 2, (4, 2)),
        Rect(1, 2, 3, 4, fill="lapis", opacity=0.5, tip="<b>"),
        Circle(10, 10, 4, fill="present", stroke="surface", width=1.5),
        Path(((0, 0), (5, 5.25)), stroke="absent"),
        Path(((0, 0), (5, 5), (0, 5)), closed=True, fill="unsure"),
        Text(50, 40, "τ of Škoda <&>", 11, "end", "muted", True, -90),
    ),
)


def make_points(count: int = 6) -> tuple[Point, ...]:
    kinds = ("extractive", "abstractive", "")
    return tuple(
        Point(f"system {place}", place / 10, (place * 7 % 5) / 10, kinds[place % 3])
        for place in range(count)
    )


def make_all(width: float = WIDE) -> list[Figure]:
    """One of each kind, with what is unknown in each."""
    x = (10.0, 50.0, 100.0)
    series = [
        Series(f"metric {at}", x, (0.2, None, 0.1 * at), (0.1, None, 0.0), (0.3, None, 0.9))
        for at in range(8)
    ]
    panels = [IntervalPanel("τ", ((0.5, 0.4, 0.6), (None, None, None)))] * 2
    small = [ScatterPanel("a", "τ .5", make_points()), ScatterPanel("b", "", ())] * 3
    words: dict[str, Any] = {"across": "metric", "up": "people"}
    return [
        draw_intervals(["a", HOSTILE], panels, name="intervals", title="t", width=width),
        draw_scatter(make_points(), name="scatter", title="t", width=width, **words),
        draw_small_scatters(small, name="panels", title="t", width=width, **words),
        draw_curves(series, name="curves", title="t", width=width, **words),
        draw_heatmap(
            [[0.5, -0.2], [None, 0.0]],
            ["0 %", "50 %"],
            ["50 %", "100 %"],
            name="heatmap",
            title="t",
            width=width,
            **words,
        ),
        draw_matrix(
            ["a", "b", "c"],
            [[NOT, SURE, BEFORE], [NOT] * 3, [NOT] * 3],
            name="matrix",
            title="t",
            width=width,
        ),
    ]


def make_both() -> list[Figure]:
    return [figure for width in (WIDE, NARROW) for figure in make_all(width)]
