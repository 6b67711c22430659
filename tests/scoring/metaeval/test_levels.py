"""Correlation at the system, summary and global level."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import scipy.stats

from scoring.metaeval.levels import (
    LEVELS,
    correlate,
    correlate_all,
    correlate_folds,
    correlate_inputs,
    correlate_significant,
    p_of_inputs,
)
from scoring.metaeval.rows import MEASURES
from scoring.metaeval.study import EVERY, choose_documents
from tests.scoring.metaeval.studies import make_study, random_study

GAP = np.nan
# On d2 people see no difference, on d3 the metric sees none.
FLAT = {
    "human": [[1, 5, 1], [2, 5, 2], [3, 5, 3]],
    "m": [[1, 1, 4], [3, 2, 4], [2, 4, 4]],
}


def test_levels_differ_as_their_definitions_do():
    """Within each document the metric reverses people's order; documents differ by far more."""
    study = make_study({"human": [[1, 11], [2, 12], [3, 13]], "m": [[3, 13], [2, 12], [1, 11]]})
    values = {level: correlate_all(study, "m", level=level)["pearson"].value for level in LEVELS}
    assert values["system"] == pytest.approx(-1)
    assert values["summary"] == pytest.approx(-1)
    assert values["global"] == pytest.approx(
        scipy.stats.pearsonr([1, 11, 2, 12, 3, 13], [3, 13, 2, 12, 1, 11])[0]
    )
    assert values["global"] > 0.9


@pytest.mark.parametrize("level", LEVELS)
def test_the_level_is_named_with_what_it_counts(level):
    found = correlate(random_study(), "m1", level=level, measure="kendall")
    assert (found.level, found.measure) == (level, "kendall")
    assert found.count == {"system": 8, "summary": 12, "global": 96}[level]


def test_global_cells_agree_with_scipy():
    study = random_study(missing=0.2)
    both = ~(np.isnan(study.people) | np.isnan(study.scores["m1"]))
    one, two = study.scores["m1"][both], study.people[both]
    found = correlate_all(study, "m1", level="global")
    assert found["pearson"].count == both.sum()
    assert found["pearson"].value == pytest.approx(scipy.stats.pearsonr(one, two)[0])
    assert found["spearman"].value == pytest.approx(scipy.stats.spearmanr(one, two)[0])
    assert found["kendall"].value == pytest.approx(scipy.stats.kendalltau(one, two)[0])


@pytest.mark.parametrize("measure", MEASURES)
def test_undefined_inputs_are_skipped_or_count_as_zero(measure):
    study = make_study(FLAT)
    skipped = correlate(study, "m", level="summary", measure=measure)
    counted = correlate(study, "m", level="summary", measure=measure, policy="zero")
    assert (skipped.count, skipped.undefined, skipped.policy) == (1, 2, "skip")
    assert (counted.count, counted.undefined, counted.policy) == (3, 2, "zero")
    assert counted.value == pytest.approx(skipped.value / 3)


@pytest.mark.parametrize("measure", MEASURES)
def test_a_nudge_is_what_the_authors_did(measure):
    """The first value of a constant row is raised by 1e-10, on both sides."""
    correlations = {"pearson": scipy.stats.pearsonr, "spearman": scipy.stats.spearmanr}
    correlations["kendall"] = scipy.stats.kendalltau
    expected = []
    for human, metric in zip(np.array(FLAT["human"]).T, np.array(FLAT["m"]).T, strict=True):
        pair = [human.astype(float), metric.astype(float)]
        for values in pair:
            if np.ptp(values) == 0:
                values[0] += 1e-10
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected.append(correlations[measure](*pair)[0])
    found = correlate(make_study(FLAT), "m", level="summary", measure=measure, policy="nudge")
    assert found.value == pytest.approx(np.mean(expected), abs=1e-5)
    assert (found.count, found.undefined) == (3, 2)


def test_nothing_is_known_where_every_input_is_flat():
    study = make_study({"human": [[1, 2], [1, 2], [1, 2]], "m": [[1, 2], [2, 1], [3, 3]]})
    found = correlate(study, "m", level="summary", measure="pearson")
    assert np.isnan(found.value)
    assert (found.count, found.undefined) == (0, 2)


def test_an_input_with_one_system_is_neither_counted_nor_undefined():
    study = make_study({"human": [[1, 1], [2, GAP], [3, GAP]], "m": [[1, 1], [2, 2], [3, 3]]})
    for policy in ("skip", "zero"):
        found = correlate(study, "m", level="summary", measure="pearson", policy=policy)
        assert (found.value, found.count, found.undefined) == (1, 1, 0)


def test_every_input_reaches_the_metric_alone():
    """Over the judged document the metric agrees with people; over all of them it does not."""
    study = make_study({"human": [[1, GAP], [2, GAP], [3, GAP]], "m": [[1, 9], [2, 5], [3, 1]]})
    judged = correlate(study, "m", level="system", measure="kendall")
    every = correlate(study, "m", level="system", measure="kendall", inputs=EVERY)
    assert (judged.value, every.value) == (1, -1)


def test_scores_that_were_given_are_ranked_as_they_are():
    close = make_study({"human": [[1], [2], [3]], "m": [[0.3], [0.1 + 0.2], [0.5]]})
    found = correlate(close, "m", level="summary", measure="kendall")
    assert found.value == 1


def test_p_values_of_inputs_are_scipys():
    study = random_study(systems=9, documents=5)
    first, second = study.scores["m1"], study.people
    values = correlate_inputs(first, second)
    for measure, correlations in (
        ("pearson", scipy.stats.pearsonr),
        ("spearman", scipy.stats.spearmanr),
        ("kendall", scipy.stats.kendalltau),
    ):
        expected = [correlations(*pair)[1] for pair in zip(first.T, second.T, strict=True)]
        found = p_of_inputs(first, second, values[measure], measure)
        assert found == pytest.approx(expected, abs=1e-12)


def test_significant_inputs_are_counted_and_corrected():
    study = random_study(systems=9, documents=40)
    found = correlate_significant(study, "m1", measure="pearson")
    rows = correlate_inputs(study.scores["m1"], study.people)["pearson"]
    p_values = p_of_inputs(study.scores["m1"], study.people, rows, "pearson")
    assert found.inputs == (p_values <= 0.05).sum()
    assert found.value == pytest.approx(rows[p_values <= 0.05].mean())
    assert found.of == 40
    assert found.holm <= found.benjamini_hochberg <= found.inputs


def test_folds_are_averaged_plainly():
    study = random_study(documents=12)
    folds = [choose_documents(study, study.documents[:8]), choose_documents(study, ["d9", "d10"])]
    found = correlate_folds(folds, "m1", level="system")["pearson"]
    values = [correlate_all(fold, "m1", level="system")["pearson"].value for fold in folds]
    assert found.value == pytest.approx(np.mean(values))
    assert found.level == "system, mean over 2 folds"
    with pytest.raises(ValueError, match="no fold"):
        correlate_folds([], "m1", level="system")


@pytest.mark.parametrize(
    "wrong, message",
    [
        ({"level": "cell"}, "'cell'. Known: system, summary, global"),
        ({"level": "summary", "policy": "drop"}, "'drop'"),
        ({"level": "system", "measure": "r"}, "'r'. Known: pearson"),
    ],
)
def test_unknown_names_list_the_known(wrong, message):
    with pytest.raises(ValueError, match=message):
        correlate(random_study(), "m1", **{"measure": "pearson", **wrong})
