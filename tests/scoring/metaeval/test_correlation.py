"""Correlations against scipy's, and against those of published scores."""

from __future__ import annotations

import csv
import math

import numpy as np
import pytest
from scipy import stats

from scoring.metaeval import kendall, pearson, spearman
from tests.scoring.goldens import golden

THEIRS = [
    (pearson, stats.pearsonr),
    (spearman, stats.spearmanr),
    (kendall, stats.kendalltau),
]


@pytest.mark.parametrize("ours, theirs", THEIRS)
@pytest.mark.parametrize("seed", range(5))
def test_it_agrees_with_scipy(ours, theirs, seed):
    rng = np.random.default_rng(seed)
    first = rng.integers(6, size=25) / 5  # with ties
    second = first + rng.normal(size=25).round(1)
    assert ours(first, second) == pytest.approx(theirs(first, second).statistic, abs=1e-12)


@pytest.mark.parametrize("measure", [pearson, spearman, kendall])
def test_it_tells_nothing_of_a_constant_vector(measure):
    assert math.isnan(measure([1, 1, 1], [1, 2, 3]))
    assert math.isnan(measure([1, 2, 3], [0.0, 0.0, 0.0]))
    assert math.isnan(measure([1], [2]))
    assert math.isnan(measure([], []))


@pytest.mark.parametrize("measure", [pearson, spearman, kendall])
def test_it_is_one_of_a_vector_with_itself(measure):
    values = [0.1, 0.7, 0.3, 0.30000000001]
    assert measure(values, values) == pytest.approx(1, abs=1e-12)
    assert measure(values, [-value for value in values]) == pytest.approx(-1, abs=1e-12)


def test_it_takes_tiny_values():
    assert pearson([1e-8, 2e-8, 4e-8], [1, 2, 4]) == pytest.approx(1)


def test_it_refuses_vectors_of_different_lengths():
    with pytest.raises(ValueError, match="2 and 3 values"):
        pearson([1, 2], [1, 2, 3])


def test_it_gives_the_published_system_level_figures(realsumm_dir):
    means: dict[str, dict[str, list[float]]] = {}
    with (realsumm_dir / "metric_scores.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["system"].startswith("ext_"):
                scores = means.setdefault(row["metric"], {}).setdefault(row["system"], [])
                scores.append(float(row["score"]))
    found = golden(realsumm_dir, "realsumm.released_metrics.system_level.clean")["value"]["ext"]
    human = [float(np.mean(scores)) for scores in means["litepyramid_recall"].values()]
    for metric in ("rouge_1_recall", "rouge_2_recall"):
        ours = [float(np.mean(scores)) for scores in means[metric].values()]
        assert pearson(human, ours) == pytest.approx(found[metric]["pearson"], abs=1e-5)
        assert spearman(human, ours) == pytest.approx(found[metric]["spearman"], abs=1e-5)
        assert kendall(human, ours) == pytest.approx(found[metric]["kendall_b"], abs=1e-5)
