"""Held-out figures within folds, with intervals over documents."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from scoring.judge.fold_figures import (
    draw_documents,
    jackknife_bounds,
    leave_out,
    measure_folds,
)
from scoring.judge.held_out import HeldOutRecord, evaluate_held_out


def make_study(
    by: str, documents: int = 20, systems: int = 6, seed: int = 0
) -> list[HeldOutRecord]:
    """Two folds, by documents or by systems; a judge who is right more often than not."""
    rng = np.random.default_rng(seed)
    found = []
    for document in range(documents):
        for system in range(systems):
            labels = (rng.random(5) < 0.2 + 0.1 * system).astype(int)
            presence = 0.3 * labels + 0.7 * rng.random(5)
            fold = (document if by == "examples" else system) % 2
            found.append(
                HeldOutRecord(
                    f"d{document}", f"s{system}", labels.tolist(), presence.tolist(), (), str(fold)
                )
            )
    return found


@pytest.mark.parametrize("by", ["examples", "systems"])
def test_figures_are_means_of_what_holds_within_each_fold(by: str) -> None:
    records = make_study(by)
    found = measure_folds(records, resamples=20)
    summary, system, accuracy = [], [], []
    for fold in "01":
        rows = [record for record in records if record.fold == fold]
        human, judge = (
            {(row.document, row.system): float(np.mean(getattr(row, name))) for row in rows}
            for name in ("labels", "presence")
        )
        names = sorted({row.system for row in rows})
        documents = sorted({row.document for row in rows})
        tables = [
            np.array([[scores[document, name] for name in names] for document in documents])
            for scores in (human, judge)
        ]
        pairs = zip(*tables, strict=True)
        values = [stats.pearsonr(*pair).statistic for pair in pairs if np.ptp(pair[0]) > 0]
        summary.append(np.mean(values))
        system.append(stats.pearsonr(*(table.mean(axis=0) for table in tables)).statistic)
        right = [(np.array(r.presence) > 0.5) == np.array(r.labels) for r in rows]
        accuracy.append(np.mean(right))
    assert found.summary_level.value == pytest.approx(np.mean(summary))
    assert found.system_level.value == pytest.approx(np.mean(system))
    assert found.accuracy.value == pytest.approx(np.mean(accuracy))
    whole = evaluate_held_out(records)
    assert found.summary_level.value == pytest.approx(whole.summary_level_by_fold.pearson)
    assert found.system_level.value == pytest.approx(whole.system_level_by_fold.pearson)
    assert found.ece == whole.ece


def test_it_counts_what_a_fold_has() -> None:
    by_examples, by_systems = (
        measure_folds(make_study(by), resamples=5) for by in ("examples", "systems")
    )
    assert (by_examples.folds, by_examples.documents, by_examples.systems) == (2, 10, 6)
    assert (by_systems.folds, by_systems.documents, by_systems.systems) == (2, 20, 3)
    assert by_examples.units == 20 * 6 * 5


def test_a_judge_who_says_the_same_of_everything_has_no_correlation() -> None:
    records = [
        HeldOutRecord(row.document, row.system, row.labels, [0.3] * 5, (), row.fold)
        for row in make_study("examples")
    ]
    found = measure_folds(records, resamples=5)
    assert np.isnan([found.summary_level.value, found.system_level.low]).all()
    assert found.accuracy.low <= found.accuracy.value <= found.accuracy.high


def test_documents_are_drawn_within_their_folds() -> None:
    apart = draw_documents([["a", "b"], ["c", "d", "e"]], 50, 0)
    assert (apart["a"] + apart["b"]).tolist() == [2] * 50
    assert (apart["c"] + apart["d"] + apart["e"]).tolist() == [3] * 50
    shared = draw_documents([["a", "b", "c"], ["a", "b", "c"]], 50, 0)
    assert np.sum(list(shared.values()), axis=0).tolist() == [3] * 50


def test_an_interval_is_by_the_jackknife_on_fishers_scale() -> None:
    """Of the correlations without each of 3 documents of one group, and each of 2 of another."""
    first, second = np.array([0.6, 0.7, 0.8]), np.array([0.65, 0.75])
    low, high = jackknife_bounds(0.7, [first, second])
    variance = 2 / 3 * ((first - 0.7) ** 2).sum() + 1 / 2 * ((second - 0.7) ** 2).sum()
    half = 1.959964 * np.sqrt(variance) / (1 - 0.7**2)
    assert np.arctanh([low, high]) == pytest.approx(
        [np.arctanh(0.7) - half, np.arctanh(0.7) + half]
    )


def test_it_leaves_each_document_out_once() -> None:
    found = leave_out({name: np.ones(1) for name in "abc"}, ["c", "a"])
    assert {name: row.tolist() for name, row in found.items()} == {
        "a": [1, 0],
        "b": [1, 1],
        "c": [0, 1],
    }


@pytest.mark.parametrize("by", ["examples", "systems"])
def test_intervals_cover(by: str) -> None:
    """Of 200 studies, whose expected figures are the means of 200 others."""
    studies = [measure_folds(make_study(by, seed=s), resamples=100) for s in range(200)]
    for name in ("accuracy", "summary_level", "system_level"):
        figures = [getattr(study, name) for study in studies]
        expected = np.mean([figure.value for figure in figures])
        covered = np.mean([figure.low <= expected <= figure.high for figure in figures])
        assert 0.9 <= covered <= 0.99, (name, covered)
