"""Agreement of judgements."""

from __future__ import annotations

import krippendorff
import numpy as np
import pytest

from scoring.aggregation import measure_agreement, nominal_alpha


def counts(*rows):
    return np.array(rows, dtype=np.int64)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([(0, 4), (4, 0), (0, 4)], 1.0),
        # By hand: observed 3.2 of 20 pairs, expected 2 * 13 * 7 / (20 * 19).
        ([(0, 4), (1, 3), (4, 0), (2, 2), (0, 4)], 1 - (3 / 3 + 4 / 3) * 2 / 20 / (182 / 380)),
    ],
)
def test_it_agrees_with_arithmetic(rows, expected):
    assert measure_agreement(counts(*rows)).alpha == pytest.approx(expected)


def test_it_leaves_missing_answers_missing():
    """Two of four people answered everything alike: that is full agreement."""
    ratings = np.array([[1, 0, 1, 0], [1, 0, 1, 0], [np.nan] * 4, [np.nan] * 4])
    alpha = krippendorff.alpha(ratings, level_of_measurement="nominal")
    assert measure_agreement(counts((0, 2), (2, 0), (0, 2), (2, 0))).alpha == alpha == 1.0


def test_it_leaves_out_statements_with_one_answer():
    with_single = measure_agreement(counts((0, 4), (4, 0), (1, 0)))
    assert with_single == measure_agreement(counts((0, 4), (4, 0)))


def test_it_says_when_agreement_cannot_be_told():
    assert measure_agreement(counts((1, 0), (0, 1))).alpha is None


def test_it_calls_no_variation_full_agreement():
    assert measure_agreement(counts((0, 4), (0, 3))).alpha == 1.0


def test_it_gives_an_interval_around_alpha_that_a_seed_repeats():
    drawn = np.random.default_rng(7).multinomial(4, [0.3, 0.7], size=200)
    noise = np.where(np.arange(200)[:, None] % 3 == 0, drawn, [[0, 4]])
    found = measure_agreement(noise, seed=1)
    assert found.low is not None
    assert found.high is not None
    assert found.low < nominal_alpha(noise) < found.high
    assert found == measure_agreement(noise, seed=1)
    assert found.alpha == nominal_alpha(noise)
