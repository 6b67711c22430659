"""Tests of the difference between two metrics' correlations."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from scoring.metaeval.draws import METHODS
from scoring.metaeval.levels import correlate_all
from scoring.metaeval.permutation import compare_metrics, permutation_test
from scoring.metaeval.rows import correlate_rows
from scoring.multiplicity import benjamini_hochberg, holm
from tests.scoring.metaeval.studies import make_study, random_study


def good_and_bad(systems=10, documents=15):
    """A metric that is people's score with a little noise, and one that is noise alone."""
    rng = np.random.default_rng(0)
    human = rng.normal(size=(systems, 1)) + 0.3 * rng.normal(size=(systems, documents))
    noise = [rng.normal(size=(systems, documents)) for _ in range(2)]
    return make_study({"human": human, "good": human + 0.2 * noise[0], "bad": noise[1]})


@pytest.mark.parametrize("level", ["system", "summary"])
@pytest.mark.parametrize("method", METHODS)
def test_it_tells_a_good_metric_from_noise(method, level):
    study = good_and_bad()
    found = permutation_test(study, "good", "bad", method=method, level=level, resamples=300)
    values = [correlate_all(study, name, level=level)["kendall"].value for name in ("good", "bad")]
    assert found.difference == pytest.approx(values[0] - values[1])
    assert found.p_two_sided < 0.02
    assert found.p_one_sided < 0.02
    turned = permutation_test(study, "bad", "good", method=method, level=level, resamples=300)
    assert turned.difference == pytest.approx(-found.difference)
    assert turned.p_one_sided > 0.9


@pytest.mark.parametrize("level", ["system", "summary"])
@pytest.mark.parametrize("method", METHODS)
def test_a_metric_does_not_differ_from_itself(method, level):
    study = random_study()
    study.scores["m2"][:] = 3 * study.scores["m1"] + 7
    found = permutation_test(study, "m1", "m2", method=method, level=level, resamples=50)
    assert found.difference == pytest.approx(0)
    assert found.p_two_sided == 1


@pytest.mark.parametrize("method", METHODS)
def test_random_swaps_agree_with_all_of_them(method):
    """Of a study so small that every swap can be written out."""
    study = random_study(systems=4, documents=2, seed=4)
    shape = {"inputs": (1, 2), "systems": (4, 1), "both": (4, 2)}[method]
    one, two = (
        (table - table.mean()) / table.std() for table in (study.scores["m1"], study.scores["m2"])
    )

    def difference(swap):
        pair = [np.where(swap, two, one), np.where(swap, one, two)]
        people = study.people.mean(axis=1)
        values = [correlate_rows(table.mean(axis=1), people, ["pearson"]) for table in pair]
        return float(values[0]["pearson"] - values[1]["pearson"])

    swaps = [
        np.array(bits, dtype=bool).reshape(shape)
        for bits in itertools.product([0, 1], repeat=shape[0] * shape[1])
    ]
    seen = difference(swaps[0])
    share = np.mean([abs(difference(swap)) >= abs(seen) - 1e-12 for swap in swaps])
    found = permutation_test(
        study, "m1", "m2", method=method, measure="pearson", resamples=4000, seed=1
    )
    assert found.difference == pytest.approx(seen)
    assert found.p_two_sided == pytest.approx(share, abs=0.03)


def test_missing_cells_are_left_out_of_both():
    study = random_study(missing=0.2)
    both = ~(np.isnan(study.scores["m1"]) | np.isnan(study.scores["m2"]) | np.isnan(study.people))
    for table in study.scores.values():
        table[~both] = np.nan
    found = permutation_test(study, "m1", "m2", method="both", resamples=20)
    values = [correlate_all(study, name, level="system")["kendall"].value for name in study.metrics]
    assert found.difference == pytest.approx(values[0] - values[1])


def test_all_pairs_are_corrected_together():
    rows = compare_metrics(random_study(metrics=3), method="inputs", most=40, seed=2)
    assert [(row.first, row.second) for row in rows] == [("m1", "m2"), ("m1", "m3"), ("m2", "m3")]
    plain = [row.p_two_sided for row in rows]
    assert [row.p_two_sided_holm for row in rows] == pytest.approx(holm(plain).tolist())
    assert [row.p_two_sided_bh for row in rows] == pytest.approx(benjamini_hochberg(plain).tolist())


def test_the_same_seed_gives_the_same_p():
    study = random_study()
    found = [permutation_test(study, "m1", "m2", method="both", resamples=99) for _ in range(2)]
    assert found[0] == found[1]


def many_metrics():
    """Ten metrics of six qualities: clear differences, and some that are hard to settle."""
    rng = np.random.default_rng(4)
    human = rng.normal(size=(12, 1)) + 0.3 * rng.normal(size=(12, 20))
    noise = (0.2, 0.2, 0.4, 0.8, 0.8, 1.6, 3, 3, 6, 6)
    metrics = {
        f"m{place}": human + size * rng.normal(size=human.shape) for place, size in enumerate(noise)
    }
    return make_study({"human": human} | metrics)


@pytest.mark.parametrize("level, method", [("system", "both"), ("summary", "inputs")])
def test_seeds_agree_but_where_a_verdict_is_not_settled(level, method):
    study = many_metrics()
    found = [
        compare_metrics(study, method=method, level=level, most=20_000, seed=seed)
        for seed in range(3)
    ]
    significant = 0
    for rows in zip(*found, strict=True):
        for name, field in (("p", ""), ("holm", "_holm"), ("benjamini_hochberg", "_bh")):
            verdicts = {getattr(row, f"p_two_sided{field}") <= 0.05 for row in rows}
            assert len(verdicts) == 1 or any(name in row.unsettled for row in rows)
        significant += rows[0].p_two_sided_holm <= 0.05
    assert 5 < significant < 40
    # No p value sits on a floor that the correction can't pass.
    assert min(row.p_two_sided_holm for row in found[0]) < 0.025


def test_it_stops_when_the_verdict_is_settled():
    rows = compare_metrics(many_metrics(), method="both", most=100_000)
    swaps = [row.swaps for row in rows]
    assert min(swaps) == 1000
    assert all(row.swaps == 100_000 or not row.unsettled for row in rows)
    assert all(row.p_low <= row.p_two_sided <= row.p_high for row in rows)


def test_too_few_swaps_are_named():
    rows = compare_metrics(many_metrics(), method="both", most=30)
    clear = min(rows, key=lambda row: row.p_two_sided)
    assert "holm" in clear.unsettled
    assert clear.swaps == 30


@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize("method", METHODS)
def test_all_pairs_together_are_each_pair_alone(method, missing):
    """One table of swaps serves all pairs; a pair by itself has the same differences."""
    study = random_study(metrics=3, missing=missing)
    for level in ("system", "summary"):
        for row in compare_metrics(study, method=method, level=level, most=60):
            alone = permutation_test(
                study, row.first, row.second, method=method, level=level, resamples=60
            )
            assert row.difference == pytest.approx(alone.difference)
            assert row.p_two_sided == pytest.approx(alone.p_two_sided, abs=0.25)


def test_a_flat_metric_has_no_difference():
    study = random_study()
    study.scores["m2"][:] = 1.0
    found = permutation_test(study, "m1", "m2", method="inputs", resamples=20)
    assert np.isnan(found.difference)
    assert np.isnan(found.p_two_sided)
    [row] = compare_metrics(study, method="inputs", most=20)
    assert np.isnan(row.p_two_sided_holm)


def test_an_unknown_metric_lists_the_known():
    with pytest.raises(ValueError, match="'m9'. Known: m1, m2"):
        permutation_test(random_study(), "m1", "m9", method="inputs")
