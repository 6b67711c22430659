"""Which systems, or metrics, differ by pairwise permutation tests, and the clusters that follow.

The tests are those of Soft Pairwise Accuracy (Thompson et al. 2024), the clusters those of WMT:
from the best down, a new cluster begins with the first row that a row of the cluster is
significantly better than.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.metaeval.correlation import ROUNDING
from scoring.metaeval.rows import steps
from scoring.metaeval.study import Study, mean_scores
from scoring.montecarlo import HOLM
from scoring.multiplicity import holm
from scoring.significance import MOST_SWAPS, permute_pairs

Floats = NDArray[np.float64]
PERMUTATIONS = 1000
LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Cluster:
    """A row's mean and its clusters, 1 the best; 0 where it has no score.

    `cluster` comes from one-sided tests that are not corrected for their number, as at WMT;
    `cluster_holm` from two-sided tests after Holm.
    """

    name: str
    mean: float
    cluster: int
    cluster_holm: int


def cluster_systems(study: Study, *, seed: int = 0) -> list[Cluster]:
    """Systems by people's scores, the best first."""
    rows = cluster_rows(study.people, study.systems, seed=seed)
    return sorted((row for row in rows if row.cluster), key=lambda row: -row.mean)


def cluster_rows(
    scores: Floats, names: tuple[str, ...] = (), *, level: float = LEVEL, seed: int = 0
) -> list[Cluster]:
    """Rows of scores × inputs, in their order; higher is better."""
    count = len(scores)
    means = mean_scores(scores)
    above, below = np.triu_indices(count, k=1)
    p_values = pairwise_p_values(scores, permutations=PERMUTATIONS, seed=seed)
    # The order at hand counts as one of the permutations: no p value is 0.
    first, second = ((p * PERMUTATIONS + 1) / (PERMUTATIONS + 1) for p in p_values)
    plain, strict = np.full((count, count), np.nan), np.full((count, count), np.nan)
    plain[above, below], plain[below, above] = first, second
    differences = scores[above] - scores[below]
    corrected = _correct(differences, seed)
    is_first = np.nansum(differences, axis=1) > 0
    strict[above, below] = np.where(is_first, corrected, np.nan)
    strict[below, above] = np.where(is_first, np.nan, corrected)
    ranks = [assign_clusters(means, table, level=level) for table in (plain, strict)]
    return [
        Cluster(names[at] if names else str(at), float(means[at]), ranks[0][at], ranks[1][at])
        for at in range(count)
    ]


def _correct(differences: Floats, seed: int) -> Floats:
    """Two-sided p after Holm, 1 where it is not settled; nan for a pair without common inputs."""
    known = ~np.isnan(differences).all(axis=1)
    found = permute_pairs(differences[known], MOST_SWAPS, np.random.default_rng(seed))
    corrected = np.full(len(differences), np.nan)
    corrected[known] = np.where(found.unsettled[HOLM], 1.0, holm(found.p))
    return corrected


def assign_clusters(means: Floats, p_values: Floats, *, level: float = LEVEL) -> list[int]:
    """`p_values[i, j]` tests whether row i is better than row j; nan is no test."""
    order = [at for at in np.argsort(-means, kind="stable") if not np.isnan(means[at])]
    found, cluster, start = [0] * len(means), 1, 0
    for place, at in enumerate(order):
        if (p_values[order[start:place], at] <= level).any():
            cluster, start = cluster + 1, place
        found[at] = cluster
    return found


def pairwise_p_values(
    scores: Floats, *, permutations: int = PERMUTATIONS, seed: int = 0
) -> tuple[Floats, Floats]:
    """For each pair of systems, p for "the first is better" and for "the second is better".

    A paired permutation test: on each input the two systems change places at random. p is the share
    of permutations with a difference at least as large as the one at hand (Thompson et al. 2024,
    §3). The same changes serve all pairs, drawn as mt-metrics-eval draws them. Inputs count where
    both have a score; a pair without any is nan.
    """
    above, below = np.triu_indices(len(scores), k=1)
    gaps = scores[above] - scores[below]
    is_known = (~np.isnan(gaps)).any(axis=1)
    # Where every system has a score, a pair's sum is the difference of two systems' sums.
    is_whole = ~np.isnan(scores).any(axis=0)
    levels = np.where(is_whole, scores - scores[:1], 0.0)
    rest = None if is_whole.all() else np.where(is_whole, 0.0, np.nan_to_num(gaps))
    seen, slack = _sum_pairs(levels, rest)
    rng = np.random.default_rng(seed)
    counts = np.zeros((2, len(above)))
    for part in steps(permutations, max(len(above), scores.shape[1])):
        signs = rng.random((part.stop - part.start, scores.shape[1]), dtype=np.float32)
        np.rint(signs, out=signs)
        turned = (2.0 * signs - 1.0).astype(np.float64).T
        others = None if rest is None else rest @ turned
        counts += _count_as_far(levels @ turned, others, seen, slack)
    first, second = np.where(is_known, counts / permutations, np.nan)
    return first, second


def _sum_pairs(levels: Floats, rest: Floats | None) -> tuple[Floats, Floats]:
    """The sums of differences of each pair, and how far rounding may move them."""
    above, below = np.triu_indices(len(levels), k=1)
    sums, sizes = levels.sum(axis=1), np.abs(levels).sum(axis=1)
    seen, slack = sums[above] - sums[below], sizes[above] + sizes[below]
    if rest is not None:
        seen, slack = seen + rest.sum(axis=1), slack + np.abs(rest).sum(axis=1)
    return seen, ROUNDING * slack


def _count_as_far(totals: Floats, others: Floats | None, seen: Floats, slack: Floats) -> Floats:
    """2 × pairs: how many permutations are at least as large, and at most as large, as *seen*.

    *totals* are systems × permutations, *others* what is added to them, pairs × permutations.
    """
    counts = np.empty((2, len(seen)))
    least, most = (seen - slack)[:, None], (seen + slack)[:, None]
    start = 0
    for one in range(len(totals) - 1):
        pairs = slice(start, start + len(totals) - 1 - one)
        drawn = totals[one] - totals[one + 1 :]
        if others is not None:
            drawn += others[pairs]
        counts[0, pairs] = np.count_nonzero(drawn >= least[pairs], axis=1)
        counts[1, pairs] = np.count_nonzero(drawn <= most[pairs], axis=1)
        start = pairs.stop
    return counts
