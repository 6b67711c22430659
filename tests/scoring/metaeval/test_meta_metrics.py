"""acc_eq, Soft Pairwise Accuracy, Pairwise Difference Pearson, and their chance levels."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from itertools import permutations as orders

import numpy as np
import pytest

from scoring.metaeval.clusters import pairwise_p_values
from scoring.metaeval.draws import Resampling
from scoring.metaeval.meta_metrics import (
    calibrate_ties,
    pairwise_difference_pearson,
    score_meta_metrics,
    soft_pairwise_accuracy,
)
from tests.scoring.metaeval import slow_reference
from tests.scoring.metaeval.studies import HUMAN, make_study, random_study


def tied_tables(seed=0, systems=6, documents=9, missing=0.0):
    """Presence scores, k / 8, as people and metrics give them: many of them tie."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=(systems, 1))
    tables = [
        np.clip(np.round(4 + quality + rng.normal(size=(systems, documents))), 0, 8) / 8
        for _ in range(2)
    ]
    gone = rng.random((systems, documents)) < missing
    tables[0][gone] = np.nan
    return tables


def test_acc_eq_by_hand():
    """People: A = B > C. The metric puts A .1 above B, B .4 above C.

    At 0: A–B is no tie for the metric (wrong), A–C and B–C are right: 2/3. At .1 A–B ties: all
    right. At .4 B–C ties as well (wrong): 2/3. At .5 all tie: only A–B is right: 1/3.
    """
    people = np.array([[0.5], [0.5], [0.25]])
    found = calibrate_ties(np.array([[0.75], [0.625], [0.25]]), people)
    assert (found.accuracy, found.epsilon, found.uncalibrated) == (1.0, 0.125, 2 / 3)
    assert found.human_ties == 1 / 3
    assert found.pairs == 3


@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize("seed", range(5))
def test_they_equal_the_formulas_written_out(seed, missing):
    metric, people = tied_tables(seed, missing=missing)
    ties = calibrate_ties(metric, people, shuffles=2)
    accuracy, epsilon = slow_reference.acc_eq(metric, people)
    assert ties.accuracy == pytest.approx(accuracy, abs=1e-9)
    assert ties.epsilon == epsilon
    assert ties.uncalibrated == pytest.approx(
        slow_reference.accuracy_at(metric, people, 0.0), abs=1e-9
    )
    assert pairwise_difference_pearson(metric, people) == pytest.approx(
        slow_reference.difference_pearson(metric, people), abs=1e-9
    )


@pytest.mark.parametrize("seed", range(3))
def test_soft_pairwise_accuracy_equals_a_loop_over_permutations(seed):
    metric, people = tied_tables(seed)
    spa, _ = soft_pairwise_accuracy(metric, people, permutations=60, seed=seed)
    expected = slow_reference.soft_pairwise_accuracy(metric, people, permutations=60, seed=seed)
    assert spa == pytest.approx(expected, abs=1e-9)


def fine_tables(seed, missing=0.0):
    """Human scores in halves, a metric in steps of 1/64: single precision holds both exactly."""
    metric, people = tied_tables(seed, systems=8, documents=40, missing=missing)
    steps = np.random.default_rng(seed + 100).integers(-6, 7, metric.shape)
    return metric + steps / 64, np.round(2 * people) / 2


# Printed by Google's mt-metrics-eval (pce.py at 1b47eab, tau_optimization.py at 0b82d96) for
# these tables: 1 − PCE with its own seed, acc23 and its threshold, and both with missing scores.
PRINTED = (
    (0, 0.8921071428571429, (0.6669642857142855, 0.796875), (0.6753571428571441, 0.796875)),
    (1, 0.8828928571428571, (0.6589285714285711, 0.6875), (0.6371428571428577, 0.75)),
    (2, 0.9253571428571429, (0.5705357142857143, 0.328125), (0.5732142857142862, 0.328125)),
    (3, 0.9141785714285714, (0.5508928571428569, 0.171875), (0.549761904761905, 0.375)),
)


@pytest.mark.parametrize(("seed", "spa", "complete", "gaps"), PRINTED)
def test_they_equal_what_mt_metrics_eval_prints(seed, spa, complete, gaps):
    metric, people = fine_tables(seed)
    assert soft_pairwise_accuracy(metric, people, seed=4)[0] == pytest.approx(spa, abs=1e-9)
    for tables, expected in (((metric, people), complete), (fine_tables(seed, 0.15), gaps)):
        found = calibrate_ties(*tables, shuffles=1)
        assert (found.accuracy, found.epsilon) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_p_values_equal_a_loop_over_pairs(missing):
    """Whole inputs are summed by system, others by pair; 1e6 is a level that rounds away digits."""
    scores = np.random.default_rng(4).random((5, 30)) + 1e6
    scores[np.random.default_rng(5).random(scores.shape) < missing] = np.nan
    first, second = pairwise_p_values(scores, permutations=70, seed=6)
    for place, (one, two) in enumerate(combinations(range(5), 2)):
        pair = np.nan_to_num(scores[one] - scores[two])
        for found, gap in ((first, pair), (second, -pair)):
            expected = slow_reference.p_value(gap, 0 * gap, permutations=70, seed=6)
            assert found[place] == pytest.approx(expected, abs=1e-9)


def test_p_values_by_hand():
    """Four inputs with differences 4, 2, 1 and 1: of the 16 sign patterns, 1 reaches the sum 8.

    With many permutations p comes close to 1/16 for the first and to 1 for the second.
    """
    scores = np.array([[4.0, 2.0, 1.0, 1.0], [0.0, 0.0, 0.0, 0.0]])
    (first,), (second,) = pairwise_p_values(scores, permutations=40_000, seed=1)
    assert first == pytest.approx(1 / 16, abs=0.005)
    assert second == 1.0


def test_equal_systems_have_p_1_both_ways():
    scores = np.tile(np.random.default_rng(0).random(20), (2, 1))
    assert [side.tolist() for side in pairwise_p_values(scores, permutations=50)] == [[1.0], [1.0]]


def test_a_pair_counts_inputs_that_both_systems_have():
    scores = np.random.default_rng(0).random((3, 12))
    scores[0, 6:], scores[2] = np.nan, np.nan
    first, _ = pairwise_p_values(scores, permutations=500, seed=2)
    assert not np.isnan(first[0])
    assert np.isnan(first[1:]).all()
    filled = np.where(np.arange(12) < 6, scores[:2], 0.0)
    assert first[0] == pairwise_p_values(filled, permutations=500, seed=2)[0][0]


def test_spa_of_chance_is_the_mean_over_all_orders_of_systems():
    metric, people = tied_tables(3, systems=4)
    _, chance = soft_pairwise_accuracy(metric, people, permutations=400, seed=0)
    means = [
        soft_pairwise_accuracy(metric[list(order)], people, permutations=400, seed=0)[0]
        for order in orders(range(4))
    ]
    assert chance == pytest.approx(np.mean(means), abs=1e-9)


def test_a_metric_of_noise_is_at_its_chance_levels():
    rng = np.random.default_rng(1)
    people = rng.integers(0, 4, size=(12, 300)) / 4
    study = make_study({HUMAN: people, "noise": rng.random((12, 300))})
    (row,) = score_meta_metrics(study, resampling=Resampling(resamples=200))
    assert row.acc_eq == pytest.approx(row.acc_eq_chance, abs=0.01)
    assert row.acc_eq_low < row.acc_eq < row.acc_eq_high
    assert row.pdp_low < row.pdp_chance == 0 < row.pdp_high


def test_chance_counts_what_calibration_wins_on_few_summaries():
    """Guessing without ties is right in (1 − ties) / 2 of pairs; the best threshold does better."""
    rng = np.random.default_rng(2)
    people = rng.integers(0, 4, size=(6, 5)) / 4
    found = calibrate_ties(rng.random((6, 5)), people, shuffles=200)
    assert (1 - found.human_ties) / 2 + 0.02 < found.chance < 0.6


def test_a_constant_metric_gets_the_share_of_ties():
    _, people = tied_tables()
    found = calibrate_ties(np.full(people.shape, 0.5), people)
    assert found.accuracy == pytest.approx(found.human_ties) == found.chance
    study = make_study({HUMAN: people, "flat": np.full(people.shape, 0.5)})
    (row,) = score_meta_metrics(study)
    assert np.isnan(row.pdp)


def test_people_against_themselves_are_perfect():
    _, people = tied_tables()
    (row,) = score_meta_metrics(make_study({HUMAN: people, "same": people}))
    assert (row.acc_eq, row.spa, row.epsilon) == (1.0, 1.0, 0.0)
    assert row.pdp == pytest.approx(1.0)
    assert row.cluster == row.cluster_holm == 1


def test_scale_of_a_metric_does_not_matter():
    study = random_study(missing=0.1)
    scaled = replace(study, scores={n: t if n == HUMAN else 4 * t for n, t in study.scores.items()})
    for one, two in zip(score_meta_metrics(study), score_meta_metrics(scaled), strict=True):
        assert 4 * one.epsilon == pytest.approx(two.epsilon)
        for name in ("acc_eq", "acc_eq_chance", "spa", "spa_chance", "pdp"):
            assert getattr(one, name) == pytest.approx(getattr(two, name))


def test_the_same_seed_gives_the_same_figures():
    study = random_study()
    one, two, other = (
        score_meta_metrics(study, resampling=Resampling(resamples=50, seed=seed))
        for seed in (0, 0, 1)
    )
    assert one == two != other


def test_without_a_pair_nothing_is_known():
    table = np.array([[0.5, np.nan], [np.nan, 0.25]])
    (row,) = score_meta_metrics(make_study({HUMAN: table, "m": table}))
    assert (row.pairs, row.inputs, row.cluster) == (0, 0, 0)
    assert np.isnan([row.acc_eq, row.spa, row.pdp]).all()
