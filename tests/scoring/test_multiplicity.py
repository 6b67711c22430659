"""P values of many tests at once."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from scoring.multiplicity import adjust_known, benjamini_hochberg, holm

p_values = st.lists(st.floats(0, 1), max_size=20)


@pytest.mark.parametrize(
    "given_values, expected",
    [
        ([], []),
        ([0.03], [0.03]),
        ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),
        ([0.5, 0.6, 0.7], [1, 1, 1]),
        ([0.01, 0.01], [0.02, 0.02]),
    ],
)
def test_it_steps_down(given_values, expected):
    assert holm(given_values).tolist() == pytest.approx(expected)


@given(p_values)
def test_it_keeps_the_order_and_never_lowers(values):
    adjusted = holm(values)
    order = np.argsort(values, kind="stable")
    assert (np.diff(adjusted[order]) >= 0).all()
    assert (adjusted >= np.array(values)).all()
    assert (adjusted <= 1).all()


@given(p_values, st.sampled_from([0.01, 0.05, 0.2]))
def test_it_rejects_what_the_rule_rejects(values, level):
    """Holm's own words: go up from the smallest, stop at the first above level / what is left."""
    rejected = set()
    for step, place in enumerate(np.argsort(values, kind="stable").tolist()):
        if values[place] * (len(values) - step) > level:
            break
        rejected.add(place)
    assert set(np.flatnonzero(holm(values) <= level).tolist()) == rejected


@pytest.mark.parametrize(
    "given_values, expected",
    [([], []), ([0.03], [0.03]), ([0.01, 0.04, 0.03, 0.005], [0.02, 0.04, 0.04, 0.02])],
)
def test_it_steps_up(given_values, expected):
    assert benjamini_hochberg(given_values).tolist() == pytest.approx(expected)


@given(p_values.filter(bool))
def test_it_agrees_with_scipy_on_false_findings(values):
    expected = scipy.stats.false_discovery_control(values, method="bh")
    assert benjamini_hochberg(values) == pytest.approx(expected)


@given(p_values)
def test_false_findings_are_bounded_less_strictly(values):
    assert (benjamini_hochberg(values) <= holm(values) + 1e-12).all()


@pytest.mark.parametrize("by", [holm, benjamini_hochberg])
def test_a_test_that_was_not_made_counts_for_nothing(by):
    found = adjust_known([0.01, float("nan"), 0.03], by)
    assert np.isnan(found[1])
    assert found[[0, 2]].tolist() == by([0.01, 0.03]).tolist()


@pytest.mark.parametrize("by", [holm, benjamini_hochberg])
@pytest.mark.parametrize("wrong", [[1.1], [-0.1], [float("nan")], [[0.1]]])
def test_it_takes_probabilities_alone(by, wrong):
    with pytest.raises(ValueError, match="between 0 and 1"):
        by(wrong)
