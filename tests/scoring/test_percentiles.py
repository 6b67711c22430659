"""Percentiles widened for few resampled things."""

import numpy as np
import pytest
from scipy import stats

from scoring.percentiles import middle, tails


def test_the_tails_are_those_of_a_t_interval():
    """Hesterberg's table 2015: n = 10 asks for 0.9 % on each side in place of 2.5 %."""
    low, high = tails(10)
    assert low == pytest.approx(stats.norm.cdf(-np.sqrt(10 / 9) * stats.t.ppf(0.975, 9)))
    assert round(low, 4) == 0.0086
    assert low == pytest.approx(1 - high)


def test_many_things_have_the_plain_percentiles():
    assert tails(1_000_000) == pytest.approx((0.025, 0.975), abs=1e-6)


def test_one_thing_has_everything_between():
    assert tails(1) == (0.0, 1.0)


def test_the_middle_is_of_known_figures():
    drawn = np.array([[1.0, np.nan], [2, 5], [3, 6], [4, 7]])
    assert middle(drawn, 1).T.tolist() == [[1, 4], [5, 7]]
