"""The alternative annotator test."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from scoring.aggregation import AnswerRow, build_answers
from scoring.errors import InputError
from scoring.estimation import replace_annotators
from scoring.estimation.replacement import MAY, NOT_SHOWN, UNTOLD, say_verdict

STATEMENTS = 40


def make_answers(said, per_document=1):
    """*said* is annotators × statements; each document has as many statements as told."""
    return build_answers(
        AnswerRow(
            f"d{place // per_document:03}", "s", f"{place:03}", f"w{worker}", "", bool(answer)
        )
        for (worker, place), answer in np.ndenumerate(np.asarray(said))
        if answer >= 0
    )


def align(answers, judge):
    """The judge's answers in the order of the answers' statements."""
    return [judge[int(key)] for key in answers.statement_keys]


def draw(seed, right, judge_right, people=4, statements=STATEMENTS):
    rng = np.random.default_rng(seed)
    truth = rng.random(statements) < 0.5
    chances = [judge_right, *[right] * people]
    said = np.array([np.where(rng.random(statements) < each, truth, ~truth) for each in chances])
    return said[1:].astype(int), said[0].astype(float)


def test_it_counts_wins_by_hand():
    """Three annotators on 40 statements of which the judge, or the first, errs on a few."""
    said = np.ones((3, STATEMENTS), dtype=int)
    said[0, :4] = 0  # disagrees with both others
    judge = np.ones(STATEMENTS)
    judge[2:8] = 0  # with the first on two, alone on four
    answers = make_answers(said)
    found = replace_annotators(answers, align(answers, judge), epsilon=0.2)
    first, second = found.annotators[0], found.annotators[1]
    # Against the first: alone wrong on 4..7; the first alone wrong on 0 and 1; equal elsewhere.
    assert (first.judge_wins, first.annotator_wins) == (36 / 40, 38 / 40)
    # Against the second, whose others are the first and the third: 2, 3 split them, so are equal.
    assert (second.judge_wins, second.annotator_wins) == (36 / 40, 1.0)
    assert found.advantage == pytest.approx(36 / 40)
    gaps = np.zeros(STATEMENTS)
    gaps[:2], gaps[4:8] = -1, 1
    assert first.p == pytest.approx(stats.ttest_1samp(gaps, 0.2, alternative="less").pvalue)


@pytest.mark.parametrize("seed", range(3))
def test_it_is_the_papers_test_where_each_statement_has_a_document(seed):
    """Indicators and t-tests in plain loops, Benjamini and Yekutieli's correction by scipy."""
    said, judge = draw(seed, 0.8, 0.75)
    answers = make_answers(said)
    found = replace_annotators(answers, align(answers, judge), epsilon=0.15)
    p_values, advantages = [], []
    for worker in range(4):
        others = np.delete(said, worker, axis=0)
        own, machine = ((others == each).mean(axis=0) for each in (said[worker], judge))
        gaps = (own >= machine).astype(float) - (machine >= own)
        p_values.append(stats.ttest_1samp(gaps, 0.15, alternative="less").pvalue)
        advantages.append((machine >= own).mean())
    assert [row.p for row in found.annotators] == pytest.approx(p_values, rel=1e-9)
    corrected = stats.false_discovery_control(p_values, method="by")
    assert [row.p_corrected for row in found.annotators] == pytest.approx(corrected, rel=1e-9)
    assert found.winning_rate == np.mean(corrected <= 0.05)
    assert found.advantage == pytest.approx(np.mean(advantages))


def test_statements_of_one_document_count_as_one_observation():
    """Each statement four times over: the paper's t would double, ours stays about the same."""
    said, judge = draw(5, 0.8, 0.8)
    once = make_answers(said)
    again = make_answers(np.repeat(said, 4, axis=1), per_document=4)
    p = [
        replace_annotators(each, align(each, answer)).annotators[0].p
        for each, answer in ((once, judge), (again, np.repeat(judge, 4)))
    ]
    assert p[0] == pytest.approx(p[1], rel=1e-9)


def test_a_good_judge_may_replace_people():
    said, judge = draw(1, 0.75, 0.95, statements=200)
    answers = make_answers(said)
    found = replace_annotators(answers, align(answers, judge))
    assert (found.verdict, found.winning_rate) == (MAY, 1.0)
    assert found.sentence.startswith("The judge can replace annotators here")
    assert "4 of 4" in found.sentence


def test_a_coin_is_not_shown_to():
    said, judge = draw(1, 0.9, 0.5, statements=200)
    answers = make_answers(said)
    found = replace_annotators(answers, align(answers, judge))
    assert (found.verdict, found.winning_rate) == (NOT_SHOWN, 0.0)
    assert found.sentence.startswith("The test does not show")


def test_no_verdict_is_drawn_from_two_annotators():
    """However good the judge is."""
    said, judge = draw(1, 0.75, 0.95, people=2, statements=200)
    answers = make_answers(said)
    found = replace_annotators(answers, align(answers, judge))
    assert (found.verdict, found.winning_rate, len(found.annotators)) == (UNTOLD, 1.0, 2)
    assert found.sentence.startswith("Not tested: 2 annotators")


def test_no_verdict_is_drawn_of_a_judge_that_learned_from_these_answers():
    said, judge = draw(1, 0.75, 0.95, statements=200)
    answers = make_answers(said)
    found = replace_annotators(answers, align(answers, judge), has_learned=True)
    assert found.verdict == UNTOLD
    assert "was trained on these labels" in say_verdict(found.to_json())


def test_annotators_who_share_little_are_skipped():
    said, judge = draw(1, 0.8, 0.8)
    said[3, 29:] = -1
    judge[:5] = math.nan
    answers = make_answers(said)
    found = replace_annotators(answers, align(answers, judge))
    assert (len(found.annotators), found.skipped) == (3, 1)
    assert {row.statements for row in found.annotators} == {35}
    crowded = make_answers(said[:3], per_document=10)
    assert replace_annotators(crowded, align(crowded, judge)).verdict == UNTOLD


@pytest.mark.parametrize(
    ("judge", "options", "words"),
    [
        ([1.0], {}, "40 statements"),
        ([0.5] * STATEMENTS, {}, "present"),
        ([1.0] * STATEMENTS, {"epsilon": 1.0}, "from 0"),
    ],
)
def test_it_refuses_what_it_cannot_test(judge, options, words):
    with pytest.raises(InputError, match=words):
        replace_annotators(make_answers(np.ones((3, STATEMENTS))), judge, **options)
