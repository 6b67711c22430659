"""A sample against its population, as the coordinates of an SVG that a template writes out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotation.evaluation.selectors.samples import SourcePopulation
from annotation.translation import gettext as _
from scoring.figures.scale import WIDE, Scale, Tick, nice_ticks

HEIGHT = 190
LEFT, RIGHT, HEAD, FOOT = 44, 16, 20, 40
INTERVALS, NARROW_INTERVALS = 24, 12
# What a bar leaves free on both sides.
GAP = 0.28


@dataclass(frozen=True, slots=True)
class Bar:
    """An interval's share of the sample; `title` says it in words."""

    x: float
    y: float
    width: float
    height: float
    title: str


@dataclass(frozen=True, slots=True)
class DistributionChart:
    """`area` is the population's outline; `cuts` are where its bins meet."""

    width: int
    height: int
    left: int
    right: int
    top: int
    base: int
    area: str
    bars: list[Bar]
    cuts: list[float]
    across: list[Tick]
    up: list[Tick]


def draw_distribution(shown: SourcePopulation, width: int = WIDE) -> DistributionChart:
    """Mean scores from left to right; the share of examples from bottom to top."""
    is_wide = width >= WIDE
    lowest, highest = _range(shown.means)
    edges = np.linspace(lowest, highest, (INTERVALS if is_wide else NARROW_INTERVALS) + 1)
    whole, some = _share(shown.means, edges), _share(shown.means[shown.chosen], edges)
    right, base = width - RIGHT, HEIGHT - FOOT
    most = float(max(whole.max(), some.max())) or 1.0
    across, up = Scale(lowest, highest, LEFT, right), Scale(0, most, base, HEAD)
    return DistributionChart(
        width=width,
        height=HEIGHT,
        left=LEFT,
        right=right,
        top=HEAD,
        base=base,
        area=_outline(whole, edges, across, up, base),
        bars=[
            _bar(share, whole[place], edges[place : place + 2].tolist(), across, up, base)
            for place, share in enumerate(some)
            if share
        ],
        cuts=[across.at(cut) for cut in shown.cuts],
        across=[
            Tick(across.at(value), f"{value:g}")
            for value in nice_ticks(lowest, highest, 8 if is_wide else 4)
        ],
        up=[Tick(up.at(value), f"{100 * value:g} %") for value in nice_ticks(0, most, 3)],
    )


def _range(means: NDArray[np.float64]) -> tuple[float, float]:
    lowest, highest = float(means.min()), float(means.max())
    return (lowest, highest) if highest > lowest else (lowest - 0.5, highest + 0.5)


def _share(values: NDArray[np.float64], edges: NDArray[np.float64]) -> NDArray[np.float64]:
    counts, __ = np.histogram(values, bins=edges)
    return np.asarray(counts / max(len(values), 1), dtype=np.float64)


def _outline(
    shares: NDArray[np.float64], edges: NDArray[np.float64], across: Scale, up: Scale, base: int
) -> str:
    points = [(across.at(float(edges[0])), float(base))]
    for place, share in enumerate(shares):
        y = up.at(float(share))
        points += [(across.at(float(edges[place])), y), (across.at(float(edges[place + 1])), y)]
    points.append((across.at(float(edges[-1])), float(base)))
    return " ".join(f"{x},{y}" for x, y in points)


def _bar(share: float, whole: float, ends: list[float], across: Scale, up: Scale, base: int) -> Bar:
    left, right = (across.at(end) for end in ends)
    room = (right - left) * GAP
    y = up.at(float(share))
    title = _(
        "{ends:.3f} to {ends_2:.3f}: {value:.1f} % of the sample, {value_2:.1f} % of the population"
    ).format(ends=ends[0], ends_2=ends[1], value=100 * share, value_2=100 * whole)
    wide = round(right - left - 2 * room, 1)
    return Bar(round(left + room, 1), y, wide, round(base - y, 1), title)
