"""Coverage by simulation: counted right, the same again, and every kind of the table runs."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from scipy import stats

from scoring.cli import main
from scoring.coverage import KINDS, Kind, simulate_studies
from scoring.coverage.simulate import REJECTED, choose_kinds
from scoring.coverage.studies import holds, rejects
from scoring.errors import InputError


def five_normals(rng):
    """Intervals of a mean of 5: by t they hold it in 95 %, by normal quantiles in 87.8 %."""
    drawn = rng.standard_normal((40, 5))
    mean, error = drawn.mean(axis=1), stats.sem(drawn, axis=1)
    for name, reach in (("t", stats.t.ppf(0.975, 4)), ("normal", 1.96)):
        yield name, holds(mean - reach * error, mean + reach * error, 0.0)


def test_it_counts_what_the_textbook_says():
    t, normal = simulate_studies([Kind("mean of five", "nowhere", five_normals)], 400)
    assert t.share == pytest.approx(0.95, abs=0.006)
    wanted = 2 * stats.t.cdf(1.96, 4) - 1
    assert normal.share == pytest.approx(wanted, abs=0.01)
    assert (t.is_held, normal.is_held) == (True, False)
    assert t.error == pytest.approx(math.sqrt(0.95 * 0.05 / 16_000), rel=0.2)


def test_tests_should_reject_five_percent():
    def uniform(rng):
        yield "one", rejects(rng.random(20))
        yield "none", rejects([math.nan])

    [row] = simulate_studies([Kind("uniform", "nowhere", uniform, REJECTED)], 500)
    assert row.share == pytest.approx(0.05, abs=0.006)
    assert (row.is_test, row.is_held) == (True, True)


def test_what_was_not_made_is_left_out():
    assert holds([0.0, math.nan], [1.0, 1.0], [2.0, 0.5]).tolist() == [False]
    assert rejects([0.05, 0.06, math.nan]).tolist() == [True, False]


def test_a_kind_has_the_same_studies_whatever_stands_beside_it():
    both = choose_kinds(KINDS, ["system level, Fisher", "test: two metrics, Will"])
    found = simulate_studies(both, 5, seed=3)
    alone = simulate_studies(both[1:], 5, seed=3)
    assert found[-1:] == alone
    assert simulate_studies(both, 5, seed=4) != found


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_kind_can_be_simulated(kind):
    pairs = list(kind.study(np.random.default_rng(0)))
    names = [name for name, _ in pairs]
    assert len(set(names)) == len(names) > 0
    assert all(np.asarray(hits).dtype == bool for _, hits in pairs if len(hits))


def test_the_command_prints_a_table(capsys):
    asked = ["coverage", "--kind", "system level, Fisher", "--studies", "4"]
    assert main(asked) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0].startswith("| kind | variant |")
    assert len(out) == 2 + 3
    assert main([*asked, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [row["variant"] for row in found["rows"]] == ["pearson", "spearman", "kendall"]


def test_it_says_which_kinds_there_are(capsys):
    assert main(["coverage", "--kind", "odd"]) == 2
    assert "system level, Fisher" in capsys.readouterr().err
    with pytest.raises(InputError, match="Simulate 2"):
        simulate_studies(KINDS, 1)
