"""Williams' test."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats

from scoring.metaeval.williams import compare_by_williams, williams_t, williams_test
from scoring.multiplicity import benjamini_hochberg, holm
from tests.scoring.metaeval.studies import make_study, random_study


def test_t_by_hand():
    """n = 103, r = .5, .3 and .4: K = 1 − .25 − .09 − .16 + .12 = .62."""
    below = 2 * 0.62 * 102 / 100 + 0.4**2 * 0.6**3
    assert williams_t(0.5, 0.3, 0.4, 103) == pytest.approx(0.2 * math.sqrt(102 * 1.4 / below))


def test_p_values_are_of_student_with_n_less_3():
    found = williams_test(random_study(systems=12), "m1", "m2")
    assert found.systems == 12
    assert found.p_one_sided == pytest.approx(scipy.stats.t.sf(found.t, 9))
    assert found.p_two_sided == pytest.approx(2 * found.p_one_sided)
    assert (found.level, found.measure) == ("system", "pearson")


def test_the_higher_metric_stands_first():
    study = random_study(systems=12)
    forth, back = (williams_test(study, *pair) for pair in (("m1", "m2"), ("m2", "m1")))
    assert forth == back
    assert forth.r_first >= forth.r_second
    assert forth.p_one_sided <= 0.5


def test_pairs_are_corrected_together():
    rows = compare_by_williams(random_study(systems=12, metrics=3))
    for side in ("one", "two"):
        plain = [getattr(row, f"p_{side}_sided") for row in rows]
        by_holm = [getattr(row, f"p_{side}_sided_holm") for row in rows]
        by_bh = [getattr(row, f"p_{side}_sided_bh") for row in rows]
        assert by_holm == pytest.approx(holm(plain).tolist())
        assert by_bh == pytest.approx(benjamini_hochberg(plain).tolist())


def test_three_systems_are_too_few():
    found = williams_test(random_study(systems=3), "m1", "m2")
    assert math.isnan(found.t)
    assert math.isnan(found.p_two_sided)


def test_the_same_metric_twice_leaves_nothing_to_test():
    table = np.arange(10.0).reshape(5, 2)
    human = table + np.array([[0.0, 1], [2, 0], [0, 0], [1, 0], [0, 3]])
    study = make_study({"human": human, "m1": table, "m2": 2 * table})
    [row] = compare_by_williams(study)
    assert math.isnan(row.t) or row.t == pytest.approx(0, abs=1e-6)


def test_the_test_keeps_its_level_under_chance():
    """Two equally good metrics: about one in twenty is found to differ."""
    rng = np.random.default_rng(0)
    found = 0
    for _ in range(400):
        human = rng.normal(size=(20, 1))
        tables = {name: human + rng.normal(size=(20, 1)) for name in ("m1", "m2")}
        row = williams_test(make_study({"human": human, **tables}), "m1", "m2")
        found += row.p_two_sided <= 0.05
    assert 0.02 <= found / 400 <= 0.09


def test_the_effect_is_cohens_q():
    found = williams_test(random_study(systems=12), "m1", "m2")
    assert found.q == pytest.approx(np.arctanh(found.r_first) - np.arctanh(found.r_second))
    assert found.q >= 0
