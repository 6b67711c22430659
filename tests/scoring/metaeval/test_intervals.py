"""Bounds from resamples, and Fisher's."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from scoring.metaeval.intervals import (
    ALL_ABOVE,
    ALL_BELOW,
    NO_SPREAD,
    TOO_FAR,
    bca_interval,
    fisher_interval,
    percentile_interval,
)


def test_percentiles_are_interpolated():
    drawn = np.arange(101, dtype=float)
    assert percentile_interval(drawn) == pytest.approx((2.5, 97.5))
    assert percentile_interval(drawn, 0.8) == pytest.approx((10, 90))


def test_nothing_drawn_is_nothing_known():
    assert all(map(math.isnan, percentile_interval(np.array([]))))
    assert all(map(math.isnan, bca_interval(np.array([]), 0.5, [np.arange(3.0)])[:2]))


def test_bca_is_the_percentiles_where_nothing_leans():
    """The value is the median of resamples, and the jackknife is symmetrical."""
    drawn = np.arange(-50, 51, dtype=float)
    left = [np.array([-1.0, 0, 1])]
    *bounds, note = bca_interval(drawn, 0.0, left)
    assert bounds == pytest.approx(percentile_interval(drawn))
    assert note == ""


def test_bca_moves_towards_a_value_above_the_resamples():
    drawn = np.random.default_rng(0).normal(size=2000)
    low, high, _ = bca_interval(drawn, 0.5, [np.array([-1.0, 0, 1])])
    plain_low, plain_high = percentile_interval(drawn)
    assert low > plain_low
    assert high > plain_high


def test_bca_agrees_with_scipy_on_the_same_resamples():
    """A mean of skewed values, resampled as scipy does it from the same generator."""
    values = np.random.default_rng(1).exponential(size=40)
    theirs = scipy.stats.bootstrap(
        (values,),
        np.mean,
        n_resamples=999,
        method="BCa",
        rng=np.random.default_rng(2),
    )
    left = [np.array([np.delete(values, place).mean() for place in range(40)])]
    low, high, _ = bca_interval(theirs.bootstrap_distribution, float(values.mean()), left)
    assert low == pytest.approx(theirs.confidence_interval.low, abs=2e-3)
    assert high == pytest.approx(theirs.confidence_interval.high, abs=2e-3)


@pytest.mark.parametrize(
    "value, left, note",
    [
        (5.0, [np.array([1.0, 2, 3])], ALL_BELOW),
        (-5.0, [np.array([1.0, 2, 3])], ALL_ABOVE),
        (0.0, [np.ones(3)], NO_SPREAD),
        (0.97, [np.array([-1.0, 0, 1])], TOO_FAR),
    ],
)
def test_bca_falls_back_to_percentiles_and_says_why(value, left, note):
    drawn = np.linspace(-1, 1, 99)
    *bounds, found = bca_interval(drawn, value, left)
    assert found == note
    assert bounds == list(percentile_interval(drawn))


def test_bca_of_nothing_is_nothing():
    *bounds, note = bca_interval(np.linspace(-1, 1, 9), math.nan, [np.ones(3)])
    assert all(map(math.isnan, bounds))
    assert note


def test_fisher_is_scipys_for_pearson():
    rng = np.random.default_rng(0)
    one = rng.normal(size=25)
    found = scipy.stats.pearsonr(one, one + rng.normal(size=25))
    expected = found.confidence_interval(0.95)
    assert fisher_interval(found.statistic, 25, "pearson") == pytest.approx(tuple(expected))


def test_fisher_has_its_own_width_for_ranks():
    """Bonett & Wright: 1 + r² / 2 over n − 3 for Spearman, .437 over n − 4 for Kendall."""
    reach = 1.959963985 * math.sqrt(1 + 0.5**2 / 2) / math.sqrt(17)
    assert fisher_interval(0.5, 20, "spearman")[1] == pytest.approx(
        math.tanh(math.atanh(0.5) + reach)
    )
    reach = 1.959963985 * math.sqrt(0.437) / 4
    assert fisher_interval(0.5, 20, "kendall")[0] == pytest.approx(
        math.tanh(math.atanh(0.5) - reach)
    )


@given(st.floats(-0.99, 0.99), st.integers(5, 200), st.sampled_from(["pearson", "kendall"]))
def test_fisher_holds_the_value(value, count, measure):
    low, high = fisher_interval(value, count, measure)
    assert -1 <= low < value < high <= 1


@pytest.mark.parametrize("value, count", [(0.5, 3), (1.0, 20), (math.nan, 20)])
def test_fisher_says_nothing_where_it_does_not_apply(value, count):
    assert all(map(math.isnan, fisher_interval(value, count, "pearson")))
