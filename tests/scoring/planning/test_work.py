"""From a plan to work, and what it gave afterwards."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from scoring.planning.mix import choose_budget, choose_share, count_words
from scoring.planning.orders import random_order, true_damage
from scoring.planning.plans import Budget, StudySize, find_plans
from scoring.planning.predicted import hold_out_orders
from scoring.planning.priors import load_prior
from scoring.planning.study import read_study
from scoring.planning.tables import SentenceTables
from scoring.planning.work import choose_work, look_back
from tests.scoring.planning.toys import drawn_study


@pytest.fixture(scope="module")
def plans():
    budget = Budget(Decimal(100), 3.0)
    return find_plans(StudySize(20, 8), load_prior(), budget=budget, judges=(1, 3), rounds=5).plans


def test_it_chooses_examples_and_sentences(plans):
    study = drawn_study()
    order = random_order(60, 1)
    plan = next(row for row in plans if row.people and 0 < row.percentage < 100)
    work = choose_work(plan, study.documents, study.sentences, order)
    assert (len(work.examples), len(work.people)) == (plan.examples, plan.people)
    assert set(work.people) <= set(work.examples)
    assert list(work.examples) == sorted(work.examples)
    own = [row for row in study.sentences if row.document in work.examples]
    assert len(work.written) == len(own) - round(len(own) * plan.percentage / 100)
    easiness = {(row.document, row.place): order[i] for i, row in enumerate(study.sentences)}
    stays = [easiness[(row.document, row.place)] for row in own]
    written = [easiness[key] for key in work.written]
    assert max(written) <= min(set(stays) - set(written))


def test_a_larger_plan_has_the_examples_of_a_smaller_one(plans):
    study = drawn_study()
    small, large = (
        choose_work(row, study.documents, study.sentences, random_order(60, 1), seed=3)
        for row in sorted(plans, key=lambda row: row.examples)[:: len(plans) - 1]
    )
    assert set(small.examples) <= set(large.examples)
    again = choose_work(plans[0], study.documents, study.sentences, random_order(60, 1), seed=3)
    other = choose_work(plans[0], study.documents, study.sentences, random_order(60, 1), seed=3)
    assert again == other


def test_it_wants_as_many_examples_as_were_planned(plans):
    study = drawn_study(documents=3)
    plan = max(plans, key=lambda row: row.examples)
    with pytest.raises(ValueError, match=f"for {plan.examples} examples, .* 3"):
        choose_work(plan, study.documents, study.sentences, random_order(9, 1))


def test_it_says_what_was_won_against_random_sentences():
    """Written where STUs did most harm, a third of the words beats any third at random."""
    study = drawn_study(noise=0.5)
    damage = true_damage(SentenceTables.of(study))
    words = count_words(study.sentences)
    way = choose_budget(-damage, words, float(words.sum()) / 3)
    found = look_back(study, way, seeds=20, bootstrap=200)
    assert found.written == int((~way).sum())
    assert found.words == int(words[~way].sum())
    summary = next(row for row in found.given if (row.level, row.measure) == ("summary", "pearson"))
    assert summary.value > summary.random_high
    assert summary.gain == pytest.approx(summary.value - summary.random)
    assert 0 < summary.gain_low <= summary.gain <= summary.gain_high


def test_random_sentences_win_nothing_over_random_ones():
    study = drawn_study()
    found = look_back(study, choose_share(random_order(60, 99), 50), seeds=30, bootstrap=200)
    assert len(found.given) == 4
    assert all(row.gain_low <= 0 <= row.gain_high for row in found.given)
    assert found.to_json()["seeds"] == 30


def test_all_scus_and_all_stus_leave_nothing_to_choose():
    study = drawn_study()
    for way in (np.zeros(60, dtype=bool), np.ones(60, dtype=bool)):
        found = look_back(study, way, seeds=3, bootstrap=20)
        assert [row.gain for row in found.given] == pytest.approx([0, 0, 0, 0])


def test_it_wants_a_word_of_every_sentence():
    with pytest.raises(ValueError, match="each of the 60 sentences"):
        look_back(drawn_study(), [True])


@pytest.fixture(scope="module")
def realsumm(realsumm_dir):
    return read_study(realsumm_dir)


def test_predicted_orders_need_texts_and_a_known_name(realsumm):
    with pytest.raises(ValueError, match="has no texts"):
        hold_out_orders(drawn_study(), ["giza"])
    with pytest.raises(ValueError, match=r"'gizza'\. Known: giza, paper"):
        hold_out_orders(realsumm, ["gizza"])
    assert hold_out_orders(realsumm, []) == {}


def test_predicted_orders_know_something_and_are_held_out(realsumm, realsumm_dir):
    """Better than chance, far from the truth, and the same again."""
    from scipy.stats import spearmanr

    from scoring.planning.orders import true_easiness

    folds = sorted(realsumm_dir.glob("by_examples/fold*.id"))
    orders = hold_out_orders(realsumm, ["giza", "damage"], folds)
    truth = true_easiness(realsumm.own_texts)
    known = ~np.isnan(truth)
    rho = spearmanr(np.asarray(orders["giza"])[known], truth[known]).statistic
    assert 0.25 < rho < 0.8
    # The less damage, the easier: what is predicted to do harm ranks low.
    damage = true_damage(SentenceTables.of(realsumm))
    assert spearmanr(orders["damage"], -damage).statistic > 0.05
