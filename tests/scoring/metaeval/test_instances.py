"""What more inputs do for system scores and rankings."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.metaeval.instances import rank_stability, score_variance, sizes_up_to
from tests.scoring.metaeval.studies import make_study, random_study


def partly_judged(documents=200, judged=20):
    study = random_study(systems=6, documents=documents)
    study.people[:, judged:] = np.nan
    return study


def test_variance_falls_with_the_number_of_inputs():
    """That of a mean of M is a cell's variance by M."""
    study = partly_judged()
    found = score_variance(study, "m1", resamples=2000)
    plain = study.scores["m1"].var(axis=1).mean()
    assert (found.judged, found.every) == (20, 200)
    assert found.on_judged == pytest.approx(plain / 20, rel=0.1)
    assert found.on_every == pytest.approx(plain / 200, rel=0.1)
    assert found.reduction == pytest.approx(0.9, abs=0.03)


def test_nothing_is_gained_where_all_is_judged():
    found = score_variance(random_study(), "m1", resamples=30)
    assert found.judged == found.every
    assert found.reduction == 0


def test_rankings_grow_stable():
    rows = rank_stability(partly_judged(), "m1", resamples=200)
    assert [row.inputs for row in rows] == [5, 10, 20, 50, 100, 200]
    means = [row.mean for row in rows]
    assert means[0] < means[2] < means[-1]
    assert rows[-1].mean > 0.8
    assert all(0 < row.sd < 1 for row in rows[:3])


def test_people_are_ranked_on_what_they_judged():
    study = partly_judged()
    rows = rank_stability(study, study.human, resamples=20)
    assert rows[-1].inputs == 20


def test_a_clear_order_is_stable_from_the_start():
    scores = np.arange(5.0)[:, None] + np.random.default_rng(0).random((5, 30)) * 0.1
    rows = rank_stability(make_study({"human": scores}), "human", sizes=[1, 3], resamples=50)
    assert [(row.mean, row.sd) for row in rows] == [(1, 0), (1, 0)]


def test_rankings_that_are_all_ties_are_counted():
    rows = rank_stability(make_study({"human": np.ones((3, 4))}), "human", sizes=[2], resamples=7)
    assert np.isnan(rows[0].mean)
    assert rows[0].undefined == 7


def test_the_same_seed_gives_the_same_curve():
    study = random_study()
    one, two, other = (
        rank_stability(study, "m1", sizes=[5], resamples=30, seed=seed) for seed in (1, 1, 2)
    )
    assert one == two != other


@pytest.mark.parametrize(
    "most, expected",
    [(3, [3]), (5, [5]), (100, [5, 10, 20, 50, 100]), (120, [5, 10, 20, 50, 100, 120])],
)
def test_sizes_go_up_to_the_whole(most, expected):
    assert sizes_up_to(most) == expected


def test_it_refuses_a_ranking_of_nothing():
    with pytest.raises(ValueError, match="at least 1 input"):
        rank_stability(random_study(), "m1", sizes=[0])
    with pytest.raises(ValueError, match="a score"):
        rank_stability(make_study({"human": np.full((2, 2), np.nan)}), "human")
