"""Bounds of a figure from its resamples, and Fisher's from the figure itself."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scoring.errors import InputError
from scoring.metaeval.draws import COVERAGE
from scoring.metaeval.rows import check_measures

Floats = NDArray[np.float64]
Bounds = tuple[float, float]
UNKNOWN: Bounds = (math.nan, math.nan)


def percentile_interval(drawn: Floats, coverage: float = COVERAGE) -> Bounds:
    """The middle of the resampled values, by linear interpolation; nan if there are none."""
    check_coverage(coverage)
    if not len(drawn):
        return UNKNOWN
    low, high = np.quantile(drawn, [(1 - coverage) / 2, (1 + coverage) / 2])
    return float(low), float(high)


def bca_interval(
    drawn: Floats, value: float, left: Sequence[Floats], coverage: float = COVERAGE
) -> Bounds:
    """Percentiles corrected for bias and acceleration (Efron 1987).

    `left` holds the figure without each input, without each system, or a list of either: the
    acceleration then adds up over both. Where every resample or every jackknife value is the same,
    nothing is known.
    """
    from scipy import special  # takes a while, and a server seldom needs it

    check_coverage(coverage)
    below = float((drawn < value).mean() + (drawn == value).mean() / 2) if len(drawn) else 0.0
    slowing = _acceleration(left)
    if not 0 < below < 1 or math.isnan(slowing) or math.isnan(value):
        return UNKNOWN
    bias = special.ndtri(below)
    edges = special.ndtri([(1 - coverage) / 2, (1 + coverage) / 2])
    shifted = bias + (bias + edges) / (1 - slowing * (bias + edges))
    low, high = np.quantile(drawn, special.ndtr(shifted))
    return float(low), float(high)


def fisher_interval(value: float, count: int, measure: str, coverage: float = COVERAGE) -> Bounds:
    """Fisher's interval for a correlation of *count* independent pairs (Bonett & Wright 2000).

    It applies to system means; cells of one system are not independent of each other.
    """
    from scipy import special  # takes a while, and a server seldom needs it

    check_coverage(coverage)
    check_measures([measure])
    lost, spread = {
        "pearson": (3, 1.0),
        "spearman": (3, math.sqrt(1 + value**2 / 2)),
        "kendall": (4, math.sqrt(0.437)),
    }[measure]
    if count <= lost or math.isnan(value) or abs(value) >= 1:
        return UNKNOWN
    reach = special.ndtri((1 + coverage) / 2) * spread / math.sqrt(count - lost)
    return math.tanh(math.atanh(value) - reach), math.tanh(math.atanh(value) + reach)


def check_coverage(coverage: float) -> None:
    if not 0 < coverage < 1:
        raise InputError(f"A coverage of {coverage} is no share. Give 0.95 or so.")


def _acceleration(left: Sequence[Floats]) -> float:
    known = [part[~np.isnan(part)] for part in left]
    gaps = [part.mean() - part for part in known if len(part)]
    squares = sum(float((part**2).sum()) for part in gaps)
    if not squares:
        return math.nan
    return sum(float((part**3).sum()) for part in gaps) / (6 * squares**1.5)
