"""The plot of a sample against its population."""

from __future__ import annotations

import numpy as np
import pytest

from annotation.evaluation.samples.queries import SourcePopulation
from annotation.evaluation.samples.views import draw_distribution
from scoring.figures.scale import NARROW, WIDE
from scoring.sampling import compare_distributions


def make(means: list[float], chosen: list[int]) -> SourcePopulation:
    values = np.array(means)
    some = np.isin(np.arange(len(means)), chosen)
    return SourcePopulation({}, values, some, [0.5], [], compare_distributions(values, some, "a"))


@pytest.mark.parametrize(("width", "intervals"), [(WIDE, 24), (NARROW, 12)])
def test_it_draws_population_sample_and_cuts(width: int, intervals: int):
    chart = draw_distribution(make([0, 0, 0.5, 1], [0, 3]), width)
    points = [[float(part) for part in pair.split(",")] for pair in chart.area.split()]
    assert len(points) == 2 * intervals + 2
    assert points[0] == [chart.left, chart.base]
    assert points[-1] == [chart.right, chart.base]
    first, last = chart.bars
    # Half of the sample lies in the first interval, and half in the last.
    assert first.height == last.height == chart.base - chart.top
    assert first.x > chart.left
    assert last.x + last.width < chart.right
    assert "50.0 % of the sample, 50.0 % of the population" in first.title
    assert "50.0 % of the sample, 25.0 % of the population" in last.title
    assert chart.cuts == [(chart.left + chart.right) / 2]


def test_it_draws_a_population_that_is_all_alike():
    chart = draw_distribution(make([0.3, 0.3], [0]))
    assert len(chart.bars) == 1
    assert chart.left < chart.bars[0].x < chart.right


def test_it_draws_an_empty_sample():
    assert draw_distribution(make([0, 1], [])).bars == []
