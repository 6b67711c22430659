"""Documents drawn by difficulty: bins, clashes, sizes, and sample against population."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.pyramid import ScoreTable
from scoring.sampling import (
    Population,
    build_population,
    compare_distributions,
    cut_bins,
    draw_sample,
)


def population(*rows: list[float], lower: tuple[str, ...] = ()) -> Population:
    """Metrics a, b, … with their means by document d0, d1, …"""
    names = tuple("abcdefgh"[: len(rows)])
    documents = tuple(f"d{place}" for place in range(len(rows[0])))
    return Population(names, documents, np.array(rows, dtype=float), frozenset(lower))


def table(scores: list[list[float]], documents: tuple[str, ...] = ("x", "y", "z")) -> ScoreTable:
    systems = tuple(f"s{place}" for place in range(len(scores)))
    return ScoreTable(systems, documents, np.array(scores, dtype=float), "")


def test_it_takes_the_mean_over_systems():
    found = build_population({"r1": table([[1, 2, 3], [3, 2, 1]])})
    assert found.means.tolist() == [[2, 2, 2]]
    assert found.left_out == ()


def test_it_leaves_out_documents_that_lack_a_system():
    found = build_population(
        {"r1": table([[1, 2, 3], [3, np.nan, 1]]), "r2": table([[1, 2]], ("x", "y"))}
    )
    assert (found.documents, found.left_out) == (("x",), ("y", "z"))


def test_it_does_not_count_systems_that_a_metric_has_not_scored():
    found = build_population({"r1": table([[1, 2, 3], [np.nan] * 3])})
    assert found.means.tolist() == [[1, 2, 3]]


@pytest.mark.parametrize(
    ("tables", "words"),
    [
        ({}, "at least one metric"),
        ({"r1": table([[np.nan] * 3])}, "No document has scores"),
        ({"r1": table([[1, np.nan, 1], [np.nan, 1, np.nan]])}, "No document has scores"),
    ],
)
def test_it_refuses_an_empty_population(tables: dict[str, ScoreTable], words: str):
    with pytest.raises(ValueError, match=words):
        build_population(tables)


def test_it_cuts_equal_bins_from_hard_to_easy():
    found = cut_bins(population([0.5, 0.1, 0.4, 0.2, 0.3]), 2)
    assert found.tolist() == [[2, 1, 2, 1, 1]]


def test_it_turns_round_where_less_is_better():
    found = cut_bins(population([0.1, 0.2, 0.3, 0.4], lower=("a",)), 2)
    assert found.tolist() == [[2, 2, 1, 1]]


def test_it_draws_as_many_from_each_bin():
    """REALSumm's 5 metrics × 5 bins × 4 documents."""
    rng = np.random.default_rng(3)
    people = population(*rng.random((5, 1000)).tolist())
    sample = draw_sample(people, draws=2)
    assert len(set(sample.documents)) == len(sample.drawn) == 100
    assert sample.missing == 0
    counts = {(row.metric, row.bin) for row in sample.drawn}
    assert len(counts) == 25
    for row in sample.drawn:
        place, metric = people.documents.index(row.document), people.metrics.index(row.metric)
        assert sample.bins[metric, place] == row.bin


def test_it_draws_the_same_again_and_other_ones_by_another_seed():
    people = population([*range(50)], [*range(50, 0, -1)])
    first, again, other = (draw_sample(people, per_bin=2, seed=seed) for seed in (7, 7, 8))
    assert first.documents == again.documents
    assert first.signature == again.signature != other.signature
    assert first.documents != other.documents


def test_it_settles_a_clash_for_the_metric_that_drew_first():
    """Two metrics that say the same, bins of two, one drawn from each: the second must avoid it."""
    people = population([0, 0, 1, 1], [0, 0, 1, 1])
    found = [draw_sample(people, bins=2, per_bin=1, seed=seed) for seed in range(8)]
    assert all(sorted(sample.documents) == ["d0", "d1", "d2", "d3"] for sample in found)
    clashes = [clash for sample in found for clash in sample.clashes]
    assert 0 < len(clashes) < 16
    assert {(clash.metric, clash.first) for clash in clashes} == {("b", "a")}
    for sample in found:
        firsts = {row.document for row in sample.drawn if row.metric == "a"}
        assert {clash.document for clash in sample.clashes} <= firsts


def test_it_is_smaller_where_a_bin_runs_out():
    """The first metric may take both documents of a bin of the second."""
    people = population([0, 1, 2, 3], [0, 2, 1, 3])
    found = [draw_sample(people, bins=2, per_bin=1, seed=seed) for seed in range(30)]
    assert {sample.missing for sample in found} == {0, 1}
    assert all(len(sample.drawn) + sample.missing == 4 for sample in found)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"bins": 0}, "bins: expected 1"),
        ({"per_bin": 0}, "per_bin: expected 1"),
        ({"seed": -1}, "seed: expected 0"),
        ({"bins": 2, "per_bin": 2}, "make 4, but there are only 3"),
        ({"bins": 1, "per_bin": 1, "chances": "guess"}, "'guess'. Known: auto"),
    ],
)
def test_it_refuses_what_cannot_be_drawn(said: dict[str, int], words: str):
    with pytest.raises(ValueError, match=words):
        draw_sample(population([1, 2, 3]), **said)  # type: ignore[arg-type]


def test_it_signs_what_it_follows_from():
    people = population([0, 1, 2, 3])
    signature = draw_sample(people, bins=2, per_bin=1, seed=4).signature
    assert signature.startswith("sample|metrics:a|bins:2|per_bin:1|seed:4|chances:exact|data:")
    other = draw_sample(population([0, 1, 2, 4]), bins=2, per_bin=1, seed=4).signature
    assert signature != other


def test_it_compares_sample_and_population():
    means = np.array([0.0, 1.0, 2.0, 3.0])
    found = compare_distributions(means, np.array([True, False, True, False]), "a")
    assert (found.population, found.sample) == (1.5, 1.0)
    # Below 0 there is 1/4 of the population and 1/2 of the sample; below 2, 3/4 and all.
    assert found.gap == 0.25
    assert found.quartiles[0] == (0.75, 1.5, 2.25)
    assert found.quartiles[1] == (0.5, 1.0, 1.5)


def test_it_finds_a_sample_by_difficulty_nearer_than_chance():
    """What the paper wants of it: documents of every difficulty."""
    means = np.random.default_rng(0).beta(2, 5, 400)
    people = population(means.tolist())
    binned = draw_sample(people, bins=20, per_bin=1)
    chosen = np.isin(people.documents, binned.documents)
    plain = np.zeros(400, dtype=bool)
    gaps = []
    for seed in range(20):
        plain[:] = False
        plain[np.random.default_rng(seed).choice(400, 20, replace=False)] = True
        gaps.append(compare_distributions(means, plain, "a").gap)
    assert compare_distributions(means, chosen, "a").gap < 0.06 < np.median(gaps)
