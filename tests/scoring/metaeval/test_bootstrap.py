"""Resampled correlations: equal to a plain loop over the same draws."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import scipy.stats

from scoring.metaeval.bootstrap import (
    bootstrap,
    resample_correlations,
    resample_means,
    stack_scores,
)
from scoring.metaeval.draws import METHODS, Resampling, count_places, draw, leave_each_out
from scoring.metaeval.levels import UNDEFINED, correlate_all
from scoring.metaeval.rows import MEASURES
from scoring.metaeval.study import EVERY, choose_documents, choose_systems
from tests.scoring.metaeval.studies import make_study, random_study

SCIPY = {
    "pearson": scipy.stats.pearsonr,
    "spearman": scipy.stats.spearmanr,
    "kendall": scipy.stats.kendalltau,
}


def loop(study, draws, level, metric, measure):
    """What one would write first."""
    found = []
    for row in range(len(draws)):
        inputs = slice(None) if draws.inputs is None else draws.inputs[row]
        systems = slice(None) if draws.systems is None else draws.systems[row]
        one, two = (table[systems][:, inputs] for table in (study.scores[metric], study.people))
        if level == "system":
            found.append(SCIPY[measure](one.mean(axis=1), two.mean(axis=1))[0])
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found.append(
                np.nanmean([SCIPY[measure](*pair)[0] for pair in zip(one.T, two.T, strict=True)])
            )
    return found


@pytest.mark.parametrize("level", ["system", "summary"])
@pytest.mark.parametrize("method", METHODS)
def test_it_equals_a_loop_of_scipys(method, level):
    study = random_study(metrics=3)
    draws = draw(method, systems=8, judged=study.judged, resamples=6, seed=1)
    found = resample_correlations(stack_scores(study), draws, level=level)
    for measure in MEASURES:
        for place, metric in enumerate(study.metrics):
            expected = loop(study, draws, level, metric, measure)
            assert found[measure][:, place] == pytest.approx(expected, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("policy", UNDEFINED)
@pytest.mark.parametrize("level", ["system", "summary"])
@pytest.mark.parametrize("method", METHODS)
def test_it_equals_the_plain_figure_of_each_resample(method, level, policy):
    """With missing cells and flat inputs too: a resample written out is a study of its own."""
    study = random_study(missing=0.15)
    study.people[:, 3] = 0.5
    draws = draw(method, systems=8, judged=study.judged, resamples=5, seed=2)
    found = resample_correlations(stack_scores(study), draws, level=level, policy=policy)
    for row in range(5):
        inputs = slice(None) if draws.inputs is None else draws.inputs[row]
        systems = slice(None) if draws.systems is None else draws.systems[row]
        tables = {
            ("human" if name == study.human else name): table[systems][:, inputs]
            for name, table in study.scores.items()
        }
        alone = make_study(tables)
        for place, metric in enumerate(study.metrics):
            rows = correlate_all(alone, metric, level=level, policy=policy)
            for measure in MEASURES:
                mine = found[measure][row, place]
                assert mine == pytest.approx(rows[measure].value, abs=1e-12, nan_ok=True)


def places(rows):
    assert rows is not None
    return rows.tolist()


def test_both_shares_its_draws_with_the_two():
    judged = np.ones(12, dtype=bool)
    drawn = {name: draw(name, systems=8, judged=judged, resamples=4, seed=3) for name in METHODS}
    assert places(drawn["both"].inputs) == places(drawn["inputs"].inputs)
    assert places(drawn["both"].systems) == places(drawn["systems"].systems)
    assert drawn["inputs"].systems is None
    assert drawn["systems"].inputs is None


def test_judged_inputs_are_drawn_among_the_judged():
    judged = np.array([True] * 3 + [False] * 7)
    draws = draw("inputs", systems=4, judged=judged, resamples=50, seed=0)
    counts = draws.input_counts(slice(None))
    assert counts is not None
    assert (counts[:, :3].sum(axis=1) == 3).all()
    assert (counts[:, 3:].sum(axis=1) == 7).all()


def test_more_inputs_make_the_interval_narrower():
    """What people judged is the same; the metric alone has more inputs (Deutsch 2022, §3.2)."""
    study = random_study(systems=12, documents=400, metrics=1)
    study.people[:, 20:] = np.nan
    resampling = Resampling(resamples=300)
    judged, every = (
        bootstrap(study, measures=["pearson"], inputs=inputs, resampling=resampling)[0]
        for inputs in ("judged", EVERY)
    )
    assert every.high - every.low < judged.high - judged.low


def test_means_of_a_resample_are_by_hand():
    study = make_study({"human": [[1, 2, 3], [4, np.nan, 8]], "m": [[1, 2, 3], [4, 5, 6]]})
    draws = draw("inputs", systems=2, judged=study.judged, resamples=40, seed=0)
    means = resample_means(study.people[None], draws, slice(None))[:, 0]
    assert draws.inputs is not None
    for row, chosen in enumerate(draws.inputs):
        assert means[row, 0] == pytest.approx(study.people[0, chosen].mean())
        known = [study.people[1, place] for place in chosen if place != 1]
        assert means[row, 1] == pytest.approx(np.mean(known) if known else np.nan, nan_ok=True)


def test_the_same_seed_gives_the_same_interval():
    study = random_study()
    rows = [bootstrap(study, resampling=Resampling("both", 50, seed)) for seed in (5, 5, 6)]
    assert rows[0] == rows[1]
    assert rows[0] != rows[2]


def test_an_interval_names_what_it_is_of():
    study = random_study(metrics=1)
    [row] = bootstrap(
        study, level="summary", measures=["kendall"], resampling=Resampling("both", 30)
    )
    assert (row.metric, row.level, row.measure, row.method) == ("m1", "summary", "kendall", "both")
    assert row.value == pytest.approx(correlate_all(study, "m1", level="summary")["kendall"].value)
    assert row.low <= row.high
    assert row.bca_low <= row.bca_high
    assert (row.resamples, row.undefined) == (30, 0)


def test_resamples_without_a_correlation_are_counted():
    """Of two systems drawn, often both are the same."""
    study = choose_systems(random_study(metrics=1), ["A", "B"])
    [row] = bootstrap(study, measures=["kendall"], resampling=Resampling("systems", 100))
    assert 20 < row.undefined < 80


def test_the_jackknife_leaves_out_one_at_a_time():
    study = random_study(systems=5, documents=6)
    inputs, systems = leave_each_out("both", systems=5, inputs=6)
    paired = stack_scores(study)
    by_inputs = resample_correlations(paired, inputs, level="system")["pearson"]
    by_systems = resample_correlations(paired, systems, level="system")["pearson"]
    without = choose_documents(study, study.documents[1:])
    expected = correlate_all(without, "m1", level="system")["pearson"].value
    assert by_inputs[0, 0] == pytest.approx(expected)
    without = choose_systems(study, study.systems[:4])
    expected = correlate_all(without, "m1", level="system")["pearson"].value
    assert by_systems[4, 0] == pytest.approx(expected)


def test_places_are_counted():
    counts = count_places(np.array([[0, 0, 2], [1, 1, 1]]), 4)
    assert counts.tolist() == [[2, 0, 1, 0], [0, 3, 0, 0]]


@pytest.mark.parametrize(
    "wrong, message",
    [
        ({"resampling": Resampling("cells")}, "'cells'. Known: inputs, systems, both"),
        ({"resampling": Resampling(resamples=0)}, "at least 1 resample"),
        ({"resampling": Resampling(resamples=2, coverage=95)}, "share"),
        ({"level": "global"}, "'global'"),
    ],
)
def test_it_refuses_what_it_can_not_do(wrong, message):
    with pytest.raises(ValueError, match=message):
        bootstrap(random_study(), **wrong)


def test_a_study_without_metrics_is_told():
    with pytest.raises(ValueError, match="no metric"):
        bootstrap(make_study({"human": [[1, 2], [2, 3]]}))
