"""Agreement of judgements."""

from __future__ import annotations

import krippendorff
import numpy as np
import pytest
from hypothesis import given

from scoring.aggregation import (
    UNDEFINED,
    fleiss_kappa,
    measure_agreement,
    nominal_alpha,
    percent_agreement,
    report_agreement,
    simulate_campaign,
)
from tests.scoring.aggregation.grids import answers_of, grids, ratings_of


def counts(*rows):
    return np.array(rows, dtype=np.int64)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([(0, 4), (4, 0), (0, 4)], 1.0),
        # By hand: observed 3.2 of 20 pairs, expected 2 * 13 * 7 / (20 * 19).
        ([(0, 4), (1, 3), (4, 0), (2, 2), (0, 4)], 1 - (3 / 3 + 4 / 3) * 2 / 20 / (182 / 380)),
    ],
)
def test_it_agrees_with_arithmetic(rows, expected):
    assert measure_agreement(counts(*rows)).alpha == pytest.approx(expected)


def test_it_leaves_missing_answers_missing():
    """Two of four people answered everything alike: that is full agreement."""
    ratings = np.array([[1, 0, 1, 0], [1, 0, 1, 0], [np.nan] * 4, [np.nan] * 4])
    alpha = krippendorff.alpha(ratings, level_of_measurement="nominal")
    assert measure_agreement(counts((0, 2), (2, 0), (0, 2), (2, 0))).alpha == alpha == 1.0


def test_it_leaves_out_statements_with_one_answer():
    with_single = measure_agreement(counts((0, 4), (4, 0), (1, 0)))
    assert with_single == measure_agreement(counts((0, 4), (4, 0)))


def test_it_says_when_agreement_cannot_be_told():
    assert measure_agreement(counts((1, 0), (0, 1))).alpha is None


def test_it_calls_no_variation_full_agreement():
    assert measure_agreement(counts((0, 4), (0, 3))).alpha == 1.0


def test_it_gives_an_interval_around_alpha_that_a_seed_repeats():
    drawn = np.random.default_rng(7).multinomial(4, [0.3, 0.7], size=200)
    noise = np.where(np.arange(200)[:, None] % 3 == 0, drawn, [[0, 4]])
    found = measure_agreement(noise, seed=1)
    assert found.low is not None
    assert found.high is not None
    assert found.low < nominal_alpha(noise) < found.high
    assert found == measure_agreement(noise, seed=1)
    assert found.alpha == nominal_alpha(noise)


@given(grids(least_people=2))
def test_it_has_the_alpha_of_the_krippendorff_package_in_every_summary(grid):
    answers = answers_of(grid)
    found = report_agreement(answers, samples=0).by_summary
    for code, summary in enumerate(answers.summary_keys):
        ratings = ratings_of(grid[summary])
        pairable = ratings[:, (~np.isnan(ratings)).sum(axis=0) >= 2]
        values = set(pairable[~np.isnan(pairable)].tolist())
        assert found.counted[code] == bool(values)
        if len(values) == 2:
            alpha = krippendorff.alpha(ratings, level_of_measurement="nominal")
            assert found.alphas[code] == pytest.approx(alpha, abs=1e-12)
        elif values:
            assert found.alphas[code] == 1.0


@given(grids(least_people=2))
def test_it_has_the_alpha_of_the_krippendorff_package_over_all(grid):
    found = report_agreement(answers_of(grid), samples=0).pooled
    width = max(len(marks) for people in grid.values() for marks in people.values())
    people = sorted({worker for group in grid.values() for worker in group})
    whole = {
        worker: "".join(group.get(worker, "").ljust(width, "-") for group in grid.values())
        for worker in people
    }
    ratings = ratings_of(whole)
    pairable = ratings[:, (~np.isnan(ratings)).sum(axis=0) >= 2]
    if len(set(pairable[~np.isnan(pairable)].tolist())) == 2:
        alpha = krippendorff.alpha(ratings, level_of_measurement="nominal")
        assert found.alpha == pytest.approx(alpha, abs=1e-12)
    else:
        assert found.alpha == (1.0 if pairable.size else None)


GRID = {
    "d1/a": {"x": "ppn", "y": "pnn", "z": "ppn"},
    "d1/b": {"x": "nnn", "y": "nnn"},
    "d2/a": {"x": "pn"},
}


def test_it_names_its_choice_for_what_is_undefined():
    one, skip = (report_agreement(answers_of(GRID), undefined=name) for name in UNDEFINED)
    assert one.by_summary.mean == pytest.approx((one.by_summary.alphas[0] + 1) / 2)
    assert skip.by_summary.mean == pytest.approx(one.by_summary.alphas[0])
    for found in (one, skip):
        assert (found.by_summary.undefined, found.by_summary.untold) == (1, 1)
        assert not np.isnan(found.by_summary.alphas).any()
    assert (one.by_summary.groups, skip.by_summary.groups) == (2, 1)
    with pytest.raises(ValueError, match="'zero' is not .* one, skip"):
        report_agreement(answers_of(GRID), undefined="zero")


def test_it_skips_a_whole_campaign_without_variation():
    flat = answers_of({"d/s": {"x": "pp", "y": "pp"}})
    one, skip = (report_agreement(flat, undefined=name) for name in UNDEFINED)
    assert (one.pooled.alpha, one.by_system.mean, one.fleiss_kappa) == (1.0, 1.0, 1.0)
    assert (skip.pooled.alpha, skip.by_system.mean, skip.fleiss_kappa) == (None, None, None)
    assert skip.by_system.low is None


def test_it_groups_statements_by_document_and_system():
    found = report_agreement(answers_of(GRID), samples=0)
    both = answers_of({"d/s": {"x": "ppnnnn", "y": "pnnnnn", "z": "ppn---"}})
    assert found.by_document.alphas[0] == pytest.approx(report_agreement(both).pooled.alpha)
    assert found.by_document.counted.tolist() == [True, False]
    assert found.by_system.alphas[0] == found.by_summary.alphas[0]


def test_it_gives_intervals_that_a_seed_repeats_or_none():
    answers = simulate_campaign(seed=2, documents=20, systems=3).answers
    first = report_agreement(answers, seed=1)
    for level in (first.by_summary, first.by_document, first.by_system):
        assert level.low is not None
        assert level.high is not None
        assert level.mean is not None
        assert level.low < level.mean < level.high
    assert first.by_summary.low == report_agreement(answers, seed=1).by_summary.low
    assert first.by_summary.low != report_agreement(answers, seed=2).by_summary.low
    without = report_agreement(answers, samples=0)
    assert (without.by_summary.low, without.pooled.high) == (None, None)


def test_it_resamples_kinds_of_statements_as_if_they_were_statements():
    """The interval of the mean of drawn statements, one by one, is the same up to chance."""
    drawn = np.random.default_rng(3).multinomial(4, [0.5, 0.5], size=60)
    rng = np.random.default_rng(0)
    slow = [nominal_alpha(drawn[rng.integers(60, size=60)]) for _ in range(2000)]
    found = measure_agreement(drawn, samples=2000)
    assert [found.low, found.high] == pytest.approx(np.percentile(slow, [2.5, 97.5]), abs=0.02)


@pytest.mark.parametrize(
    ("rows", "percent", "kappa"),
    [
        ([(0, 2), (2, 0)], 1.0, 1.0),
        ([(1, 1), (1, 1)], 0.0, -1.0),
        # Shares of agreeing pairs 1, 1/2, 1/3; half of the answers are absent.
        ([(0, 4), (3, 1), (2, 2), (1, 0)], (1 + 1 / 2 + 1 / 3) / 3, None),
        ([(1, 0), (0, 1)], None, None),
    ],
)
def test_it_knows_percent_agreement_and_kappa(rows, percent, kappa):
    assert percent_agreement(counts(*rows)) == (percent and pytest.approx(percent))
    if kappa is not None or percent is None:
        assert fleiss_kappa(counts(*rows)) == kappa


def test_it_has_the_kappa_of_the_textbook():
    """Fleiss (1971), equations 3 to 7, term by term: ten subjects, six raters."""
    table = counts((6, 0), (4, 2), (5, 1), (0, 6), (3, 3), (1, 5), (6, 0), (2, 4), (6, 0), (0, 6))
    agreed = sum(n * (n - 1) for row in table.tolist() for n in row) / (10 * 6 * 5)
    by_chance = sum((column / 60) ** 2 for column in table.sum(axis=0).tolist())
    assert fleiss_kappa(table) == pytest.approx((agreed - by_chance) / (1 - by_chance))
