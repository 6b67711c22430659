"""Intervals of a judge's correlation with people, and of its bias."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.judge.agreement import UNKNOWN, bound_biases, bound_correlations, say_coverage
from scoring.metaeval.bootstrap import bootstrap
from scoring.metaeval.draws import Resampling
from scoring.metaeval.study import Study
from scoring.pyramid import ScoreTable


def tables(
    systems: int = 8, documents: int = 30, bias: float = 0.1, seed: int = 0
) -> tuple[ScoreTable, ScoreTable]:
    rng = np.random.default_rng(seed)
    people = np.linspace(0.2, 0.7, systems)[:, None] + rng.normal(0, 0.1, (systems, documents))
    judge = people + bias + rng.normal(0, 0.1, people.shape)
    names = tuple(f"s{at}" for at in range(systems)), tuple(f"d{at}" for at in range(documents))
    return ScoreTable(*names, judge, ""), ScoreTable(*names, people, "")


def ends(bounds: tuple[float | None, float | None]) -> tuple[float, float]:
    low, high = bounds
    assert low is not None
    assert high is not None
    return low, high


@pytest.mark.parametrize("level, method", [("system", "both"), ("summary", "inputs")])
def test_they_are_those_of_meta_evaluation(level: str, method: str):
    judge, people = tables()
    scores = {"people": people.scores, "judge": judge.scores}
    study = Study(tuple(judge.systems), tuple(judge.documents), {}, "people", scores)
    found = bound_correlations(judge, people)[level]
    for row in bootstrap(study, level=level, resampling=Resampling(method, 1000, 0)):
        assert found[row.measure] == pytest.approx((row.low, row.high))


def test_a_bias_is_bounded_as_a_paired_mean_is():
    judge, people = tables(documents=400)
    found = bound_biases(judge, people)
    gaps = judge.scores - people.scores
    for name, row in zip(judge.systems, gaps, strict=True):
        half = 1.96 * row.std() / 20
        assert found.systems[name] == pytest.approx(
            (row.mean() - half, row.mean() + half), abs=2e-3
        )
    low, high = ends(found.mean)
    assert low < gaps.mean() < high
    assert high - low < min(top - bottom for bottom, top in map(ends, found.systems.values()))


def test_the_intervals_of_biases_cover():
    held = 0
    for seed in range(300):
        low, high = ends(bound_biases(*tables(bias=0.05, seed=seed), seed=seed).mean)
        held += low <= 0.05 <= high
    assert 275 <= held <= 297


def test_what_simulations_found_is_said():
    """Spearman's and Kendall's intervals at the system level hold too often."""
    said = say_coverage()
    assert "spearman, percentile: 98." in said
    assert "kendall, percentile: 98." in said
    assert "pearson" not in said


def test_few_systems_or_examples_have_none():
    assert bound_correlations(*tables(systems=2)) == {}
    assert bound_correlations(*tables(documents=2)) == {}
    found = bound_biases(*tables(documents=2))
    assert set(found.systems.values()) == {UNKNOWN}
    assert found.mean == UNKNOWN
