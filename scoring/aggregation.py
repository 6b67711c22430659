"""From judgements to what they agree on: Krippendorff's alpha on counts of answers.

A row of counts is one statement: how many people said *absent*, how many *present*. Missing
answers are missing: they are in no count.
"""

from __future__ import annotations

from dataclasses import dataclass

import krippendorff
import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Alpha with its percentile interval; `None` where agreement can't be told.

    It can't without two answers to some statement. Where everybody gave one and the same answer
    to everything there is no variation, and alpha is 1 by convention: nobody ever disagreed.
    """

    alpha: float | None
    low: float | None
    high: float | None
    statements: int
    answers: int


def measure_agreement(counts: Counts, *, samples: int = 500, seed: int = 0) -> Agreement:
    """Nominal alpha, and an interval from resampling the statements."""
    paired = counts[counts.sum(axis=1) >= 2]
    answers = int(paired.sum())
    if not len(paired):
        return Agreement(None, None, None, 0, 0)
    alpha = nominal_alpha(paired)
    low, high = np.percentile(_resampled_alphas(paired, samples, seed), [2.5, 97.5])
    return Agreement(alpha, float(low), float(high), len(paired), answers)


def nominal_alpha(counts: Counts) -> float:
    """Krippendorff's alpha of statements that were answered at least twice."""
    if np.count_nonzero(counts.sum(axis=0)) < 2:
        return 1.0
    return float(krippendorff.alpha(value_counts=counts, level_of_measurement="nominal"))


def _resampled_alphas(counts: Counts, samples: int, seed: int) -> list[float]:
    """Alpha of statements drawn with replacement.

    Observed disagreement is a sum over statements and expected disagreement follows from the
    totals of the answers (Krippendorff 2011, nominal data), so that a resample is two sums.
    """
    rng = np.random.default_rng(seed)
    sizes = counts.sum(axis=1)
    differing = (sizes**2 - (counts**2).sum(axis=1)) / (sizes - 1)
    table = np.column_stack([differing, counts])
    drawn = (rng.integers(len(counts), size=len(counts)) for _ in range(samples))
    return [_alpha_of_sums(table[rows].sum(axis=0)) for rows in drawn]


def _alpha_of_sums(sums: NDArray[np.float64]) -> float:
    observed, totals = sums[0], sums[1:]
    answers = totals.sum()
    expected = (answers**2 - (totals**2).sum()) / (answers - 1)
    return float(1 - observed / expected) if expected else 1.0
