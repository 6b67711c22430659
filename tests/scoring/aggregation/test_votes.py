"""From answers to labels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from crowdkit.aggregation import GLAD, MACE, DawidSkene, MajorityVote, Wawa
from hypothesis import given, settings

from scoring.aggregation import MODELS, simulate_campaign, vote
from scoring.backends.crowdkit import put_in_order
from tests.scoring.aggregation.grids import answers_of, counts_of, grids, statement_of

GRID = {"d/s": {"a": "pppn-", "b": "pnnn-", "c": "p-n--", "d": "-----"}}


def frame_of(answers):
    workers = answers.assignment_workers[answers.assignments]
    return pd.DataFrame({"task": answers.statements, "worker": workers, "label": answers.labels})


def test_it_takes_the_majority():
    labels = vote(answers_of(GRID))
    assert labels.present.tolist() == [1, 0, 0, 0]
    assert labels.posterior.tolist() == [1, 0.5, pytest.approx(1 / 3), 0]
    assert labels.ties.tolist() == [False, True, False, False]


@pytest.mark.parametrize("tie, label", [("absent", 0), ("present", 1), ("unlabelled", -1)])
def test_it_breaks_ties_by_name(tie, label):
    assert vote(answers_of(GRID), tie=tie).present[1] == label


def test_it_throws_a_coin_that_a_seed_repeats():
    answers = answers_of({"d/s": {"a": "p" * 200, "b": "n" * 200}})
    first = vote(answers, tie="random", seed=3).present
    assert set(first.tolist()) == {0, 1}
    assert 70 < first.sum() < 130
    assert (first == vote(answers, tie="random", seed=3).present).all()
    assert (first != vote(answers, tie="random", seed=4).present).any()


@pytest.mark.parametrize("rule", ["majority", *MODELS])
def test_it_leaves_what_nobody_answered_without_a_label(rule):
    answers = answers_of(GRID)
    kept = np.array([key != "a@d/s" for key in answers.assignment_keys])
    labels = vote(answers_of(GRID), kept & (np.arange(len(kept)) != 1), rule=rule)
    assert labels.present[3] == -1
    assert np.isnan(labels.posterior[3])
    assert not labels.ties[3]


@given(grids())
def test_it_takes_the_majority_one_by_one(grid):
    answers, totals = answers_of(grid), counts_of(grid)
    labels = vote(answers)
    for code, label in enumerate(labels.present.tolist()):
        absent, present = totals[statement_of(answers, code)]
        assert label == (present > absent)
        assert labels.ties[code] == (present == absent)
        assert labels.posterior[code] == present / (present + absent)


@settings(deadline=None, max_examples=20)
@given(grids())
def test_it_agrees_with_crowd_kit_on_the_majority(grid):
    answers = answers_of(grid)
    labels = vote(answers)
    frame = frame_of(answers)
    theirs = MajorityVote().fit_predict(frame).sort_index().to_numpy()
    assert (theirs == labels.present)[~labels.ties].all()
    shares = MajorityVote().fit_predict_proba(frame).sort_index()
    assert np.allclose(shares.get(1, 0.0), labels.posterior)


THEIRS: dict[str, Callable[[], Any]] = {
    "dawid-skene": DawidSkene,
    "mace": lambda: MACE(random_state=0, n_restarts=2),
    "glad": GLAD,
}


@pytest.fixture(scope="module")
def campaign():
    return simulate_campaign(seed=5, documents=4, systems=2, units=4, workers=8, noisy=1)


@pytest.fixture(scope="module")
def labels_by(campaign):
    """Its labels by each rule: models are fitted once for all tests."""
    return {rule: vote(campaign.answers, rule=rule) for rule in MODELS}


@pytest.mark.parametrize("rule", THEIRS)
def test_it_has_the_posterior_of_crowd_kit(rule, campaign, labels_by):
    frame = frame_of(campaign.answers)
    # MACE starts from chance, worker by worker: in the order that we put them in.
    ordered = put_in_order(*(frame[name].to_numpy() for name in ("task", "worker", "label")))
    theirs = THEIRS[rule]().fit_predict_proba(ordered).sort_index()[1]
    assert np.allclose(labels_by[rule].posterior, theirs)


@pytest.mark.parametrize("rule", MODELS)
def test_it_does_not_depend_on_names_or_on_who_came_first(rule, campaign, labels_by):
    """A dataset's pseudonyms sort otherwise than the names that they stand for."""
    answers = campaign.answers
    rng = np.random.default_rng(1)
    codes = rng.permutation(len(answers.worker_keys))
    rows = rng.permutation(len(answers))
    other = replace(
        answers,
        assignment_workers=codes[answers.assignment_workers],
        statements=answers.statements[rows],
        assignments=answers.assignments[rows],
        labels=answers.labels[rows],
    )
    assert np.array_equal(vote(other, rule=rule).posterior, labels_by[rule].posterior)


def test_it_weighs_people_by_agreement_as_wawa_does(campaign, labels_by):
    answers = campaign.answers
    frame = frame_of(answers)
    fitted: Any = Wawa().fit(frame)
    skills = fitted.skills_.reindex(range(len(answers.worker_keys))).to_numpy()
    majority_of = MajorityVote().fit_predict(frame).sort_index().to_numpy()
    agrees = majority_of[answers.statements] == answers.labels
    people = answers.assignment_workers[answers.assignments]
    worked = np.bincount(people, minlength=len(skills))
    shares = np.bincount(people, weights=agrees, minlength=len(skills)) / np.maximum(worked, 1)
    assert np.allclose(skills[worked > 0], shares[worked > 0])
    present, total = (
        np.bincount(answers.statements, weights=skills[people] * mask)
        for mask in (answers.labels, np.ones(len(answers)))
    )
    assert np.allclose(labels_by["wawa"].posterior, present / total)


@pytest.mark.parametrize("rule", MODELS)
def test_it_is_nearer_the_truth_than_a_coin(rule, campaign, labels_by):
    assert (labels_by[rule].present == campaign.truth).mean() > 0.85


@pytest.mark.parametrize("rule", MODELS)
def test_it_takes_answers_of_one_kind(rule):
    assert vote(answers_of({"d/s": {"a": "nn", "b": "nn"}}), rule=rule).present.tolist() == [0, 0]


@pytest.mark.parametrize(
    "options, message",
    [
        ({"rule": "plurality"}, "There is no vote 'plurality'. Use one of majority, dawid-skene"),
        ({"tie": "coin"}, "There is no tie rule 'coin'. Use one of absent, present"),
    ],
)
def test_it_knows_votes_and_tie_rules_by_name(options, message):
    with pytest.raises(ValueError, match=message):
        vote(answers_of(GRID), **options)
