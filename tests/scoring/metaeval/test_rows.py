"""Correlations of many rows at once, against scipy and by hand."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from scoring.metaeval.correlation import MEASURES as ONE_BY_ONE
from scoring.metaeval.rows import MEASURES, correlate_rows, is_constant, signs_of, steps

SCIPY = {
    "pearson": scipy.stats.pearsonr,
    "spearman": scipy.stats.spearmanr,
    "kendall": scipy.stats.kendalltau,
}
# Few values, so that ties are common.
rows = st.lists(st.integers(0, 4), min_size=5, max_size=5)


@given(st.lists(rows, min_size=1, max_size=4), rows)
def test_it_agrees_with_scipy_row_by_row(first, second):
    one, two = np.array(first, dtype=float), np.array(second, dtype=float)
    found = correlate_rows(one, two)
    for place, row in enumerate(one):
        for name in MEASURES:
            if np.ptp(row) == 0 or np.ptp(two) == 0:
                assert np.isnan(found[name][place])
            else:
                expected = SCIPY[name](row, two)[0]
                assert found[name][place] == pytest.approx(expected, abs=1e-12)


@given(rows, rows)
def test_it_agrees_with_the_measures_of_two_vectors(first, second):
    one, two = np.array(first, dtype=float), np.array(second, dtype=float)
    found = correlate_rows(one, two)
    for name, correlate in ONE_BY_ONE.items():
        assert float(found[name]) == pytest.approx(correlate(one, two), abs=1e-12, nan_ok=True)


@given(rows, rows, st.floats(0.1, 100), st.floats(-10, 10))
def test_it_knows_neither_scale_nor_origin(first, second, scale, origin):
    one, two = np.array(first, dtype=float), np.array(second, dtype=float)
    plain, moved = correlate_rows(one, two), correlate_rows(one * scale + origin, two)
    for name in MEASURES:
        assert float(moved[name]) == pytest.approx(float(plain[name]), abs=1e-9, nan_ok=True)


def test_it_counts_pairs_by_hand():
    """1 2 3 4 against 1 3 2 4: five pairs of six in order; ranks differ by 1 twice."""
    found = correlate_rows(np.array([1.0, 2, 3, 4]), np.array([1.0, 3, 2, 4]))
    assert float(found["kendall"]) == pytest.approx(4 / 6)
    assert float(found["spearman"]) == pytest.approx(1 - 6 * 2 / (4 * 15))
    assert float(found["pearson"]) == pytest.approx(0.8)


def test_it_leaves_missing_places_out_of_both_rows():
    gap = np.nan
    one = np.array([[1.0, 2, gap, 4, 5], [1, 2, 3, 4, 5]])
    two = np.array([2.0, 1, 7, gap, 9])
    found = correlate_rows(one, two)
    for name in MEASURES:
        assert found[name][0] == pytest.approx(SCIPY[name]([1, 2, 5], [2, 1, 9])[0])
        assert found[name][1] == pytest.approx(SCIPY[name]([1, 2, 3, 5], [2, 1, 7, 9])[0])


def test_it_broadcasts_one_row_against_many():
    rng = np.random.default_rng(0)
    many, one = rng.normal(size=(3, 4, 6)), rng.normal(size=(3, 1, 6))
    for values in correlate_rows(many, one).values():
        assert values.shape == (3, 4)


def test_means_that_differ_by_rounding_are_tied():
    values = np.array([0.1 + 0.2, 0.3, 0.5])
    assert values[0] != values[1]
    assert signs_of(values).tolist() == [0, -1, -1]
    assert signs_of(values, 0.0).tolist() == [1, -1, -1]


def test_a_tie_grows_with_the_size_of_the_values():
    large = np.array([1e9, 1e9 + 1e-6, 1e9 + 1])
    assert signs_of(large).tolist() == [0, -1, -1]


def test_very_small_values_correlate():
    tiny = np.array([1.0, 2, 4]) * 1e-11
    assert float(correlate_rows(tiny, np.array([1.0, 2, 4]))["pearson"]) == pytest.approx(1)


@pytest.mark.parametrize("row", [[], [1.0], [2.0, 2.0], [0.3, 0.1 + 0.2], [np.nan, 1.0]])
def test_a_row_without_two_values_is_constant(row):
    assert is_constant(np.array(row, dtype=float))


def test_it_refuses_rows_of_unlike_length():
    with pytest.raises(ValueError, match="Rows of 3 and 2 values"):
        correlate_rows(np.zeros(3), np.zeros(2))


def test_an_unknown_measure_lists_the_known():
    with pytest.raises(ValueError, match="'cosine'. Known: pearson, spearman, kendall"):
        correlate_rows(np.zeros(3), np.zeros(3), ["cosine"])


@given(st.integers(0, 40), st.integers(0, 3_000_000))
def test_steps_cover_everything_once(total, cells):
    found = [place for part in steps(total, cells) for place in range(part.start, part.stop)]
    assert found == list(range(total))
