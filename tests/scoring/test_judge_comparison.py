"""A judge beside people: each figure against one that is reckoned by hand or by a plain loop."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from scoring.judge.comparison import (
    calibrate,
    confuse,
    correlate_summaries,
    correlate_systems,
)

NAN = float("nan")
RNG = np.random.default_rng(3)
JUDGE = RNG.random((6, 8))
PEOPLE = 0.6 * JUDGE + 0.4 * RNG.random((6, 8))


def test_it_correlates_the_means_of_systems() -> None:
    found = correlate_systems(JUDGE, PEOPLE)
    means = JUDGE.mean(axis=1), PEOPLE.mean(axis=1)
    assert found.pearson == pytest.approx(np.corrcoef(*means)[0, 1])
    assert found.spearman == pytest.approx(stats.spearmanr(*means).statistic)
    assert found.kendall == pytest.approx(stats.kendalltau(*means).statistic)
    assert found.number == 6


def test_it_correlates_within_documents_and_averages() -> None:
    found = correlate_summaries(JUDGE, PEOPLE)
    plain = [np.corrcoef(JUDGE[:, place], PEOPLE[:, place])[0, 1] for place in range(8)]
    assert found.pearson == pytest.approx(np.mean(plain))
    assert found.number == 8


def test_it_leaves_out_what_one_side_lacks() -> None:
    holed = PEOPLE.copy()
    holed[0, :], holed[1, 0] = NAN, NAN
    found = correlate_systems(JUDGE, holed)
    first = [JUDGE[1, 1:].mean(), *JUDGE[2:].mean(axis=1)]
    second = [PEOPLE[1, 1:].mean(), *PEOPLE[2:].mean(axis=1)]
    assert found.pearson == pytest.approx(np.corrcoef(first, second)[0, 1])
    assert found.number == 5


def test_it_has_no_correlation_where_nothing_varies() -> None:
    flat = np.full((4, 2), 0.5)
    assert correlate_systems(flat, PEOPLE[:4, :2]).pearson is None
    assert correlate_summaries(flat, PEOPLE[:4, :2]).number == 0
    assert correlate_systems(JUDGE[:2], PEOPLE[:2]).kendall is None


def test_it_calibrates_by_bins() -> None:
    values = np.array([0.05, 0.15, 0.12, 0.95, 1.0])
    labels = np.array([0, 0, 1, 1, 1])
    found = calibrate(values, labels)
    assert [(row.low, row.number, row.share) for row in found.bins] == [
        (0.0, 1, 0.0),
        (0.1, 2, 0.5),
        (0.9, 2, 1.0),
    ]
    assert found.error == pytest.approx((0.05 + 2 * (0.5 - 0.135) + 2 * (1 - 0.975)) / 5)
    assert found.brier == pytest.approx(np.mean((values - labels) ** 2))
    assert calibrate(np.array([]), np.array([], dtype=int)).error is None


def test_it_counts_who_says_what() -> None:
    found = confuse(np.array([0.9, 0.51, 0.5, 0.1, 0.2]), np.array([1, 0, 1, 0, 0]))
    assert (found.both, found.judge_alone, found.people_alone, found.neither) == (1, 1, 1, 2)
    assert (found.accuracy, found.precision, found.recall) == (0.6, 0.5, 0.5)
    assert confuse(np.array([]), np.array([])).accuracy is None
