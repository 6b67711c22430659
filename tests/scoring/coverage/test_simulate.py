"""Coverage by simulation: counted right, the same again, and every kind of the table runs."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from scipy import stats

from scoring.cli import main
from scoring.cli.coverage import show
from scoring.coverage import KINDS, Kind, correlations, planning, simulate_studies
from scoring.coverage.simulate import choose_kinds
from scoring.coverage.studies import holds, rejects
from scoring.errors import InputError
from scoring.measured_coverage import REJECTED, read_measured, say_departures
from tests.documents import DOCS


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
    assert (t.verdict, normal.verdict) == ("yes", "no")
    assert t.error == pytest.approx(math.sqrt(0.95 * 0.05 / 16_000), rel=0.2)


def test_tests_should_reject_five_percent():
    def uniform(rng):
        yield "one", rejects(rng.random(20))
        yield "none", rejects([math.nan])

    [row] = simulate_studies([Kind("uniform", "nowhere", uniform, REJECTED)], 500)
    assert row.share == pytest.approx(0.05, abs=0.006)
    assert (row.is_test, row.verdict) == (True, "yes")


def test_a_share_near_the_range_is_not_called_wrong():
    """80 of 100 studies of two intervals hold both, 20 one: 90 %, with an error of 2 %."""
    numbers = iter(range(100))
    kind = Kind("near", "nowhere", lambda _: [("one", [True, next(numbers) % 5 > 0])])
    [row] = simulate_studies([kind], 100)
    assert (row.share, row.error) == pytest.approx((0.9, 0.02))
    assert row.verdict == "perhaps"


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
def test_every_kind_can_be_simulated(kind, monkeypatch):
    monkeypatch.setattr(planning, "DRAWS", 3)
    pairs = list(kind.study(np.random.default_rng(0)))
    names = [name for name, _ in pairs]
    assert len(set(names)) == len(names) > 0
    assert all(np.asarray(hits).dtype == bool for _, hits in pairs if len(hits))


def test_the_truth_of_close_pairs_is_that_of_all_pairs_where_none_is_left_out():
    """τ of normals is 2 asin(ρ) / π, and of pairs that hardly differ 0."""
    close = correlations._true_of_close
    assert close(20.0) == pytest.approx(2 / math.pi * math.asin(correlations.RHO), abs=1e-3)
    assert close(1e-6) == pytest.approx(0, abs=1e-5)
    assert close(0.1) < close(1.0) < close(20.0)


def test_easiness_gains_what_a_regressor_errs_less():
    """Folded normals, by their closed form."""
    spread = math.hypot(0.08, 0.1)

    def mean(centre):
        tail = spread * math.sqrt(2 / math.pi) * math.exp(-(centre**2) / (2 * spread**2))
        return tail + centre * (1 - 2 * stats.norm.cdf(-centre / spread))

    assert planning._true_error_gap() == pytest.approx(mean(0.3) - mean(0.2), abs=5e-4)


def test_what_was_measured_has_every_kind_and_variant():
    wanted = [
        (kind.name, name) for kind in KINDS for name, _ in kind.study(np.random.default_rng(0))
    ]
    found = read_measured()
    assert [(row["kind"], row["variant"]) for row in found["rows"]] == wanted
    assert (found["studies"], found["seed"]) == (1000, 0)


def test_the_documents_show_what_was_measured():
    assert show(read_measured()) in (DOCS / "science.md").read_text(encoding="utf-8")


def test_what_departs_is_said_where_it_is_shown(monkeypatch):
    rows = [
        {"kind": "a", "variant": "tau", "verdict": "no", "share": 0.988, "is_test": False},
        {"kind": "a", "variant": "rho", "verdict": "perhaps", "share": 0.925, "is_test": False},
        {"kind": "b", "variant": "all", "verdict": "no", "share": 0.417, "is_test": True},
    ]
    monkeypatch.setattr(
        "scoring.measured_coverage.read_measured", lambda: {"studies": 1000, "rows": rows}
    )
    assert "tau: 98.8 %" in say_departures("a")
    assert "rho" not in say_departures("a")
    assert "all: 41.7 %" in say_departures("b")
    assert say_departures("a", "r") == say_departures("c") == ""


def test_saving_some_kinds_keeps_the_others(tmp_path, monkeypatch, capsys):
    path = tmp_path / "measured.json"
    monkeypatch.setattr("scoring.cli.coverage.FILE", path)
    monkeypatch.setattr("scoring.measured_coverage.FILE", path)
    read_measured.cache_clear()
    asked = ["coverage", "--studies", "3", "--save", "--kind"]
    for name in ("test: two metrics, Will", "system level, Fisher", "test: two metrics, Will"):
        assert main([*asked, name]) == 0
    kinds = [row["kind"] for row in json.loads(path.read_text())["rows"]]
    assert kinds == ["system level, Fisher"] * 3 + ["test: two metrics, Williams"]
    assert main(["coverage", "--studies", "4", "--save", "--kind", "system level, Fisher"]) == 2
    assert "3 studies" in capsys.readouterr().err
    read_measured.cache_clear()


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
    with pytest.raises(InputError, match="at least 2"):
        simulate_studies(KINDS, 1)
