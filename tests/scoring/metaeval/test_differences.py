"""Intervals of the difference between two metrics' correlations."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.metaeval.bootstrap import stack_scores
from scoring.metaeval.differences import bootstrap_differences
from scoring.metaeval.draws import Resampling, draw
from scoring.metaeval.levels import correlate_all, correlate_inputs
from scoring.metaeval.study import choose_documents
from scoring.percentiles import tails
from tests.scoring.metaeval.studies import make_study, random_study


def test_it_is_a_paired_bootstrap_over_documents():
    """The same draws, written out: the mean of each document's difference."""
    study = random_study(metrics=2)
    [row] = bootstrap_differences(study, level="summary", resampling=Resampling(resamples=200))
    within = [
        correlate_inputs(study.scores[name], study.people, measures=["kendall"])["kendall"]
        for name in study.metrics
    ]
    gaps = within[0] - within[1]
    draws = draw("inputs", systems=8, judged=study.judged, resamples=200, seed=0)
    means = gaps[draws.inputs].mean(axis=1)
    assert row.interval.value == pytest.approx(gaps.mean())
    assert [row.interval.low, row.interval.high] == pytest.approx(
        np.quantile(means, tails(gaps.shape[0])).tolist()
    )


@pytest.mark.parametrize("level", ["system", "summary"])
def test_missing_cells_are_left_out_of_both(level: str):
    study = random_study(metrics=3, missing=0.15)
    rows = bootstrap_differences(study, level=level, resampling=Resampling(resamples=50))
    assert [(row.first, row.second) for row in rows] == [("m1", "m2"), ("m1", "m3"), ("m2", "m3")]
    for row in rows:
        tables = [study.scores[name] for name in (row.first, row.second)]
        cells = ~np.isnan(np.stack([*tables, study.people])).any(axis=0)
        kept = {
            name: np.where(cells, table, np.nan)
            for name, table in zip(("one", "two"), tables, strict=True)
        }
        shared = make_study({"human": np.where(cells, study.people, np.nan)} | kept)
        values = [correlate_all(shared, name, level=level)["kendall"].value for name in kept]
        assert row.interval.value == pytest.approx(values[0] - values[1])


def test_what_moves_both_alike_cancels_out():
    """Two metrics that nearly agree: the difference is known far better than either figure."""
    study = random_study(metrics=1, documents=30)
    twin = study.scores["m1"] + 0.01 * np.random.default_rng(0).normal(size=(8, 30))
    study = make_study({"human": study.people, "m1": study.scores["m1"], "twin": twin})
    [row] = bootstrap_differences(study, level="summary")
    width = row.interval.high - row.interval.low
    whole = stack_scores(choose_documents(study, study.documents)).first
    assert whole.shape == (2, 8, 30)
    assert width < 0.05


def test_it_covers_the_true_difference():
    """Of 200 studies with new documents, about 95 % of intervals hold the difference of all."""
    rng = np.random.default_rng(5)
    quality = rng.normal(size=(8, 1))
    human = quality + rng.normal(size=(8, 20_000))
    tables = {
        "good": human + rng.normal(size=human.shape),
        "bad": human + 2 * rng.normal(size=human.shape),
    }
    within = [
        correlate_inputs(table, human, measures=["kendall"])["kendall"] for table in tables.values()
    ]
    truth = float((within[0] - within[1]).mean())
    held = 0
    for at in range(200):
        part = slice(at * 40, at * 40 + 40)
        study = make_study({"human": human[:, part]} | {n: t[:, part] for n, t in tables.items()})
        resampling = Resampling(resamples=400, seed=at)
        [row] = bootstrap_differences(study, level="summary", resampling=resampling)
        held += row.interval.low <= truth <= row.interval.high
    assert 182 <= held <= 198


def test_one_metric_has_no_difference():
    assert bootstrap_differences(random_study(metrics=1), level="system") == []
