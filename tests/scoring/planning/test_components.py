"""Variance components, people's noise, and the priors that ship."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from scoring.aggregation import simulate_campaign
from scoring.io.answers import load_answers
from scoring.planning.components import (
    FULL,
    JUDGE,
    PEOPLE,
    Votes,
    at_least_zero,
    from_json,
    measure_prior,
    to_json,
    variance_components,
)
from scoring.planning.orders import random_order
from scoring.planning.priors import list_priors, load_prior, write_priors
from scoring.planning.study import read_study
from scoring.planning.votes import measure_votes
from tests.scoring.planning.toys import drawn_study, toy_study

VOTES = Votes(0.08, 0.1)


def layout(documents, systems, seed=0):
    """Two ways to score: the second is half the first by system, and noise of its own beside."""
    rng = np.random.default_rng(seed)
    a = rng.normal(0, 0.3, (documents, 1))
    b = rng.normal(0, 0.2, (1, systems))
    c, d = rng.normal(0, 0.1, (2, documents, systems))
    return np.stack([a + b + c, a + b / 2 + d], axis=-1)


def test_it_finds_the_components_that_were_put_in():
    system, document, residual = np.mean(
        [[*variance_components(layout(60, 60, seed))] for seed in range(20)], axis=0
    )
    assert system == pytest.approx(np.array([[0.04, 0.02], [0.02, 0.01]]), abs=0.004)
    assert document == pytest.approx(np.full((2, 2), 0.09), abs=0.009)
    assert residual == pytest.approx(np.diag([0.01, 0.01]), abs=0.001)


def test_it_finds_components_by_hand():
    """2 × 2 without interaction: systems differ by 2, documents by 4, nothing is left."""
    system, document, residual = variance_components(np.array([[0, 2], [4, 6.0]])[..., None])
    assert (system.item(), document.item(), residual.item()) == pytest.approx((2, 8, 0))


def test_it_takes_negative_variance_for_none():
    found = at_least_zero(np.array([[1.0, 0.0], [0.0, -0.5]]))
    assert found == pytest.approx(np.diag([1.0, 0.0]))


@pytest.fixture(scope="module")
def prior():
    human, judged = drawn_study(seed=1), drawn_study(seed=1)
    noisy = [np.clip(table * 0.6 + 0.2, 0, 1) for table in judged.scu_presence]
    judged = replace(judged, scu_presence=noisy, judge="toy")
    return measure_prior(human, judged, [random_order(60, 0)], VOTES, replicates=3)


def test_people_are_right_where_all_units_are_scus(prior):
    system, document, residual = prior.best.at(0)
    for table in (system, document, residual):
        assert table[PEOPLE] == pytest.approx(table[FULL])
    # The judge says 0.6 of what people do, and so do its differences.
    assert system[JUDGE, JUDGE] == pytest.approx(0.36 * system[FULL, FULL])
    assert prior.best.scus == pytest.approx((6, 4.5, 3, 1.5, 0))
    assert prior.best.stus == pytest.approx((0, 0.75, 1.5, 2.25, 3))
    assert (prior.best.sentences, prior.judge) == (3, "toy")


def test_it_goes_straight_between_percentages(prior):
    one, two, half = (prior.best.at(share)[0] for share in (25, 50, 37.5))
    assert half == pytest.approx((one + two) / 2)
    assert prior.best.at(100)[0] == pytest.approx(prior.best.system[-1])
    assert prior.best.units_at(12.5) == pytest.approx((5.25, 0.375))
    with pytest.raises(ValueError, match="0 to 100"):
        prior.best.at(101)


def test_it_comes_back_the_same_from_json(prior):
    found = from_json(json.loads(json.dumps(to_json(prior))))
    assert len(found.replicates) == 3
    for one, two in zip(
        (found.best, *found.replicates), (prior.best, *prior.replicates), strict=True
    ):
        assert one.system == pytest.approx(two.system, abs=2e-6)
        assert one.residual == pytest.approx(two.residual, abs=2e-6)
    assert json.loads(write_priors([prior]))["priors"] == [to_json(prior)]


def test_it_scales_units_with_the_reference(prior):
    wider = prior.best.scaled(12)
    assert wider.scus[0] == 12
    assert wider.stus[-1] == pytest.approx(6)
    assert wider.noise(12, 1) < prior.best.noise(6, 1)


@pytest.mark.parametrize(
    "units, judges, expected",
    [(1, 1, 0.08), (1, 4, 0.02), (10, 1, 0.08 * 1.9 / 10), (0, 1, 0.08)],
)
def test_it_knows_what_judges_leave(prior, units, judges, expected):
    assert prior.best.noise(units, judges) == pytest.approx(expected)


def test_it_refuses_a_pilot_that_is_too_small_or_not_one():
    study = toy_study()
    other = replace(study, systems=("x", "y", "z"))
    with pytest.raises(ValueError, match="the same summaries"):
        measure_prior(study, other, [[1, 2, 3]], VOTES)


def test_it_measures_how_answers_vary():
    """Everybody is right 9 times in 10, each answer by itself: v = .09, and nothing is tied."""
    campaign = simulate_campaign(seed=1, documents=200, noisy=0, accuracy=(0.9, 0.9))
    found = measure_votes(campaign.answers)
    assert found.vote == pytest.approx(0.09, abs=0.003)
    assert found.tied == pytest.approx(0, abs=0.02)


def test_it_notices_people_who_err_in_a_whole_hit():
    campaign = simulate_campaign(seed=1, documents=200, noisy=0, accuracy=(0.9, 0.9))
    answers = campaign.answers
    careless = np.random.default_rng(0).random(len(answers.assignment_keys)) < 0.1
    truth = campaign.truth[answers.statements]
    labels = np.where(careless[answers.assignments], 1, truth).astype(np.int8)
    assert measure_votes(replace(answers, labels=labels)).tied > 0.3


def test_it_needs_two_people_to_compare():
    campaign = simulate_campaign(seed=1, documents=2, judges=1)
    with pytest.raises(ValueError, match="No unit was judged by two people"):
        measure_votes(campaign.answers)


def test_it_knows_how_people_vary_on_realsumm(realsumm_dir):
    found = measure_votes(load_answers(realsumm_dir / "raw_crowd"))
    best = load_prior("realsumm").best
    assert found.vote == pytest.approx(best.vote, abs=1e-6)
    assert found.tied == pytest.approx(best.tied, abs=1e-6)


def test_it_ships_priors_of_both_studies():
    assert {prior.name for prior in list_priors()} == {"realsumm", "pyrxsum"}
    assert {len(prior.replicates) for prior in list_priors()} == {10}
    assert load_prior(sentences=1.0).name == "pyrxsum"
    assert load_prior(sentences=3.5).name == "realsumm"
    assert load_prior().name == "realsumm"
    assert load_prior("pyrxsum", "random").order == "random"


@pytest.mark.parametrize("given", [("tac", ""), ("", "alphabetical")])
def test_it_lists_the_priors_it_has(given):
    with pytest.raises(ValueError, match="Known: .*(realsumm|random)"):
        load_prior(*given)


def check_against_labels(study, shipped):
    """What needs no judge, worked out anew; taking negative variance for none moves it a little."""
    orders = [random_order(len(study.sentences), number) for number in range(10)]
    found = measure_prior(study, study, orders, VOTES, replicates=0)
    for level in ("system", "document", "residual"):
        one, two = (getattr(prior.best, level)[:, :JUDGE, :JUDGE] for prior in (found, shipped))
        assert one == pytest.approx(two, rel=0.01, abs=5e-5)
    assert found.best.scus == pytest.approx(shipped.best.scus, abs=1e-6)
    assert found.best.stus == pytest.approx(shipped.best.stus, abs=1e-6)


def test_its_prior_of_realsumm_is_that_of_peoples_labels(realsumm_dir):
    check_against_labels(read_study(realsumm_dir), load_prior("realsumm", "random"))


def test_its_prior_of_pyrxsum_is_that_of_peoples_labels(pyrxsum_dir):
    check_against_labels(read_study(pyrxsum_dir), load_prior("pyrxsum", "random"))
