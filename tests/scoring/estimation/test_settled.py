"""Accuracy by settled statements: small cases by hand, and a simulation with known truth."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.estimation.settled import (
    AGREE,
    DIFFER,
    SettledStatement,
    correct_score,
    find_chances,
    measure_settled,
    wilson_interval,
)


def rows(stratum: str, right: int, wrong: int, *, by_hand: bool = False) -> list[SettledStatement]:
    """Where they differ, one of both is right; where they agree, both are or neither is."""
    return [
        SettledStatement(stratum, is_right, is_right if stratum == AGREE else not is_right, by_hand)
        for is_right in [True] * right + [False] * wrong
    ]


def test_a_small_case_by_hand() -> None:
    """5 of 10 differences settled, 4 for the judge; 10 of 90 agreements, 9 right.

    Judge: (10 · .8 + 90 · .9) / 100 = .89. People: (10 · .2 + 90 · .9) / 100 = .83. Labels that are
    corrected where settled would have the judge right in 4 differences and 89 agreements: .93.
    """
    found = measure_settled([*rows(DIFFER, 4, 1), *rows(AGREE, 9, 1)], {DIFFER: 10, AGREE: 90})
    assert found.judge is not None
    assert found.people is not None
    assert found.judge.value == pytest.approx(0.89)
    assert found.people.value == pytest.approx(0.83)
    assert found.uncorrected == pytest.approx(0.93)
    assert found.judge.low < 0.89 < found.judge.high
    assert (found.settled, found.by_hand, found.drawn) == (15, 0, {DIFFER: 5, AGREE: 10})


def test_to_settle_all_differences_only_favours_the_judge() -> None:
    """All 10 differences are settled, 8 for the judge; of 90 agreements, 20 drawn, 18 right."""
    both = measure_settled([*rows(DIFFER, 8, 2), *rows(AGREE, 18, 2)], {DIFFER: 10, AGREE: 90})
    assert both.judge is not None
    assert both.judge.value == pytest.approx((8 + 90 * 0.9) / 100)
    alone = measure_settled(rows(DIFFER, 8, 2), {DIFFER: 10, AGREE: 90})
    assert alone.uncorrected == pytest.approx(0.98)
    assert (alone.judge, alone.people) == (None, None)


def test_what_was_picked_by_hand_stands_for_itself() -> None:
    """2 picked, both for people; 4 of the other 8 drawn, all for the judge; all agree rightly."""
    said = [*rows(DIFFER, 0, 2, by_hand=True), *rows(DIFFER, 4, 0), *rows(AGREE, 5, 0)]
    found = measure_settled(said, {DIFFER: 10, AGREE: 5})
    assert found.judge is not None
    assert found.judge.value == pytest.approx((8 + 5) / 15)
    assert found.by_hand == 2


def test_a_stratum_of_which_all_was_settled_leaves_no_doubt() -> None:
    found = measure_settled([*rows(DIFFER, 2, 1), *rows(AGREE, 4, 0)], {DIFFER: 3, AGREE: 4})
    assert found.judge is not None
    assert (found.judge.low, found.judge.high) == (found.judge.value, found.judge.value)
    assert wilson_interval(0.5, 7, 7) == (0.5, 0.5)


def test_wilsons_interval_is_that_of_the_books() -> None:
    """Wilson 1927: 8 of 10, from an endless population: .490 to .943."""
    low, high = wilson_interval(0.8, 10, 10**9)
    assert low == pytest.approx(0.4902, abs=1e-4)
    assert high == pytest.approx(0.9433, abs=1e-4)
    assert wilson_interval(1.0, 20, 10**9)[0] < 0.9


def test_more_settled_than_there_are_is_refused() -> None:
    with pytest.raises(ValueError, match="More statements are settled"):
        measure_settled(rows(AGREE, 3, 0), {DIFFER: 1, AGREE: 2})
    with pytest.raises(ValueError, match="More statements are settled"):
        measure_settled([], {})


def test_chances_are_shares_of_what_was_not_picked() -> None:
    assert find_chances({DIFFER: 5, AGREE: 10}, {DIFFER: 10, AGREE: 90}) == {
        DIFFER: 0.5,
        AGREE: pytest.approx(1 / 9),
    }
    assert find_chances({DIFFER: 0, AGREE: 1}, {DIFFER: 10, AGREE: 4}) == {AGREE: 0.25}


def test_a_score_is_corrected_by_one_over_the_chance() -> None:
    """Labels 1 1 0 0 of equal weight. The second was 0 before, settled with a chance of one half:
    its correction counts twice, so that the score is 1/4 + 2 · 1/4 = 3/4, not 2/4.
    """
    assert correct_score(0.5, [(1, 0, 0.5)], [1, 1, 0, 0], [1, 1, 1, 1]) == pytest.approx(0.75)
    assert correct_score(0.5, [(1, 0, 1.0)], [1, 1, 0, 0], [1, 1, 1, 1]) == 0.5
    assert correct_score(0.5, [(1, 1, 0.5)], [1, 1, 0, 0], [1, 1, 1, 1]) == 0.5
    assert correct_score(0.5, [(0, 1, 0.5)], [0, 1, None], [1, 1, 2]) == pytest.approx(0.0)
    assert correct_score(0.5, [(2, None, 0.5)], [0, 1, 1], [1, 1, 1]) == 0.5


def test_over_many_draws_it_is_unbiased_and_covers() -> None:
    """Of 900 statements judge and people differ on 180; both err, and agree in some errors."""
    rng = np.random.default_rng(5)
    differ = np.arange(900) < 180
    judge_right = np.where(differ, rng.random(900) < 0.6, rng.random(900) < 0.93)
    people_right = np.where(differ, ~judge_right, judge_right)
    accuracy = float(judge_right.mean())
    values, held = [], []
    for _ in range(400):
        chosen = [*rng.permutation(180)[:40], *(180 + rng.permutation(720)[:60])]
        said = [
            SettledStatement(
                DIFFER if differ[at] else AGREE, bool(judge_right[at]), bool(people_right[at])
            )
            for at in chosen
        ]
        found = measure_settled(said, {DIFFER: 180, AGREE: 720}).judge
        assert found is not None
        values.append(found.value)
        held.append(found.low <= accuracy <= found.high)
    assert np.mean(values) == pytest.approx(accuracy, abs=0.005)
    assert 0.93 <= np.mean(held) <= 0.98
