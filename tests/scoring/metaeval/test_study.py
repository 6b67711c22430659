"""What is examined, and parts of it."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.metaeval.study import (
    EVERY,
    Study,
    choose_documents,
    choose_kind,
    choose_metrics,
    choose_systems,
    choose_top,
    leave_out,
    list_kinds,
    mean_scores,
    merge_equal,
    pair_scores,
    rank_by_people,
)
from tests.scoring.metaeval.studies import make_study

GAP = np.nan
KINDS = {"A": "extractive", "B": "abstractive", "C": "extractive"}


@pytest.fixture
def study():
    return make_study(
        {
            "human": [[0.2, 0.4, GAP], [0.9, 0.7, GAP], [0.5, 0.5, GAP], [0.1, GAP, GAP]],
            "m": [[1, 2, 3], [4, 5, 6], [GAP, 8, 9], [10, 11, 12]],
        },
        KINDS,
    )


def test_it_knows_its_metrics_and_what_people_judged(study):
    assert study.metrics == ("m",)
    assert study.judged.tolist() == [True, True, False]
    assert list_kinds(study) == ["extractive", "abstractive"]


def test_it_chooses_by_kind(study):
    assert choose_kind(study, "extractive").systems == ("A", "C")
    assert choose_kind(study, "all") is study
    with pytest.raises(ValueError, match="'human'. Known: all, extractive, abstractive"):
        choose_kind(study, "human")


def test_it_ranks_by_people_and_takes_the_best(study):
    assert [study.systems[place] for place in rank_by_people(study)] == ["B", "C", "A", "D"]
    best = choose_top(study, 2)
    assert best.systems == ("B", "C")
    assert best.scores["m"][0].tolist() == [4, 5, 6]


def test_a_system_that_nobody_judged_is_not_ranked():
    study = make_study({"human": [[GAP], [0.2], [0.7]]})
    assert rank_by_people(study) == [2, 1]


def test_it_leaves_out_in_its_own_order_and_chooses_in_the_order_given(study):
    assert leave_out(study, ["B"]).systems == ("A", "C", "D")
    chosen = choose_systems(study, ["D", "A", "D"])
    assert chosen.systems == ("D", "A")
    assert np.array_equal(chosen.people, study.people[[3, 0]], equal_nan=True)
    assert choose_top(study, 3).systems == tuple(sorted(choose_top(study, 3).systems))
    assert choose_documents(study, ["d3", "d1"]).scores["m"].tolist()[1] == [4, 6]
    assert choose_metrics(study, ["m"]).metrics == ("m",)


def test_metrics_that_are_equal_to_the_bit_are_one():
    study = make_study(
        {
            "human": [[0.1], [0.2]],
            "a": [[1.0], [GAP]],
            "b": [[1.0], [-GAP]],
            "c": [[1.0 + 2e-16], [GAP]],
            "zero": [[0.0], [1.0]],
            "minus": [[-0.0], [1.0]],
        }
    )
    merged, same = merge_equal(study)
    assert same == {"b": "a", "minus": "zero"}
    assert merged.metrics == ("a", "c", "zero")
    assert merge_equal(merged) == (merged, {})


@pytest.mark.parametrize(
    "choose, wrong",
    [
        (choose_systems, ["Z"]),
        (leave_out, ["Z"]),
        (choose_documents, ["Z"]),
        (choose_metrics, ["Z"]),
    ],
)
def test_it_refuses_names_it_does_not_know(study, choose, wrong):
    with pytest.raises(ValueError, match="'Z'"):
        choose(study, wrong)


def test_it_refuses_to_be_left_without_systems(study):
    with pytest.raises(ValueError, match="No system"):
        leave_out(study, ["A", "B", "C", "D"])


def test_judged_pairs_hold_what_both_have(study):
    first, second = pair_scores(study, "m")
    assert np.isnan(first).tolist() == np.isnan(second).tolist()
    assert (~np.isnan(first)).sum() == 6


def test_every_input_keeps_each_side_whole(study):
    first, second = pair_scores(study, "m", inputs=EVERY)
    assert mean_scores(first).tolist() == [2, 5, 8.5, 11]
    assert mean_scores(second) == pytest.approx([0.3, 0.8, 0.5, 0.1])
    with pytest.raises(ValueError, match="Known: judged, every"):
        pair_scores(study, "m", inputs="some")


def test_a_mean_of_nothing_is_unknown():
    assert np.isnan(mean_scores(np.array([[GAP, GAP]]))).all()


def test_people_must_be_among_the_scores():
    with pytest.raises(ValueError, match="'people'. Known: m"):
        Study(("A",), ("d",), {}, "people", {"m": np.zeros((1, 1))})


def test_a_table_of_another_shape_is_told():
    with pytest.raises(ValueError, match="'m' are 2 × 1; the study has 1 × 1"):
        Study(("A",), ("d",), {}, "h", {"h": np.zeros((1, 1)), "m": np.zeros((2, 1))})


def test_its_signature_changes_with_scores_and_options(study):
    signed = study.sign(seed=1)
    assert signed.startswith("data:")
    assert "|seed:1|" in signed
    assert signed == study.sign(seed=1)
    assert signed != study.sign(seed=2)
    assert signed != leave_out(study, ["A"]).sign(seed=1)
