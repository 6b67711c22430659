"""Held-out figures of a judge."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from scoring.judge.held_out import Confusion, HeldOutRecord, evaluate_held_out


def record(document, system, labels, presence, fold="", weights=()):
    return HeldOutRecord(document, system, labels, presence, weights, fold)


@pytest.fixture
def study():
    """4 documents × 5 systems in 2 folds by documents."""
    rng = np.random.default_rng(3)
    found = []
    for place, document in enumerate("abcd"):
        for system in range(5):
            labels = rng.integers(2, size=6).tolist()
            presence = np.clip(rng.random(6) * 0.7 + 0.3 * np.array(labels), 0, 1).tolist()
            found.append(record(document, f"s{system}", labels, presence, f"fold{place // 2}"))
    return found


def scores(records):
    human = np.array([np.mean(row.labels) for row in records]).reshape(-1, 5)
    judge = np.array([np.mean(row.presence) for row in records]).reshape(-1, 5)
    return human, judge


@pytest.mark.parametrize(
    "name, theirs",
    [
        ("pearson", stats.pearsonr),
        ("spearman", stats.spearmanr),
        ("kendall", stats.kendalltau),
    ],
)
def test_it_correlates_at_both_levels(study, name, theirs):
    found = evaluate_held_out(study)
    human, judge = scores(study)
    by_document = [theirs(*pair).statistic for pair in zip(human, judge, strict=True)]
    assert getattr(found.summary_level, name) == pytest.approx(np.mean(by_document))
    by_system = theirs(human.mean(axis=0), judge.mean(axis=0)).statistic
    assert getattr(found.system_level, name) == pytest.approx(by_system)
    in_folds = [
        theirs(human[rows].mean(axis=0), judge[rows].mean(axis=0)).statistic
        for rows in ([0, 1], [2, 3])
    ]
    assert getattr(found.system_level_by_fold, name) == pytest.approx(np.mean(in_folds))


def test_it_names_the_level_of_every_correlation(study):
    found = evaluate_held_out(study)
    assert found.summary_level.level == "summary-level"
    assert found.system_level.level == "system-level"
    assert found.summary_level_by_fold.level == "summary-level, mean over folds"
    assert found.system_level_by_fold.level == "system-level, mean over folds"
    assert (found.summary_level.groups, found.system_level.groups) == (4, 5)
    assert (found.summary_level_by_fold.groups, found.system_level_by_fold.groups) == (2, 2)


def test_it_counts_right_and_wrong():
    found = evaluate_held_out([record("d", "s", [1, 1, 0, 0, 0], [0.9, 0.2, 0.6, 0.1, 0.5])])
    assert found.confusion == Confusion(1, 1, 1, 2)
    assert found.accuracy == 3 / 5
    assert found.brier == pytest.approx((0.01 + 0.64 + 0.36 + 0.01 + 0.25) / 5)


def test_it_skips_and_counts_documents_without_variation(study):
    flat = [record("flat", f"s{n}", [1, 0], [0.2 * n, 0.1], "fold0") for n in range(5)]
    deaf = [record("deaf", f"s{n}", [int(n > 2), 0], [0.3, 0.3], "fold0") for n in range(5)]
    alone = [record("alone", "s0", [1], [0.5], "fold0")]
    found = evaluate_held_out([*study, *flat, *deaf, *alone]).summary_level
    assert (found.groups, found.undefined) == (4, 3)
    assert found.pearson == evaluate_held_out(study).summary_level.pearson


def test_it_ties_scores_that_differ_by_rounding():
    """0.1 + 0.2 is not 0.3 to the last bit."""
    rows = [
        record("d", "a", [1, 0], [0.1 + 0.2, 0.3]),
        record("d", "b", [0, 0], [0.3, 0.3]),
    ]
    assert math.isnan(evaluate_held_out(rows).summary_level.spearman)


def test_it_says_so_where_systems_do_not_differ():
    found = evaluate_held_out([record("d", "a", [1], [0.5]), record("d", "b", [1], [0.4])])
    assert math.isnan(found.system_level.pearson)
    assert (found.system_level.groups, found.system_level.undefined) == (0, 2)


def test_it_leaves_out_units_without_a_label():
    whole = [record("d", "a", [1, 0], [0.9, 0.2]), record("d", "b", [0, 0], [0.3, 0.1])]
    gaps = [
        record("d", "a", [1, None, 0], [0.9, 0.99, 0.2]),
        record("d", "b", [0, 0, None], [0.3, 0.1, 0.99]),
        record("d", "c", [None], [0.5]),
    ]
    assert evaluate_held_out(gaps) == evaluate_held_out(whole)


def test_it_weighs_units():
    rows = [
        record("d", "a", [1, 0], [1.0, 0.0], weights=[3, 1]),
        record("d", "b", [0, 1], [1.0, 0.0], weights=[3, 1]),
        record("d", "c", [0, 0], [0.5, 0.5], weights=[3, 1]),
    ]
    human, judge = [0.75, 0.25, 0.0], [0.75, 0.75, 0.5]
    expected = stats.pearsonr(human, judge).statistic
    assert evaluate_held_out(rows).summary_level.pearson == pytest.approx(expected)


def test_it_bins_by_what_was_said():
    found = evaluate_held_out([record("d", "s", [0, 1, 1, 1], [0.05, 0.95, 1.0, 0.65])])
    full = [(row.low, row.units, row.observed) for row in found.calibration if row.units]
    assert full == [(0.0, 1, 0.0), (0.6, 1, 1.0), (0.9, 2, 1.0)]
    assert found.calibration[-1].predicted == pytest.approx(0.975)
    assert found.ece == pytest.approx((0.05 + 0.35 + 2 * 0.025) / 4)


@pytest.mark.parametrize(
    "rows, message",
    [
        ([record("d", "s", [1], [0.5, 0.5])], "s on d: 1 labels, 2 presence values"),
        ([record("d", "s", [1, 0], [0.5, 0.5], weights=[1])], "1 weights"),
        ([record("d", "s", [None], [0.5])], "No held-out summary has labels"),
        ([], "No held-out summary has labels"),
    ],
)
def test_it_refuses_what_does_not_fit(rows, message):
    with pytest.raises(ValueError, match=message):
        evaluate_held_out(rows)


def test_it_is_json(study):
    found = evaluate_held_out(study).to_json()
    assert found["system_level"]["level"] == "system-level"
    assert len(found["calibration"]) == 10
