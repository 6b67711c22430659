"""Made-up campaigns, and other numbers of judges."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.aggregation import (
    FilterStep,
    Recipe,
    aggregate,
    outlook,
    score_labels,
    score_systems,
    simulate_campaign,
    vote,
)
from tests.scoring.aggregation.grids import answers_of


@pytest.fixture(scope="module")
def campaign():
    return simulate_campaign(seed=1, documents=60, systems=6, workers=100, noisy=10)


def mean_alpha(answers, *filters):
    found = aggregate(answers, Recipe(filters), samples=0).agreement.by_summary.mean
    assert found is not None
    return found


def test_it_gives_every_summary_different_people(campaign):
    answers = campaign.answers
    assert len(answers) == 60 * 6 * 5 * 4
    pairs = set(zip(answers.assignment_summaries, answers.assignment_workers, strict=True))
    assert len(pairs) == len(answers.assignment_keys) == 60 * 6 * 4
    assert (answers.counts().sum(axis=1) == 4).all()


def test_it_repeats_a_campaign_by_its_seed(campaign):
    again = simulate_campaign(seed=1, documents=60, systems=6, workers=100, noisy=10)
    assert again.answers.content_hash() == campaign.answers.content_hash()
    other = simulate_campaign(seed=2, documents=60, systems=6, workers=100, noisy=10)
    assert other.answers.content_hash() != campaign.answers.content_hash()


def test_it_makes_people_as_good_as_they_are_said_to_be(campaign):
    answers = campaign.answers
    is_right = answers.labels == campaign.truth[answers.statements]
    planted = campaign.is_noisy[answers.assignment_workers[answers.assignments]]
    assert campaign.is_noisy.sum() == 10
    assert is_right[planted].mean() == pytest.approx(0.5, abs=0.06)
    assert 0.85 < is_right[~planted].mean() < 0.98


def test_it_has_busy_and_idle_people(campaign):
    hits = np.bincount(campaign.answers.assignment_workers, minlength=100)
    assert hits.max() > 5 * np.median(hits)


@pytest.mark.parametrize(
    "rule, precision, recall", [("per-worker", 0.95, 0.85), ("per-summary", 0.25, 0.5)]
)
def test_it_plants_people_whom_the_noise_rules_find(campaign, rule, precision, recall):
    answers = campaign.answers
    plain = mean_alpha(answers)
    found = aggregate(answers, Recipe((FilterStep(rule),)), samples=0)
    planted = campaign.is_noisy[answers.assignment_workers]
    assert planted[~found.kept].mean() >= precision
    assert (~found.kept)[planted].mean() >= recall
    assert mean_alpha(answers, FilterStep(rule)) > plain + 0.05


def test_it_expects_nothing_new_of_as_many_judges(campaign):
    found = outlook(campaign.answers, 4, rounds=3)
    assert found.alpha is not None
    assert found.tau is not None
    plain = mean_alpha(campaign.answers)
    assert found.alpha.mean == pytest.approx(plain)
    assert (found.flips.mean, found.rmse.mean, found.simulated) == (0, 0, 0)
    assert found.tau.mean == pytest.approx(1)


def test_it_expects_more_flips_of_fewer_judges(campaign):
    one, three = (outlook(campaign.answers, judges, rounds=10) for judges in (1, 3))
    assert 0 < three.flips.mean < one.flips.mean
    assert one.alpha is None
    assert three.alpha is not None
    assert three.rmse.low <= three.rmse.mean <= three.rmse.high


def test_it_makes_up_judges_that_nobody_was(campaign):
    found = outlook(campaign.answers, 7, rounds=5)
    assert found.alpha is not None
    assert found.simulated == 3
    plain = mean_alpha(campaign.answers)
    assert found.alpha.mean == pytest.approx(plain, abs=0.1)
    assert found.flips.mean < 0.1


def test_it_repeats_an_outlook_by_its_seed(campaign):
    first = outlook(campaign.answers, 3, rounds=4, seed=9)
    assert first == outlook(campaign.answers, 3, rounds=4, seed=9)
    assert first != outlook(campaign.answers, 3, rounds=4, seed=10)


def test_it_draws_the_judges_of_a_summary_together():
    """Two people who each answer alike throughout: with one of them, all labels are the same."""
    answers = answers_of({"d/s": {"a": "pppp", "b": "nnnn"}})
    found = outlook(answers, 1, rounds=40)
    assert {found.flips.low, found.flips.high} == {0.0, 1.0}
    assert found.tau is None


@pytest.mark.parametrize(
    "judges, rounds, message",
    [(0, 5, "at least 1 judge"), (2, 0, "1 round"), (3, 1, "Too few statements have two answers")],
)
def test_it_says_what_it_can_not_foresee(judges, rounds, message):
    with pytest.raises(ValueError, match=message):
        outlook(answers_of({"d/s": {"a": "pn"}}), judges, rounds=rounds)


def test_it_needs_enough_workers():
    with pytest.raises(ValueError, match="at least as many workers as judges"):
        simulate_campaign(seed=0, workers=3, noisy=0)


def test_it_scores_summaries_and_systems_from_labels():
    answers = answers_of({"d1/a": {"x": "ppn"}, "d2/a": {"x": "nn"}, "d1/b": {"x": "p"}})
    labels = vote(answers).present
    scores = score_labels(answers, labels)
    assert scores.tolist() == [pytest.approx(2 / 3), 0, 1]
    assert score_systems(answers, scores).tolist() == [pytest.approx(1 / 3), 1]
    weights = np.array([1, 1, 2, 1, 1, 1])
    assert score_labels(answers, labels, weights)[0] == 0.5
    labels[3:5] = -1
    scores = score_labels(answers, labels)
    assert np.isnan(scores[1])
    assert score_systems(answers, scores)[0] == pytest.approx(2 / 3)
