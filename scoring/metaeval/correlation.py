"""Pearson's r, Spearman's ρ and Kendall's τ-b of two vectors; nan where either is constant."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from scoring.errors import InputError
from scoring.translation import gettext as _

Floats = NDArray[np.float64]
Vector = Sequence[float] | Floats
# A vector whose values differ by less than rounding does is constant.
ROUNDING = 1e-12


def pearson(first: Vector, second: Vector) -> float:
    """Pearson's r; nan if either side is constant."""
    one, two = _pair(first, second)
    if _is_constant(one) or _is_constant(two):
        return float("nan")
    one, two = one - one.mean(), two - two.mean()
    # Each is scaled before the product, which would be 0 of very small values.
    one, two = one / np.abs(one).max(), two / np.abs(two).max()
    return float(np.clip(one @ two / np.sqrt((one @ one) * (two @ two)), -1.0, 1.0))


def spearman(first: Vector, second: Vector) -> float:
    """Pearson's r of the ranks; equal values share the mean of theirs."""
    one, two = _pair(first, second)
    return pearson(_ranks(one), _ranks(two))


def kendall(first: Vector, second: Vector) -> float:
    """τ-b: pairs in the same order less pairs in the other, with ties corrected for."""
    one, two = _pair(first, second)
    above = np.triu_indices(len(one), k=1)
    signs = [np.sign(values[above[0]] - values[above[1]]) for values in (one, two)]
    untied = [np.count_nonzero(sign) for sign in signs]
    if not all(untied):
        return float("nan")
    return float((signs[0] @ signs[1]) / np.sqrt(untied[0]) / np.sqrt(untied[1]))


MEASURES: dict[str, Callable[[Vector, Vector], float]] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall,
}


def _pair(first: Vector, second: Vector) -> tuple[Floats, Floats]:
    one, two = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if one.shape != two.shape or one.ndim != 1:
        raise InputError(
            _(
                "Vectors of {size} and {size_2} values can't be correlated. Their lengths must "
                "be equal."
            ).format(size=one.size, size_2=two.size)
        )
    return one, two


def _is_constant(values: Floats) -> bool:
    return len(values) < 2 or bool(np.ptp(values) <= ROUNDING * max(np.abs(values).max(), 1.0))


def _ranks(values: Floats) -> Floats:
    __, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2)[places], dtype=np.float64)
