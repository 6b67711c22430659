"""Plots of a run: every mark inside its picture, and where its figure says."""

from __future__ import annotations

import pytest

from annotation.evaluation.labels.scores import ScoreRow
from annotation.evaluation.runs.charts import SMALL_SQUARE, SQUARE, draw_beside, draw_calibration
from annotation.evaluation.templatetags.run_words import lasting
from scoring.figures.scale import NARROW, WIDE


def row(system: str, score: float | None, spread: float = 0.1) -> ScoreRow:
    known = score is not None
    low, high = ((score or 0) - spread, (score or 0) + spread) if known else (None, None)
    return ScoreRow(system, "other", score, low, high, 3, 1 if known else 0)


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_it_draws_judge_and_people_on_one_scale(width: int) -> None:
    rows = [row("a-system-with-a-name" * 3, 0.7), row("b", 0.4), row("c", None)]
    chart = draw_beside(rows, {"b": row("b", 0.1)}, width)
    assert chart is not None
    first, second = chart.lines
    assert (first.people, second.people and second.people.score) == (None, 0.1)
    assert first.judge.x > second.judge.x > (second.people.x if second.people else 0)
    assert second.people is not None
    assert second.judge.y < second.y < second.people.y
    spots = [first.judge, second.judge, second.people]
    assert all(chart.left <= spot.x1 <= spot.x <= spot.x2 <= chart.right for spot in spots)
    assert len(first.label) * 5 < chart.left


def test_it_draws_nothing_without_a_score() -> None:
    assert draw_beside([row("a", None)], {}) is None
    assert draw_calibration([]) is None


@pytest.mark.parametrize("size", [SQUARE, SMALL_SQUARE])
def test_it_puts_agreement_on_the_diagonal(size: int) -> None:
    bins = [
        {"units": 100, "predicted": 0, "observed": 0},
        {"units": 1, "predicted": 1, "observed": 1},
    ]
    chart = draw_calibration(bins, size)
    assert chart is not None
    first, last = chart.dots
    assert (first.x, first.y) == (chart.left, chart.base)
    assert (last.x, last.y) == (chart.right, chart.top)
    assert first.r > last.r > 0
    assert chart.path == f"{first.x},{first.y} {last.x},{last.y}"


@pytest.mark.parametrize(
    "seconds, words",
    [(0.2, "1 s"), (89, "89 s"), (120, "2 min"), (5500, "1.5 h"), (90_000, "25 h")],
)
def test_it_says_how_long(seconds: float, words: str) -> None:
    assert lasting(seconds) == words
