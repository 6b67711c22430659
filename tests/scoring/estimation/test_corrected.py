"""Scores corrected by sensitivity and specificity."""

from __future__ import annotations

import math

import numpy as np
import pytest

from scoring.coverage.studies import corrected
from scoring.errors import InputError
from scoring.estimation import DOCUMENTS, POPULATION, JudgedShares, Sampling, correct_scores

NAN = math.nan


def make_shares(judge, present, hits, alarms, **options):
    tables = [np.array(each, dtype=np.float64) for each in (judge, present, hits, alarms)]
    systems, documents = (
        [f"{letter}{place}" for place in range(size)]
        for letter, size in zip("sd", tables[0].shape, strict=True)
    )
    return JudgedShares(systems, documents, *tables, **options)


def test_it_solves_rogan_and_gladens_equation_by_hand():
    """Of 4 of 6 documents: se = (.5 + .4 + .4 + .5) / 2, sp likewise."""
    shares = make_shares(
        [[0.5, 0.5, 0.5, 0.5, 0.2, 0.2]],
        [[0.5, 0.5, 0.5, 0.5, NAN, NAN]],
        [[0.5, 0.4, 0.4, 0.5, NAN, NAN]],
        [[0.0, 0.1, 0.1, 0.0, NAN, NAN]],
    )
    found = correct_scores(shares)
    assert (found.sensitivity[0], found.specificity[0]) == pytest.approx((0.9, 0.9))
    [row] = found.systems
    assert row.judge == pytest.approx(0.4)
    assert row.value == pytest.approx((0.4 + 0.9 - 1) / 0.8)
    assert row.low < row.value < row.high
    assert (found.labelled, found.documents) == (4, 6)


def random_shares(seed, documents=60, labelled=30, systems=4):
    rng = np.random.default_rng(seed)
    people = rng.binomial(10, rng.uniform(0.2, 0.7, documents), (systems, documents))
    hits = rng.binomial(people, 0.85) / 10
    alarms = rng.binomial(10 - people, 0.1) / 10
    slice_ = np.arange(documents) < labelled
    parts = [np.where(slice_, each, NAN) for each in (people / 10, hits, alarms)]
    return make_shares(hits + alarms, *parts)


def test_its_error_is_the_jackknifes():
    """Over documents, by leaving each out and solving again: within a few percent."""
    shares = random_shares(1)
    found = correct_scores(shares, target=POPULATION)
    parts = (shares.judge, shares.present, shares.hits, shares.alarms)
    values = np.array(
        [
            [row.value for row in correct_scores(make_shares(*rest), target=POPULATION).systems]
            for place in range(60)
            for rest in [[np.delete(each, place, axis=1) for each in parts]]
        ]
    )
    errors = np.sqrt(59 / 60 * ((values - values.mean(axis=0)) ** 2).sum(axis=0))
    told = [(row.high - row.low) / 2 / 2.0484 for row in found.systems]  # t of 28
    assert told == pytest.approx(errors, rel=0.06)


def test_the_best_slice_is_tenenbeins():
    """√(v / (c·w)) of all documents: a fourth of the price doubles it."""
    sizes = {
        price: correct_scores(random_shares(1), price=price, target=POPULATION).best_slice
        for price in (0.2, 0.8, 1000)
    }
    assert sizes[0.2] == pytest.approx(2 * sizes[0.8], abs=1)
    assert sizes[1000] == 10
    found = correct_scores(random_shares(1), target=POPULATION)
    widths = dict(found.widths)
    assert found.best_slice in widths
    assert [widths[size] for size in sorted(widths)] == sorted(widths.values(), reverse=True)
    told = np.mean([row.high - row.low for row in found.systems])
    between = [widths[size] for size in (20, 50)]
    assert between[1] < told < between[0]


def test_a_slice_that_a_ranker_drew_counts_by_its_chances():
    shares = random_shares(2)
    even, odd = (
        correct_scores(shares, Sampling(probabilities=chances))
        for chances in (np.full(60, 0.3), np.linspace(0.1, 0.9, 60))
    )
    plain = correct_scores(shares)
    assert even.sensitivity[0] == pytest.approx(plain.sensitivity[0])
    assert odd.sensitivity[0] != pytest.approx(plain.sensitivity[0])


def test_nothing_is_corrected_of_a_judge_no_better_than_chance():
    rng = np.random.default_rng(0)
    shares = random_shares(3)
    people = shares.present
    hits = rng.binomial(np.rint(np.nan_to_num(people) * 10).astype(int), 0.5) / 10
    alarms = rng.binomial(np.rint((1 - np.nan_to_num(people)) * 10).astype(int), 0.5) / 10
    slice_ = ~np.isnan(people)
    found = correct_scores(
        make_shares(
            hits + alarms, people, np.where(slice_, hits, NAN), np.where(slice_, alarms, NAN)
        )
    )
    assert not found.is_told
    assert (found.systems, found.best_slice, found.widths) == ((), 0, ())


def test_bounds_stay_within_0_and_1():
    shares = make_shares(
        [[0.0] * 6, [1.0] * 6],
        [[0.1, 0, 0, NAN, NAN, NAN], [0.9, 1, 1, NAN, NAN, NAN]],
        [[0.0, 0, 0, NAN, NAN, NAN], [0.9, 1, 1, NAN, NAN, NAN]],
        [[0.0, 0, 0, NAN, NAN, NAN], [0.1, 0, 0, NAN, NAN, NAN]],
    )
    for row in correct_scores(shares, target=DOCUMENTS).systems:
        assert 0 <= row.low <= row.high <= 1


@pytest.mark.parametrize("wrong", ["few", "alike", "price"])
def test_it_refuses_what_it_cannot_correct(wrong):
    labelled = [0.5, 0.5, NAN, NAN] if wrong == "few" else [0.0, 0, 0, NAN]
    shares = make_shares([[0.5, 0.5, 0.2, 0.1]], [labelled], [labelled], [labelled])
    with pytest.raises(
        InputError, match={"few": "labelled 2", "alike": "same label"}.get(wrong, "above 0")
    ):
        correct_scores(shares, price=0 if wrong == "price" else 20)


def test_the_simulated_study_yields_each_interval_once():
    names = [name for name, _ in corrected(20, np.random.default_rng(0))]
    assert names == ["score, documents", "score, population", "sensitivity", "specificity"]
