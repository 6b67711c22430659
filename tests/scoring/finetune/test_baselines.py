"""Judges that a judge has to beat."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.finetune import TrainingRecord
from scoring.finetune.baselines import BASELINES, MAJORITY, UNIT_RECALL


def record(summary: str, labels: tuple[int | None, ...], *units: str) -> TrainingRecord:
    return TrainingRecord("d", summary, summary, units, labels)


def test_the_majority_says_the_same_of_everything() -> None:
    fit, predict = BASELINES[MAJORITY]
    share = fit([record("a", (1, 0, None), "x", "y", "z"), record("b", (0, 0), "x", "y")])
    assert share == 1 / 4
    assert list(predict(share, [record("c", (1, 1), "x", "y")])) == [[0.25, 0.25]]


def test_unit_recall_has_the_log_odds_of_its_two_values() -> None:
    """Half of the words found: 1 of 4 units is present; all found: 3 of 4."""
    fit, predict = BASELINES[UNIT_RECALL]
    summary = "the foxes ran"
    learned = [
        record(summary, (0, 0, 0, 1, 1, 1, 1, 0), *["fox slept"] * 4, *["a fox ran"[2:]] * 4)
    ]
    weights = fit(learned)
    assert weights == pytest.approx([np.log(1 / 3) - np.log(9) * 1, 2 * np.log(9)], abs=1e-4)
    [said] = predict(weights, learned)
    assert said[0] == pytest.approx(0.25, abs=1e-5)
    assert said[-1] == pytest.approx(0.75, abs=1e-5)


def test_unit_recall_stays_finite_where_recall_separates_the_labels() -> None:
    fit, _ = BASELINES[UNIT_RECALL]
    weights = fit([record("fox", (1, 0), "fox", "hen")])
    assert np.isfinite(weights).all()
    assert weights[1] > 0
