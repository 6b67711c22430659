"""Plots of curves and plans: where things lie, and that no name lies on another."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from annotation.evaluation.planning.charts import APART, draw_curve_chart, draw_frontier
from scoring.figures.scale import NARROW, WIDE

PERCENTAGES = [0, 50, 100]


def row(order: str, *values: float | None, band: bool = False) -> dict[str, Any]:
    low, high = ([0.7, 0.7, 0.7], [0.9, 0.9, 0.9]) if band else ([], [])
    return {"order": order, "words": order, "values": list(values), "low": low, "high": high}


def plan(key: str, money: str, **figures: float) -> dict[str, Any]:
    found = {"key": key, "money": money, "hours": 1.0}
    for name in ("width", "correlation", "power"):
        value = figures.get(name, 0.5)
        found |= {name: value, f"{name}_low": value - 0.1, f"{name}_high": value + 0.1}
    return found


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_it_draws_percentages_across_and_correlation_up(width: int) -> None:
    chart = draw_curve_chart([row("oracle", 1.0, 0.9, 0.8)], PERCENTAGES, width)
    assert chart is not None
    points = [tuple(map(float, point.split(","))) for point in chart.lines[0].path.split()]
    assert [x for x, _ in points] == [chart.left, (chart.left + chart.right) / 2, chart.right]
    assert points[0][1] < points[1][1] < points[2][1]
    assert all(chart.top <= y <= chart.base for _, y in points)
    assert [tick.label for tick in chart.across] == ["0", "20", "40", "60", "80", "100"]


def test_it_draws_the_band_of_random_orders() -> None:
    chart = draw_curve_chart([row("random", 0.8, 0.8, 0.8, band=True)], PERCENTAGES)
    assert chart is not None
    assert len(chart.band.split()) == 6
    bare = draw_curve_chart([row("oracle", 0.8, 0.8, 0.8)], PERCENTAGES)
    assert bare is not None
    assert bare.band == ""


@pytest.mark.parametrize("end", [0.1, 0.5, 1.0])
def test_it_keeps_names_apart(end: float) -> None:
    """All curves end in one point, which may be at the very top or bottom."""
    rows = [row(str(place), 0.2, place / 10, end) for place in range(5)]
    chart = draw_curve_chart([*rows, row("random", 0.0, 0.5, end)], PERCENTAGES)
    assert chart is not None
    places = [line.label_y for line in chart.lines]
    gaps = {round(b - a, 1) for a, b in pairwise(places)}
    assert gaps == {APART}
    assert chart.top <= places[0]
    assert places[-1] <= chart.base
    # The highest curve's name stands on top.
    assert chart.lines[-1].name == "0"


def test_it_draws_around_what_can_not_be_told() -> None:
    chart = draw_curve_chart(
        [row("oracle", 1.0, None, 0.8), row("reverse", None, None, None)], PERCENTAGES
    )
    assert chart is not None
    assert {line.order: len(line.path.split()) for line in chart.lines} == {
        "oracle": 2,
        "reverse": 0,
    }
    assert draw_curve_chart([row("oracle", None, None, None)], PERCENTAGES) is None


def test_it_draws_plans_by_money() -> None:
    plans = [plan("a", "0", width=0.4), plan("b", "50", width=0.2), plan("c", "100", width=0.3)]
    chart = draw_frontier(plans, "width", best="b", chosen="c", goal=0.25)
    assert chart is not None
    a, b, c = chart.points
    assert a.x < b.x < c.x
    assert (b.is_best, c.is_chosen, c.at_end, a.at_end) == (True, True, True, False)
    # Wide intervals lie high; the edge is what money buys at best.
    assert a.y < c.y < b.y
    assert chart.path == f"{a.x},{a.y} {b.x},{b.y}"
    assert chart.goal is not None
    assert a.y < chart.goal < b.y
    assert all(point.y2 < point.y < point.y1 for point in chart.points)


def test_it_draws_what_is_better_upwards() -> None:
    plans = [plan("a", "0", power=0.4), plan("b", "50", power=0.6), plan("c", "100", power=0.5)]
    chart = draw_frontier(plans, "power", width=NARROW)
    assert chart is not None
    a, b, _ = chart.points
    assert chart.path == f"{a.x},{a.y} {b.x},{b.y}"
    assert chart.goal is None


def test_it_draws_free_plans() -> None:
    chart = draw_frontier([plan("a", "0.0000")], "correlation")
    assert chart is not None
    assert chart.points[0].x == chart.left + 12
    assert draw_frontier([], "width") is None
