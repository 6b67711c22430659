"""Bounds of a figure from its resamples, and Fisher's from the figure itself."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoring.errors import InputError
from scoring.metaeval.draws import COVERAGE
from scoring.metaeval.rows import check_measures
from scoring.percentiles import tails
from scoring.translation import gettext as _
from scoring.translation import gettext_lazy

Floats = NDArray[np.float64]
Bounds = tuple[float, float]
UNKNOWN: Bounds = (math.nan, math.nan)
# Why an interval has no bias correction, and is one of percentiles.
NO_VALUE = gettext_lazy("the estimate or its resamples are undefined")
ALL_BELOW = gettext_lazy("every resample is below the estimate")
ALL_ABOVE = gettext_lazy("every resample is above the estimate")
NO_SPREAD = gettext_lazy("leaving out one input or system never changes the estimate")
TOO_FAR = gettext_lazy("a corrected bound is beyond the outermost resample")


class Corrected(NamedTuple):
    """BCa bounds; with a `note`, plain percentiles and why."""

    low: float
    high: float
    note: str


def percentile_interval(
    drawn: Floats, coverage: float = COVERAGE, count: int | None = None
) -> Bounds:
    """The middle of the resampled values, by linear interpolation; nan if there are none.

    With a *count* of the things that were resampled, it is widened for how few they are.
    """
    check_coverage(coverage)
    if not len(drawn):
        return UNKNOWN
    low, high = np.quantile(drawn, _edges(coverage, count))
    return float(low), float(high)


def _edges(coverage: float, count: int | None) -> Bounds:
    """The shares of resamples below each bound."""
    return ((1 - coverage) / 2, (1 + coverage) / 2) if count is None else tails(count, coverage)


def bca_interval(
    drawn: Floats,
    value: float,
    left: Sequence[Floats],
    coverage: float = COVERAGE,
    count: int | None = None,
) -> Corrected:
    """Percentiles corrected for bias and acceleration (Efron 1987).

    `left` holds the figure without each input, without each system, or a list of either: the
    acceleration then adds up over both. Where the correction can't be computed, the percentiles
    stand, with the reason. With a *count*, widened as percentiles are.
    """
    check_coverage(coverage)
    if not len(drawn) or math.isnan(value):
        return Corrected(*UNKNOWN, NO_VALUE)
    shares = _shift(drawn, value, left, _edges(coverage, count))
    if isinstance(shares, str):
        return Corrected(*percentile_interval(drawn, coverage, count), shares)
    low, high = np.quantile(drawn, shares)
    return Corrected(float(low), float(high), "")


def _shift(
    drawn: Floats, value: float, left: Sequence[Floats], edges: Bounds
) -> tuple[float, float] | str:
    """The shares of resamples that the bounds are taken at, or why there are none."""
    from scipy import special  # takes a while, and a server seldom needs it

    below = float((drawn < value).mean() + (drawn == value).mean() / 2)
    if not 0 < below < 1:
        return ALL_BELOW if below else ALL_ABOVE
    slowing = _acceleration(left)
    if math.isnan(slowing):
        return NO_SPREAD
    bias = special.ndtri(below)
    shifted = bias + special.ndtri(edges)
    scale = 1 - slowing * shifted
    if not (scale > 0).all():
        return TOO_FAR
    low, high = special.ndtr(bias + shifted / scale)
    outermost = 1 / (len(drawn) + 1)
    if low < outermost or high > 1 - outermost:
        return TOO_FAR
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
        raise InputError(
            _("The coverage is {coverage}. Expected a share between 0 and 1, such as 0.95.").format(
                coverage=coverage
            )
        )


def _acceleration(left: Sequence[Floats]) -> float:
    known = [part[~np.isnan(part)] for part in left]
    gaps = [part.mean() - part for part in known if len(part)]
    squares = sum(float((part**2).sum()) for part in gaps)
    if not squares:
        return math.nan
    return sum(float((part**3).sum()) for part in gaps) / (6 * squares**1.5)
