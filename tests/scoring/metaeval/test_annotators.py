"""Annotators as a random factor: resampling, and what ignoring them overstates."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from scoring.metaeval.annotators import (
    ALL_THREE,
    AND_ANNOTATORS,
    AND_SYSTEMS,
    DOCUMENTS,
    METHODS,
    bootstrap_correlations,
    bootstrap_systems,
    describe_annotators,
    difference_variance,
    false_positive_rate,
    measure_overstatement,
    model_variance,
)
from scoring.metaeval.bootstrap import bootstrap
from scoring.metaeval.draws import BY_BOTH, Resampling
from scoring.metaeval.mixed import Component, MixedModel
from scoring.metaeval.raw_judgements import choose_judgements, read_judgements
from scoring.metaeval.study import Study
from tests.scoring.metaeval.judged import UNITS, judge, make_answers, make_judgements

FEW = Resampling(BY_BOTH, 300, 0)


def make_study(judgements, seed=0):
    rng = np.random.default_rng(seed)
    table = judgements.table()
    names = judgements.system_names, judgements.document_names
    noisy = table + rng.normal(0, 0.05, table.shape)
    return Study(*names, {}, "human", {"human": table, "m": noisy})


def test_a_judgement_is_the_share_of_units_that_one_person_found():
    answers = make_answers(documents=3, systems=2, annotators=2)
    found = read_judgements(answers)
    assert len(found) == 12
    assert (found.annotator_count, set(found.answers)) == (2, {UNITS})
    counts = answers.counts()
    present = counts[:, 1] / counts.sum(axis=1)
    assert found.table().mean() == pytest.approx(present.mean())


def test_drawing_annotators_by_hand():
    """On one summary, A said 1 and B 0. Drawn twice A: 1; each once: 1/2; twice B on another
    summary that only A judged: unknown."""
    found = judge([(0, 0, 0, 1.0), (0, 0, 1, 0.0), (1, 0, 0, 0.5)])
    drawn = found.resample(np.array([[2.0, 0.0], [1.0, 1.0], [0.0, 2.0]]))
    assert drawn[:, 0, 0].tolist() == [1.0, 0.5, 0.0]
    assert drawn[:2, 0, 1].tolist() == [0.5, 0.5]
    assert np.isnan(drawn[2, 0, 1])


def test_without_annotators_it_is_the_bootstrap_of_documents_and_systems():
    found = make_judgements()
    study = make_study(found)
    rows = {row.drawn: row for row in bootstrap_correlations(study, found, resampling=FEW)}
    assert list(rows) == list(METHODS)
    (plain,) = bootstrap(study, measures=["kendall"], resampling=FEW)
    assert (rows[AND_SYSTEMS].low, rows[AND_SYSTEMS].high) == pytest.approx((plain.low, plain.high))
    assert rows[ALL_THREE].value == pytest.approx(plain.value)


def test_means_vary_more_where_annotators_differ_more():
    def widths(sd):
        rows = bootstrap_systems(make_judgements(annotator_sd=sd, nested=True), FEW)
        return [
            np.mean([row.high - row.low for row in rows if row.drawn == drawn])
            for drawn in (DOCUMENTS, AND_ANNOTATORS)
        ]

    plain, with_annotators = widths(0.3)
    assert with_annotators > 1.5 * plain
    alike = widths(0.0)
    assert alike[1] < 1.5 * alike[0]


def test_variance_of_a_difference_by_hand():
    """System 0 judged by A and B, system 1 by C twice, on the same two documents.

    Documents cancel out. Annotators: (1/2)² + (1/2)² + 1² = 1.5. Summaries and residual: four
    judgements of a half each, 4 · (1/2)² = 1.
    """
    found = judge([(0, 0, 0, 0.1), (1, 0, 1, 0.2), (0, 1, 2, 0.4), (1, 1, 2, 0.5)])
    rows = (("document", 9.0), ("annotator", 2.0), ("summary", 0.5), ("residual", 0.25))
    parts = tuple(Component(name, 1, variance, 0.0) for name, variance in rows)
    model = MixedModel(0.0, 4, parts, ())
    assert difference_variance(found, model) == pytest.approx(1.5 * 2.0 + 0.5 + 0.25)


def test_false_positives_by_hand():
    """With standard errors twice too small, |z| > 1.96 means |z| > .98 in truth: 32.7 %."""
    assert false_positive_rate(1.0) == pytest.approx(0.05)
    assert false_positive_rate(2.0) == pytest.approx(2 * stats.norm.sf(1.959964 / 2), abs=1e-6)


def test_nested_annotators_overstate_and_crossed_ones_do_not():
    """Steen & Markert's case: annotators who judge one system each."""
    nested = make_judgements(nested=True, annotators=12, annotator_sd=0.3, documents=15)
    found = measure_overstatement(nested, model_variance(nested))
    assert found.is_overstated
    assert found.false_positives > 0.2
    every = make_judgements(annotators=6, annotator_sd=0.3)
    found = measure_overstatement(every, model_variance(every))
    assert found.ratio < 1.1
    assert not found.is_overstated


def test_annotators_who_are_alike_are_not_warned_of():
    warned = 0
    for seed in range(10):
        nested = make_judgements(nested=True, annotators=12, annotator_sd=0.0, seed=seed)
        warned += measure_overstatement(nested, model_variance(nested)).is_overstated
    assert warned <= 2


@pytest.mark.parametrize(
    "rows, reason",
    [
        ([(0, 0, 0, 0.1), (1, 0, 1, 0.2), (0, 1, 2, 0.4), (1, 1, 3, 0.5)], "one judgement"),
        ([(0, 0, 0, 0.1), (1, 0, 0, 0.2), (0, 1, 0, 0.4), (1, 1, 0, 0.5)], "only one"),
        ([(0, 0, 0, 0.1), (1, 0, 0, 0.2), (0, 0, 1, 0.4), (1, 0, 1, 0.5)], "one system"),
    ],
)
def test_it_says_why_nothing_can_be_said(rows, reason):
    found = judge(rows)
    result = measure_overstatement(found, model_variance(found))
    assert reason in result.reason
    assert np.isnan(result.ratio)
    assert not result.is_overstated


def test_names_of_annotators_change_nothing():
    """A restored study has pseudonyms, in another order."""
    one, two = (make_answers(prefix=prefix) for prefix in ("w", "x"))
    reverse = {f"x{place}": f"x{9 - place}" for place in range(10)}
    keys = [reverse[key] for key in two.worker_keys]
    order = np.argsort(keys)
    places = np.argsort(order)
    renamed = make_answers(prefix="x")
    object.__setattr__(renamed, "assignment_workers", places[renamed.assignment_workers])
    assert describe_annotators(read_judgements(one), FEW) == describe_annotators(
        read_judgements(renamed), FEW
    )


def test_judgements_of_other_systems_and_documents_are_left_out():
    found = make_judgements()
    part = choose_judgements(found, systems=["s2", "s0", "new"], documents=["d1", "d3"])
    assert part.table().shape == (3, 2)
    assert np.isnan(part.table()[2]).all()
    assert part.table()[0, 1] == found.table()[2, 3]
    with pytest.raises(ValueError, match="No raw answer"):
        choose_judgements(found, systems=["new"], documents=["d1"])
