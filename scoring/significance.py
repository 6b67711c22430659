"""How sure a difference between systems is: documents are resampled, or systems swapped on them.

Every function takes a `ScoreTable`. A document on which a system has no score is left out of what
concerns that system.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.errors import InputError
from scoring.montecarlo import HOLM, Settled, settle_tests
from scoring.multiplicity import holm
from scoring.percentiles import expand_p, middle
from scoring.pyramid import ScoreTable
from scoring.translation import gettext as _

SAMPLES = 1000
# A swap of systems is one product with a vector of signs: a million take a second for 300 pairs.
MOST_SWAPS = 1_000_000
# Drawn from one or two documents, a resampled mean has two or three values at most: no interval.
FEWEST = 3
CELLS_AT_ONCE = 2_000_000
# Sums of the same numbers in another order differ by less than this.
ROUNDING = 1e-12

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two systems on the documents that both have a score for; `difference` is first − second.

    `low` and `high` bound the middle 95 % of resampled differences, widened for few documents as
    the bootstrap's p value is. `effect` is the difference in
    standard deviations of the documents' differences (Cohen's d of paired scores); nan where they
    have none. The p values are two-sided: from a paired bootstrap, and from swapping the two
    systems at random; `_holm` are those after Holm's correction for all pairs of the table.
    `p_low` and `p_high` bound the permutation p that all possible swaps would give; `swaps` were
    made. Where not `is_settled`, more swaps might change whether Holm's p is below .05.
    """

    first: str
    second: str
    documents: int
    difference: float
    low: float
    high: float
    effect: float
    p_bootstrap: float
    p_permutation: float
    p_bootstrap_holm: float
    p_permutation_holm: float
    p_low: float
    p_high: float
    swaps: int
    is_settled: bool


def bootstrap_means(table: ScoreTable, *, samples: int = SAMPLES, seed: int = 0) -> Floats:
    """System means on documents drawn with replacement: samples × systems.

    A mean is nan in a sample that has none of the system's documents.
    """
    return resample_rows(table.scores, samples, np.random.default_rng(seed))


def mean_intervals(table: ScoreTable, *, samples: int = SAMPLES, seed: int = 0) -> Floats:
    """The middle of each system's resampled means: systems × (low, high); nan if unknown."""
    found = np.full((len(table.systems), 2), np.nan)
    if not samples:
        return found
    has_score = ~np.isnan(table.scores).all(axis=1)
    drawn = bootstrap_means(table, samples=samples, seed=seed)[:, has_score]
    found[has_score] = _middle(drawn, (~np.isnan(table.scores[has_score])).sum(axis=1)).T
    return found


def enough_samples(pairs: int) -> int:
    """So many that the smallest p value, 2 / (samples + 1), is below 0.025 after Holm."""
    return max(10_000, 80 * pairs)


def compare_systems(
    table: ScoreTable, *, samples: int | None = None, most: int = MOST_SWAPS, seed: int = 0
) -> list[Comparison]:
    """Every pair of systems that share a document, in the table's order.

    With few samples no p value can be small, and Holm's correction multiplies it by the number of
    pairs: by default, as many are drawn for the bootstrap as `enough_samples` says. Permutation
    tests stop when their verdicts are settled, or after *most* swaps.
    """
    if samples is not None and samples < 1:
        raise InputError(_("Comparing systems needs at least 1 sample."))
    firsts, seconds = np.triu_indices(len(table.systems), k=1)
    differences = table.scores[firsts] - table.scores[seconds]
    shared = (~np.isnan(differences)).sum(axis=1)
    firsts, seconds, differences = (part[shared > 0] for part in (firsts, seconds, differences))
    if not len(differences):
        return []
    rng = np.random.default_rng(seed)
    drawn = resample_rows(differences, samples or enough_samples(len(differences)), rng)
    counts = shared[shared > 0]
    lows, highs = _middle(drawn, counts)
    by_bootstrap = _bootstrap_p(drawn, counts)
    swapped = permute_pairs(differences, most, rng)
    columns = zip(
        (table.systems[code] for code in firsts),
        (table.systems[code] for code in seconds),
        counts.tolist(),
        np.nanmean(differences, axis=1).tolist(),
        lows.tolist(),
        highs.tolist(),
        effect_sizes(differences).tolist(),
        by_bootstrap.tolist(),
        swapped.p.tolist(),
        holm(by_bootstrap).tolist(),
        holm(swapped.p).tolist(),
        swapped.low.tolist(),
        swapped.high.tolist(),
        swapped.swaps.tolist(),
        (~swapped.unsettled[HOLM]).tolist(),
        strict=True,
    )
    return [Comparison(*values) for values in columns]


def effect_sizes(differences: Floats) -> Floats:
    """Cohen's d of paired scores: the mean of each row over its standard deviation.

    Nan below two documents, and where all differences are the same.
    """
    known = ~np.isnan(differences)
    counts = known.sum(axis=1)
    means = np.nanmean(differences, axis=1)
    squares = np.where(known, differences - means[:, None], 0.0) ** 2
    spread = np.sqrt(squares.sum(axis=1) / np.maximum(counts - 1, 1))
    found = np.full(len(means), np.nan)
    return np.divide(means, spread, out=found, where=spread > ROUNDING)


def _middle(drawn: Floats, counts: NDArray[np.int64]) -> Floats:
    """The middle of each column, by its number of documents: (low, high) × columns."""
    found = np.empty((2, len(counts)))
    for count in np.unique(counts):
        found[:, counts == count] = middle(drawn[:, counts == count], int(count))
    return found


def _rounds(samples: int, width: int) -> Iterator[int]:
    """A number of rounds in parts that are small enough to hold all documents."""
    most = max(1, CELLS_AT_ONCE // max(width, 1))
    yield from (min(most, samples - at) for at in range(0, samples, most))


def resample_rows(rows: Floats, samples: int, rng: np.random.Generator) -> Floats:
    """Means of rows over columns drawn with replacement, the same columns for every row."""
    width = rows.shape[1]
    known = (~np.isnan(rows)).astype(np.float64)
    filled = np.nan_to_num(rows)
    parts = []
    for number in _rounds(samples, width):
        drawn = rng.multinomial(width, np.full(width, 1 / width), size=number).astype(np.float64)
        totals = drawn @ known.T
        sums = drawn @ filled.T
        parts.append(np.divide(sums, totals, out=np.full_like(sums, np.nan), where=totals > 0))
    return np.concatenate(parts) if parts else np.empty((0, len(rows)))


def _bootstrap_p(drawn: Floats, counts: NDArray[np.int64]) -> Floats:
    """By the smaller share of resampled differences on one side of zero, zero included.

    The sample itself is counted as one more on both sides, so that no p value is 0.
    """
    rounds = (~np.isnan(drawn)).sum(axis=0)
    below, above = (drawn <= ROUNDING).sum(axis=0), (drawn >= -ROUNDING).sum(axis=0)
    shares = (1 + np.minimum(below, above)) / (1 + rounds)
    return expand_p(np.minimum(shares, 0.5), counts.astype(np.float64))


def permute_pairs(differences: Floats, most: int, rng: np.random.Generator) -> Settled:
    """How often a random swap of two systems gives at least as large a difference; a row a pair."""
    filled = np.nan_to_num(differences)
    seen = np.abs(filled.sum(axis=1))

    def count(active: NDArray[np.intp], number: int) -> NDArray[np.int64]:
        rows, least = filled[active].T, seen[active] - ROUNDING
        as_large = np.zeros(len(active), dtype=np.int64)
        for size in _rounds(number, max(filled.shape[1], len(active))):
            signs = 2.0 * rng.integers(2, size=(size, len(rows)), dtype=np.int8) - 1
            as_large += (np.abs(signs @ rows) >= least).sum(axis=0)
        return as_large

    # Hoeffding's inequality (1963) bounds the p value of a sum with random signs: what lies far
    # beyond chance takes no swaps to tell.
    squares = (filled**2).sum(axis=1)
    exponents = np.divide(seen**2, 2 * squares, out=np.zeros_like(seen), where=squares > 0)
    return settle_tests(
        count, len(filled), most=most, ceiling=np.minimum(2 * np.exp(-exponents), 1)
    )
