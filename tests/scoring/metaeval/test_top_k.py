"""Correlation among the best systems."""

from __future__ import annotations

import pytest

from scoring.metaeval.levels import correlate_all
from scoring.metaeval.study import choose_top
from scoring.metaeval.top_k import top_k_curve
from tests.scoring.metaeval.studies import make_study, random_study


def test_it_is_the_correlation_of_the_chosen_systems():
    study = random_study(missing=0.1)
    for row in top_k_curve(study):
        alone = correlate_all(choose_top(study, row.k), row.metric, level="system")
        assert row.value == pytest.approx(alone[row.measure].value)
        assert row.level == "system"


def test_it_goes_from_all_systems_down_to_four():
    ks = dict.fromkeys(row.k for row in top_k_curve(random_study()))
    assert list(ks) == [8, 7, 6, 5, 4]


def test_a_metric_may_fail_among_the_best_alone():
    people = [[1], [2], [3], [8], [9], [10]]
    study = make_study({"human": people, "m": [[1], [2], [3], [10], [9], [8]]})
    found = {row.k: row.value for row in top_k_curve(study, ks=[6, 3], measures=["kendall"])}
    assert found[6] > 0.5
    assert found[3] == -1


@pytest.mark.parametrize("k", [1, 9])
def test_it_refuses_a_k_that_can_not_be(k):
    with pytest.raises(ValueError, match=f"k can't be {k}: people ranked 8 systems"):
        top_k_curve(random_study(), ks=[k])
