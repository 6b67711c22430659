"""Whether a metric tells two systems apart as people do."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.metaeval.draws import draw
from scoring.metaeval.pairwise import (
    FIRST,
    SECOND,
    UNDECIDED,
    classify_pairs,
    compare_pairs,
    weighted_f1,
)
from tests.scoring.metaeval.studies import make_study, random_study


def test_f1_by_hand():
    """Class 0: 1 of 2 found, 1 of 2 right; class 1: all; class 2: 1 of 2 found, 1 of 2 right."""
    truth = np.array([0, 0, 1, 2, 2])
    found = np.array([0, 2, 1, 0, 2])
    assert weighted_f1(truth, found) == pytest.approx(0.5 * 0.4 + 1 * 0.2 + 0.5 * 0.4)


def test_f1_of_the_truth_is_1_and_of_its_opposite_0():
    truth = np.array([0, 1, 2, 2])
    assert weighted_f1(truth, truth) == 1
    assert weighted_f1(truth, (truth + 1) % 3) == 0


def test_f1_needs_as_many():
    with pytest.raises(ValueError, match="equal length"):
        weighted_f1(np.array([0, 1]), np.array([0]))


def test_pairs_are_classed_by_confidence():
    """A is above B on every document, C is B on average."""
    rng = np.random.default_rng(0)
    noise = rng.normal(size=40)
    scores = np.stack([noise + 1, noise, noise + rng.normal(size=40) * 0.01])
    draws = draw("inputs", systems=3, judged=np.ones(40, dtype=bool), resamples=200)
    assert classify_pairs(scores, draws)[:2].tolist() == [FIRST, FIRST]
    assert classify_pairs(scores[::-1], draws)[1:].tolist() == [SECOND, SECOND]


def test_equal_systems_are_undecided():
    scores = np.tile(np.random.default_rng(0).random(20), (2, 1))
    draws = draw("inputs", systems=2, judged=np.ones(20, dtype=bool), resamples=100)
    assert classify_pairs(scores, draws).tolist() == [UNDECIDED]


def test_people_against_themselves_agree_but_for_chance():
    study = random_study(systems=9, documents=60, metrics=2)
    study.scores["m1"][:] = study.people
    found = compare_pairs(study, resamples=400)
    assert found.pairs == 36 == found.human_decided + found.human_undecided
    same, other = found.metrics
    assert same.f1 > 0.85
    assert same.f1 > other.f1
    assert same.decided + same.undecided == 36


def test_documents_that_nobody_judged_are_left_out():
    study = random_study(documents=30)
    study.people[:, 10:] = np.nan
    cut = make_study({name: table[:, :10] for name, table in study.scores.items()})
    assert compare_pairs(study, resamples=50) == compare_pairs(cut, resamples=50)


@pytest.mark.parametrize("confidence", [0.5, 1.0])
def test_it_refuses_a_confidence_without_meaning(confidence):
    with pytest.raises(ValueError, match="confidence"):
        compare_pairs(random_study(), confidence=confidence)
