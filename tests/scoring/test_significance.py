"""Intervals of system scores, and pairs of systems compared."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import stats

from scoring.multiplicity import holm
from scoring.pyramid import ScoreTable
from scoring.significance import bootstrap_means, compare_systems, enough_samples, mean_intervals

NAN = float("nan")


def table(*rows):
    scores = np.array(rows, dtype=float)
    systems = [f"s{code}" for code in range(len(rows))]
    return ScoreTable(systems, [str(code) for code in range(scores.shape[1])], scores, "")


def noisy(*means, documents=60, seed=0):
    rng = np.random.default_rng(seed)
    return table(*(rng.normal(mean, 0.2, size=documents) for mean in means))


def test_it_bounds_a_mean_as_theory_says():
    found = mean_intervals(noisy(0.5, documents=400), samples=4000)
    scores = noisy(0.5, documents=400).scores[0]
    half = 1.96 * scores.std() / 20
    assert found[0] == pytest.approx([scores.mean() - half, scores.mean() + half], abs=0.002)


def test_it_draws_the_same_documents_for_every_system():
    scores = noisy(0.4).scores[0]
    drawn = bootstrap_means(table(scores, scores + 0.1), samples=50)
    assert np.allclose(drawn[:, 1] - drawn[:, 0], 0.1)


def test_it_repeats_by_its_seed():
    first = noisy(0.4, 0.5)
    assert (mean_intervals(first, seed=1) == mean_intervals(first, seed=1)).all()
    assert (mean_intervals(first, seed=1) != mean_intervals(first, seed=2)).any()
    assert compare_systems(first, samples=99, seed=1) == compare_systems(first, samples=99, seed=1)


def test_it_leaves_missing_scores_out():
    found = mean_intervals(table([0.5, 0.5, NAN], [NAN, NAN, NAN]), samples=200)
    assert found[0].tolist() == [0.5, 0.5]
    assert np.isnan(found[1]).all()
    assert np.isnan(mean_intervals(noisy(0.4), samples=0)).all()


def test_it_has_the_p_value_of_every_swap():
    """With six documents all 64 swaps can be written down."""
    differences = np.array([0.3, 0.1, -0.05, 0.2, 0.15, 0.02])
    seen = abs(differences.sum())
    swaps = [abs(np.dot(signs, differences)) >= seen - 1e-9 for signs in product((1, -1), repeat=6)]
    [pair] = compare_systems(table(differences, np.zeros(6)), samples=20_000)
    assert pair.p_permutation == pytest.approx(np.mean(swaps), abs=0.01)


def test_it_has_the_p_value_of_a_paired_bootstrap():
    differences = np.array([0.3, 0.1, -0.05, 0.2, -0.15, 0.02, -0.2])
    rng = np.random.default_rng(0)
    drawn = differences[rng.integers(7, size=(20_000, 7))].mean(axis=1)
    [pair] = compare_systems(table(differences, np.zeros(7)), samples=20_000)
    # 7 documents: the tails of t with 6 degrees of freedom (Hesterberg 2015, §6.1).
    share = min((drawn <= 0).mean(), (drawn >= 0).mean())
    narrow = stats.norm.ppf(share) * np.sqrt(6 / 7)
    assert pair.p_bootstrap == pytest.approx(2 * stats.t.cdf(narrow, 6), abs=0.02)
    tail = stats.norm.cdf(-np.sqrt(7 / 6) * stats.t.ppf(0.975, 6))
    assert [pair.low, pair.high] == pytest.approx(np.quantile(drawn, [tail, 1 - tail]), abs=0.015)


@pytest.mark.parametrize("shift", [0.04, 0.05, 0.06, 0.07])
def test_an_interval_without_0_is_a_p_below_5_percent(shift: float):
    rng = np.random.default_rng(2)
    [pair] = compare_systems(table(rng.normal(shift, 0.1, 12), np.zeros(12)), samples=20_000)
    assert (pair.low > 0) == (pair.p_bootstrap < 0.05)


def test_it_finds_no_difference_between_equals():
    scores = noisy(0.4).scores[0]
    [pair] = compare_systems(table(scores, scores), samples=200)
    assert (pair.difference, pair.p_bootstrap, pair.p_permutation) == (0, 1, 1)


def test_it_finds_a_clear_difference_and_corrects_for_all_pairs():
    found = compare_systems(noisy(0.1, 0.5, 0.52))
    assert [(pair.first, pair.second) for pair in found] == [
        ("s0", "s1"),
        ("s0", "s2"),
        ("s1", "s2"),
    ]
    assert all(pair.p_permutation_holm < 0.01 for pair in found[:2])
    assert all(pair.p_bootstrap_holm < 0.01 for pair in found[:2])
    assert found[2].p_permutation_holm > 0.05
    for name in ("p_bootstrap", "p_permutation"):
        corrected = [getattr(pair, f"{name}_holm") for pair in found]
        assert corrected == holm([getattr(pair, name) for pair in found]).tolist()


def test_the_effect_is_cohens_d_of_paired_scores():
    [pair] = compare_systems(table([0.5, 0.4, 0.9, NAN], [0.2, 0.3, 0.5, 0.1]), samples=50)
    # Differences .3, .1 and .4: mean .26667, standard deviation .15275.
    assert pair.effect == pytest.approx(1.74574, abs=1e-5)
    [pair] = compare_systems(table([0.5, 0.5], [0.2, 0.2]), samples=50)
    assert np.isnan(pair.effect)


def test_seeds_agree_on_settled_verdicts():
    """300 pairs: with 10,000 swaps the smallest p after Holm was .03."""
    scores = noisy(*np.linspace(0.3, 0.6, 25), documents=100)
    rows = [compare_systems(scores, samples=50, seed=seed) for seed in (0, 1)]
    for one, two in zip(*rows, strict=True):
        assert one.p_low <= one.p_permutation <= one.p_high
        same = (one.p_permutation_holm <= 0.05) == (two.p_permutation_holm <= 0.05)
        assert same or not (one.is_settled and two.is_settled)
    assert min(pair.p_permutation_holm for pair in rows[0]) < 1e-6
    assert np.mean([pair.is_settled for pair in rows[0]]) > 0.9


def test_a_ceiling_is_never_below_the_p_value_of_all_swaps():
    """Hoeffding's bound on six documents, whose 64 swaps can be written down."""
    rng = np.random.default_rng(3)
    for _ in range(50):
        differences = rng.normal(0.3, 0.3, size=6)
        signs = np.array(list(product((1, -1), repeat=6)))
        truth = np.mean(np.abs(signs @ differences) >= abs(differences.sum()) - 1e-9)
        [pair] = compare_systems(table(differences, np.zeros(6)), samples=50)
        assert pair.p_low <= truth <= pair.p_high


def test_it_compares_on_shared_documents_alone():
    found = compare_systems(table([1, 0, NAN, 1], [0, 0, 1, NAN], [NAN] * 4), samples=100)
    assert len(found) == 1
    assert (found[0].documents, found[0].difference) == (2, 0.5)


def test_it_rejects_as_rarely_as_it_promises():
    """Of pairs that do not differ, about one in twenty looks as if it did."""
    tables = (noisy(0.5, 0.5, documents=40, seed=seed) for seed in range(200))
    found = [compare_systems(one, samples=400)[0] for one in tables]
    assert 0.01 < np.mean([pair.p_permutation <= 0.05 for pair in found]) < 0.1
    assert 0.01 < np.mean([pair.p_bootstrap <= 0.05 for pair in found]) < 0.1


@pytest.mark.parametrize("pairs", [1, 45, 300, 5000])
def test_it_draws_enough_for_holm(pairs):
    assert 2 * pairs / (enough_samples(pairs) + 1) < 0.05


def test_it_has_nothing_to_compare_in_one_system():
    assert compare_systems(noisy(0.4)) == []
    with pytest.raises(ValueError, match="at least 1 sample"):
        compare_systems(noisy(0.4, 0.5), samples=0)
