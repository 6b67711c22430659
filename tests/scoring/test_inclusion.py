"""Inclusion chances: exact ones by hand and by counting, sample draws against both."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest

from scoring.inclusion import EXACT, MONTE_CARLO, describe_chances
from scoring.sampling import Population, draw_sample


def count_out(first: list[int], second: list[int], per_bin: int) -> list[float]:
    """Every way in which two metrics can draw, each with its chance, added up by document."""
    found = np.zeros(len(first))
    size = max(first) + 1
    groups = [[p for p, b in enumerate(first) if b == place] for place in range(size)]
    ways = list(product(*(combinations(group, per_bin) for group in groups)))
    for way in ways:
        taken = {place for some in way for place in some}
        found[list(taken)] += 1
        for number in range(size):
            left = [p for p, b in enumerate(second) if b == number and p not in taken]
            found[left] += min(1.0, per_bin / max(len(left), 1))
    return (found / len(ways)).tolist()


def test_it_is_the_share_of_the_bin_for_one_metric():
    found = describe_chances(np.array([[0, 0, 0, 1, 1]]), count=2, per_bin=1)
    assert found.method == EXACT
    assert found.values.tolist() == pytest.approx([1 / 3, 1 / 3, 1 / 3, 1 / 2, 1 / 2])


@pytest.mark.parametrize(
    ("first", "second", "per_bin"),
    [
        ([0, 0, 1, 1], [0, 0, 1, 1], 1),
        ([0, 0, 1, 1], [0, 1, 0, 1], 1),
        ([0, 0, 0, 1, 1, 1], [1, 0, 0, 0, 1, 1], 1),
        ([0, 0, 0, 0, 1, 1, 1, 1], [0, 1, 1, 0, 0, 1, 0, 1], 2),
    ],
)
def test_it_is_exact_for_two_metrics(first: list[int], second: list[int], per_bin: int):
    found = describe_chances(np.array([first, second]), count=2, per_bin=per_bin)
    assert found.method == EXACT
    assert found.values.tolist() == pytest.approx(count_out(first, second, per_bin))


def test_it_finds_the_same_by_sample_draws():
    bins = np.random.default_rng(2).integers(0, 3, (2, 60))
    exact = describe_chances(bins, count=3, per_bin=4)
    drawn = describe_chances(bins, count=3, per_bin=4, method=MONTE_CARLO, draws=400)
    assert drawn.method == MONTE_CARLO
    assert 0 < drawn.error < 0.01
    assert np.abs(exact.values - drawn.values).max() < 5 * drawn.error


def test_it_adds_up_to_the_size_of_the_sample():
    bins = np.array([np.random.default_rng(seed).permutation(100) % 5 for seed in range(5)])
    found = describe_chances(bins, count=5, per_bin=2, draws=20)
    assert found.method == MONTE_CARLO
    assert found.values.sum() == pytest.approx(50)
    assert found.values.min() > 0


def test_it_is_how_often_documents_are_drawn():
    """The chances of the library's own draw, by drawing."""
    rng = np.random.default_rng(5)
    means = np.vstack([base := rng.random(12), base + rng.normal(0, 0.2, 12), rng.random(12)])
    people = Population(("a", "b", "c"), tuple(f"d{n}" for n in range(12)), means)
    often = np.zeros(12)
    for seed in range(600):
        sample = draw_sample(people, bins=2, per_bin=1, seed=seed, draws=2)
        often += np.isin(people.documents, sample.documents)
    told = draw_sample(people, bins=2, per_bin=1, draws=800).probabilities()
    assert np.abs(often / 600 - list(told.values())).max() < 0.07


def test_it_refuses_exact_chances_of_three_metrics():
    with pytest.raises(ValueError, match=r"at most 2 metrics, not 3\."):
        describe_chances(np.zeros((3, 4), dtype=int), count=1, per_bin=1, method=EXACT)


def test_it_refuses_a_single_draw():
    with pytest.raises(ValueError, match="at least 2 draws"):
        describe_chances(np.zeros((3, 4), dtype=int), count=1, per_bin=1, draws=1)
