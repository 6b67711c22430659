"""Realistic pairs: τ on systems that a metric scores nearly alike."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.metaeval.draws import METHODS, Resampling
from scoring.metaeval.levels import correlate_all
from scoring.metaeval.pairs import close_pairs, gap_of_share, gap_tau, heat_map
from tests.scoring.metaeval.studies import make_study, random_study

FEW = Resampling(resamples=40)
# Metric means 0 1 3 7: gaps 1 2 3 4 6 7. People put the second below the first.
MEANS = np.array([0.0, 1, 3, 7])
PEOPLE = np.array([2.0, 1, 3, 4])


def plain_tau(first, second, low, high):
    """Pair by pair."""
    counts = dict.fromkeys("PQTU", 0)
    pairs = 0
    for i in range(len(first)):
        for j in range(i):
            one, two = first[i] - first[j], second[i] - second[j]
            if not low <= abs(one) <= high:
                continue
            pairs += 1
            if one and two:
                counts["P" if one * two > 0 else "Q"] += 1
            elif two:
                counts["T"] += 1
            elif one:
                counts["U"] += 1
    ranked = counts["P"] + counts["Q"]
    scale = np.sqrt((ranked + counts["T"]) * (ranked + counts["U"]))
    return ((counts["P"] - counts["Q"]) / scale if scale else np.nan), pairs


@pytest.mark.parametrize(
    "low, high, tau, pairs",
    [(0, 1, -1, 1), (0, 2, 0, 2), (0, 7, 4 / 6, 6), (2, 7, 1, 5), (1, 1, -1, 1), (5, 5.5, None, 0)],
)
def test_both_bounds_are_included(low, high, tau, pairs):
    found, count = gap_tau(MEANS, PEOPLE, low, high)
    assert count == pairs
    assert float(found) == pytest.approx(np.nan if tau is None else tau, nan_ok=True)


@given(
    st.lists(st.integers(0, 5), min_size=6, max_size=6),
    st.lists(st.integers(0, 3), min_size=6, max_size=6),
    st.integers(0, 3),
    st.integers(0, 6),
)
def test_it_counts_as_the_formula_does(first, second, low, more):
    found, pairs = gap_tau(np.array(first, float), np.array(second, float), low, low + more)
    tau, count = plain_tau(first, second, low, low + more)
    assert int(pairs) == count
    assert float(found) == pytest.approx(tau, nan_ok=True)


def test_the_share_of_closest_pairs_gives_the_gap():
    assert gap_of_share(MEANS, 0) == 0
    assert gap_of_share(MEANS, 50) == 3
    assert gap_of_share(MEANS, 100) == 7
    assert gap_of_share(MEANS, 20) == 1  # 1.2 of six pairs
    with pytest.raises(ValueError, match="101 %"):
        gap_of_share(MEANS, 101)


def test_all_pairs_are_the_plain_tau():
    study = random_study()
    rows = close_pairs(study, "m1", resampling=FEW)
    assert [row.to_share for row in rows] == list(range(10, 101, 10))
    assert rows[-1].pairs == 28
    assert rows[-1].tau == pytest.approx(
        correlate_all(study, "m1", level="system")["kendall"].value
    )
    assert [row.pairs for row in rows] == sorted(row.pairs for row in rows)


def test_a_given_gap_stands_beside_the_shares():
    study = make_study({"human": PEOPLE[:, None], "m": MEANS[:, None]})
    rows = close_pairs(study, "m", shares=[100], gaps=[2.0], resampling=FEW)
    assert (rows[1].high, rows[1].pairs, rows[1].tau) == (2, 2, 0)
    assert rows[1].to_share is None


def test_the_heat_map_has_every_two_shares():
    study = random_study()
    rows = heat_map(study, "m1", shares=[20, 60, 100], resampling=FEW)
    cells = [(row.from_share, row.to_share) for row in rows]
    assert cells == [(0, 20), (0, 60), (0, 100), (20, 60), (20, 100), (60, 100)]
    first = close_pairs(study, "m1", shares=[20, 60, 100], resampling=FEW)
    assert rows[:3] == first


@pytest.mark.parametrize("method", METHODS)
def test_each_has_an_interval_from_resamples(method):
    study = random_study(systems=10)
    rows = close_pairs(study, "m1", resampling=Resampling(method, 200))
    for row in rows:
        assert row.method == method
        assert -1 <= row.ci_low <= row.ci_high <= 1
    assert rows == close_pairs(study, "m1", resampling=Resampling(method, 200))


def test_resamples_without_an_ordered_pair_are_counted():
    study = random_study(systems=4, documents=5)
    [row] = close_pairs(study, "m1", shares=[], gaps=[0.05], resampling=Resampling(resamples=100))
    assert row.undefined > 0


def test_a_system_without_a_score_is_in_no_pair():
    study = random_study()
    study.people[0] = np.nan
    rows = close_pairs(study, "m1", shares=[100], resampling=FEW)
    assert rows[0].pairs == 21
