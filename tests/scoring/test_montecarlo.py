"""As many random swaps as settle a verdict."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from scoring.montecarlo import ALONE, BH, HOLM, bound_p, limit_swaps, settle_tests
from scoring.multiplicity import holm


def counting(p_values, seed=0):
    """Tests whose true p values are known."""
    rng = np.random.default_rng(seed)
    truth = np.asarray(p_values, dtype=float)
    return lambda active, number: rng.binomial(number, truth[active])


def test_bounds_are_clopper_and_pearsons():
    low, high = bound_p([0, 3, 20], [20, 20, 20], 0.05)
    for at, found in enumerate((0, 3, 20)):
        expected = scipy.stats.binomtest(found, 20).proportion_ci(0.95, method="exact")
        assert (low[at], high[at]) == pytest.approx((expected.low, expected.high))


def test_a_clear_verdict_takes_the_first_look_only():
    found = settle_tests(counting([0.5, 0.9]), 2)
    assert found.swaps.tolist() == [1000, 1000]
    assert not any(part.any() for part in found.unsettled.values())


def test_a_small_p_passes_the_correction_of_many_tests():
    """With 91 tests and 1,000 swaps the smallest p after Holm would be .09."""
    truth = np.full(91, 1e-7)
    truth[:50] = 0.5
    found = settle_tests(counting(truth), 91)
    assert (holm(found.p)[50:] <= 0.05).all()
    assert not found.unsettled[HOLM].any()
    assert found.swaps[:50].max() < found.swaps[50:].min()


def test_a_verdict_on_the_threshold_is_named_and_not_given():
    found = settle_tests(counting([0.05, 0.5, 1e-6]), 3, most=5000)
    assert found.list_unsettled(0) == (ALONE,)
    assert found.list_unsettled(1) == ()
    found = settle_tests(counting([0.025, 0.5]), 2, most=5000)
    assert found.list_unsettled(0) == (HOLM, BH)
    assert found.swaps.tolist() == [5000, 1000]


def test_settled_verdicts_are_those_of_the_true_p_values():
    """Of 200 sets of tests, at most 1 % may have a settled verdict that is wrong."""
    rng, wrong = np.random.default_rng(7), 0
    for seed in range(200):
        truth = rng.random(12) ** 4
        found = settle_tests(counting(truth, seed), 12, most=20_000)
        wrong += any(
            ((correct(truth) <= 0.05) != (correct(found.p) <= 0.05))[~found.unsettled[name]].any()
            for name, correct in ((ALONE, np.asarray), (HOLM, holm))
        )
    assert wrong <= 4


def test_a_ceiling_saves_swaps():
    found = settle_tests(counting([1e-12]), 1, ceiling=np.array([1e-9]))
    assert found.swaps.tolist() == [0]
    assert found.p.tolist() == [1e-9]


def test_the_limit_grows_with_the_tests():
    assert limit_swaps(1) == 100_000
    # So that p below .05 / 435 can be shown.
    assert bound_p([0], [limit_swaps(435)], 1e-6)[1][0] < 0.05 / 435
    with pytest.raises(ValueError, match="at least 1 permutation"):
        settle_tests(counting([0.5]), 1, most=0)
