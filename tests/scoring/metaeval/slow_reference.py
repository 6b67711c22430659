"""Meta-metrics written out from their formulas, one pair at a time: slow, and easy to check."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np

from scoring.metaeval.study import Floats


def acc_eq(metric: Floats, people: Floats) -> tuple[float, float]:
    """The best accuracy over every threshold, and the smallest threshold that reaches it.

    Deutsch, Foster & Freitag 2023: (C + T_hm) / (C + D + T_h + T_m + T_hm), averaged over inputs.
    """
    gaps = {0.0}
    for row in metric.T:
        gaps |= {abs(one - two) for one, two in combinations(row[~np.isnan(row)], 2)}
    best, threshold = -1.0, math.nan
    for epsilon in sorted(gaps):
        found = accuracy_at(metric, people, epsilon)
        if found > best + 1e-12:
            best, threshold = found, epsilon
    return best, threshold


def accuracy_at(metric: Floats, people: Floats, epsilon: float) -> float:
    rows = []
    for ours, theirs in zip(metric.T, people.T, strict=True):
        known = [(m, h) for m, h in zip(ours, theirs, strict=True) if not math.isnan(m) and h == h]
        right = [
            (h1 == h2 if abs(m1 - m2) <= epsilon else (m1 - m2) * (h1 - h2) > 0)
            for (m1, h1), (m2, h2) in combinations(known, 2)
        ]
        if right:
            rows.append(sum(right) / len(right))
    return sum(rows) / len(rows)


def p_value(first: Floats, second: Floats, *, permutations: int, seed: int) -> float:
    """A paired permutation test of "the first is better", a permutation at a time."""
    rng = np.random.default_rng(seed)
    seen = first.sum() - second.sum()
    as_large = 0
    for _ in range(permutations):
        stays = np.rint(rng.random(len(first), dtype=np.float32)) == 1
        one = np.where(stays, first, second).sum()
        two = np.where(stays, second, first).sum()
        as_large += bool(one - two >= seen - 1e-12)
    return as_large / permutations


def soft_pairwise_accuracy(
    metric: Floats, people: Floats, *, permutations: int, seed: int
) -> float:
    distances = []
    for one, two in combinations(range(len(metric)), 2):
        p_metric, p_people = (
            p_value(table[one], table[two], permutations=permutations, seed=seed)
            for table in (metric, people)
        )
        distances.append(abs(p_metric - p_people))
    return 1 - sum(distances) / len(distances)


def difference_pearson(metric: Floats, people: Floats) -> float:
    ours, theirs = [], []
    for column in range(metric.shape[1]):
        for one in range(len(metric)):
            for two in range(len(metric)):
                gaps = [float(t[one, column] - t[two, column]) for t in (metric, people)]
                if one != two and not any(map(math.isnan, gaps)):
                    ours.append(gaps[0])
                    theirs.append(gaps[1])
    return float(np.corrcoef(ours, theirs)[0, 1])
