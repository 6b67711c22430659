from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from scoring.cli.held_out import read_study as read_labelled
from scoring.stu.rich.correlation import (
    Scores,
    compare_summary_level,
    compare_system_level,
    judge_units,
    summary_level,
    system_level,
)
from scoring.stu.rich.studies import read_study
from tests.scoring.stu.rich.small_study import write_study

HUMAN = np.array([[1.0, 0.5, 0.0], [0.9, 0.4, 0.1], [0.8, 0.8, 0.8], [1.0, 0.2, 0.3]])


def noisy(scale: float) -> Scores:
    return Scores(HUMAN, HUMAN + scale * np.random.default_rng(0).normal(size=HUMAN.shape))


def test_it_correlates_across_systems_on_each_document() -> None:
    found = summary_level(Scores(HUMAN, 2 * HUMAN + 1))
    assert found[[0, 1, 3]] == pytest.approx([1, 1, 1])
    assert np.isnan(found[2])  # people gave all the same score


def test_it_correlates_means_of_systems() -> None:
    assert system_level(Scores(HUMAN, 1 - HUMAN)) == pytest.approx(-1)


def test_it_leaves_out_a_summary_that_nobody_scored() -> None:
    judge = HUMAN.copy()
    judge[0, 0] = np.nan
    assert summary_level(Scores(HUMAN, judge))[0] == pytest.approx(1)


def test_it_compares_two_sets_of_scores_over_documents() -> None:
    good, bad = noisy(0.0), noisy(0.5)
    for compare in (compare_summary_level, compare_system_level):
        found = compare(good, bad, samples=300)
        assert found.low <= found.value <= found.high
        assert found.value > 0
        assert compare(good, bad, samples=300) == found
        assert compare(bad, good, samples=300).value == pytest.approx(-found.value)


def test_it_finds_no_difference_of_scores_with_themselves() -> None:
    found = compare_summary_level(noisy(0.5), noisy(0.5), samples=50)
    assert (found.value, found.low, found.high) == (0, 0, 0)


def test_it_judges_summaries_by_each_set_of_units(tmp_path: Path) -> None:
    folder = write_study(tmp_path)
    records, study = read_labelled(folder), read_study(folder)
    sets = {
        "own": {one.document: one.scus for one in study.references},
        "strange": {one.document: ("Nobody met a dragon",) for one in study.references},
    }
    found = judge_units(records, sets, learned=records, folds=study.folds, base="lexical")
    assert found["own"].human[0].tolist() == [1.0, 0.25, 0.0]  # all, half, little
    own, strange = found["own"].judge.mean(axis=0), found["strange"].judge.mean(axis=0)
    assert own[0] > own[2]
    assert own[0] > strange[0]
    assert system_level(found["own"]) > 0.5


def test_it_does_not_learn_from_the_documents_that_it_judges(tmp_path: Path) -> None:
    folder = write_study(tmp_path)
    records, study = read_labelled(folder), read_study(folder)
    sets = {"own": {one.document: one.scus for one in study.references}}
    fold = study.folds[0]
    others = [record for record in records if record.document not in fold]
    held = [record for record in records if record.document in fold]
    apart = judge_units(held, sets, learned=others, base="lexical")["own"].judge
    found = judge_units(records, sets, learned=records, folds=study.folds, base="lexical")["own"]
    documents = sorted({record.document for record in records})
    rows = [place for place, document in enumerate(documents) if document in fold]
    assert found.judge[rows].tolist() == apart.tolist()


def test_it_refuses_a_document_without_units(tmp_path: Path) -> None:
    records = read_labelled(write_study(tmp_path))
    with pytest.raises(ValueError, match="d0 has no units"):
        judge_units(records, {"none": {f"d{i}": () for i in range(8)}}, learned=records)
