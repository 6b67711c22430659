"""Scales, round ticks, and names that stand apart."""

from __future__ import annotations

from itertools import pairwise

import pytest

from scoring.figures.scale import Scale, nice_ticks, shorten, spread, widened


@pytest.mark.parametrize(
    "lowest, highest, wanted, expected",
    [
        (0.26, 0.58, 6, [0.3, 0.4, 0.5]),
        (0.0, 1.0, 6, [0, 0.2, 0.4, 0.6, 0.8, 1.0]),
        (0.0, 1.0, 3, [0, 0.5, 1.0]),
        (0.1, 0.3, 3, [0.1, 0.2, 0.3]),
    ],
)
def test_it_marks_round_numbers(lowest: float, highest: float, wanted: int, expected: list[float]):
    assert nice_ticks(lowest, highest, wanted) == expected


def test_it_shortens_with_a_mark():
    assert shorten(["short", "longer"], 5) == ["short", "long…"]


def test_names_that_differ_stay_different():
    names = ["bertscore-large f1", "bertscore-large recall", "bertscore-small f1", "rouge"]
    cut = shorten(names, 10)
    assert all(len(each) <= 10 for each in cut)
    assert len(set(cut)) == 4
    assert shorten(["same name here"] * 2, 8) == ["same na…"] * 2
    middle = [f"{'a' * 9}{letter}{'b' * 9}" for letter in "xyz"]
    assert len(set(shorten(middle, 8))) == 3


def test_it_lays_values_between_edges():
    scale = Scale(0, 2, 10, 110)
    assert [scale.at(value) for value in (0, 1, 2)] == [10, 60, 110]
    assert Scale(0, 1, 100, 0).at(0.25) == 75
    assert Scale(3, 3, 10, 110).at(3) == 10


def test_it_leaves_room_at_the_ends():
    lowest, highest = widened([0.2, 0.8])
    assert lowest < 0.2 < 0.8 < highest
    low, high = widened([0.5])
    assert low < 0.5 < high
    assert widened([1.0, 1.0]) == (0.95, 1.05)


@pytest.mark.parametrize(
    "wanted, expected",
    [
        ([10, 50, 90], [10, 50, 90]),
        ([50, 50, 50], [35, 50, 65]),
        ([50, 20, 52], [43.5, 20, 58.5]),
        ([0, 1], [0, 15]),
        ([99, 100], [85, 100]),
        ([], []),
    ],
)
def test_it_sets_names_apart(wanted: list[float], expected: list[float]):
    assert spread(wanted, 15, 0, 100) == expected


def test_it_keeps_names_apart_when_pushed_by_others():
    found = sorted(spread([10, 22, 34, 46, 58, 59, 60], 15, 0, 200))
    gaps = [second - first for first, second in pairwise(found)]
    assert min(gaps) >= 14.9
