"""Correlations of many rows at once, along the last axis; nan where either row is constant.

All that ranks need is whether one value is above another. Signs of differences are made once;
Kendall's τ-b counts them, and a value's rank is the sum of its own. Means that differ by rounding
alone are tied, for the order of a sum must not rank; scores that were given stand as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from scoring.errors import InputError
from scoring.metaeval.correlation import ROUNDING
from scoring.translation import gettext as _

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Signs = NDArray[np.floating]
MEASURES = ("pearson", "spearman", "kendall")
# Cells that a step of a long computation may hold at once.
CELLS_AT_ONCE = 4_000_000
# Whole numbers up to here are exact in single precision.
EXACT_IN_SINGLE = 2**24


def correlate_rows(
    first: Floats,
    second: Floats,
    measures: Sequence[str] = MEASURES,
    *,
    slack: float = ROUNDING,
) -> dict[str, Floats]:
    """By measure, the correlation of each row of *first* with that of *second*.

    Shapes are broadcast against each other. A place where either row has nan is left out of both.
    Values that differ by at most *slack*, of the row's largest where that is above 1, are tied;
    a row whose values differ by no more than rounding does is constant in any case.
    """
    check_measures(measures)
    one, two = _leave_out_gaps(first, second)
    is_known = ~(is_constant(one) | is_constant(two))
    found: dict[str, Floats] = {}
    if "pearson" in measures:
        found["pearson"] = _pearson(one, two, is_known)
    if set(measures) & {"spearman", "kendall"}:
        found |= _by_order(one, two, measures, is_known, slack)
    return {name: found[name] for name in measures}


def check_measures(measures: Sequence[str]) -> None:
    for name in measures:
        if name not in MEASURES:
            raise InputError(
                _("There is no measure '{name}'. Known: {measures}.").format(
                    name=name, measures=", ".join(MEASURES)
                )
            )


def signs_of(values: Floats, slack: float = ROUNDING) -> Signs:
    """For each pair of places, 1 if the first holds more, −1 if less, 0 if tied or missing."""
    size = values.shape[-1]
    above, below = np.triu_indices(size, k=1)
    kind = np.float32 if len(above) < EXACT_IN_SINGLE else np.float64
    gaps = values[..., above] - values[..., below]
    width = tie_width(values, slack) if slack else 0.0
    signs: Signs = np.subtract(gaps > width, gaps < -width, dtype=kind)
    return signs


def tie_width(values: Floats, slack: float = ROUNDING) -> Floats:
    """By how much values of a row may differ and yet be tied; keeps the last axis."""
    # Of nan and a number `fmax` takes the number.
    largest = np.fmax.reduce(np.abs(values), axis=-1, keepdims=True, initial=1.0)
    return np.asarray(slack * largest)


def is_constant(values: Floats) -> NDArray[np.bool_]:
    """Whether the values of a row differ by rounding at most; a row without two is constant."""
    low = np.fmin.reduce(values, axis=-1, initial=np.inf)
    high = np.fmax.reduce(values, axis=-1, initial=-np.inf)
    return np.asarray(~(high - low > tie_width(values)[..., 0]))


def steps(total: int, cells_each: int) -> Iterator[slice]:
    """Slices of a range that together cover it, each with a bounded number of cells."""
    size = max(1, CELLS_AT_ONCE // max(cells_each, 1))
    for start in range(0, total, size):
        yield slice(start, min(start + size, total))


def _leave_out_gaps(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    if first.shape[-1] != second.shape[-1]:
        raise InputError(
            _("Rows of {shape} and {shape_2} values can't be correlated.").format(
                shape=first.shape[-1], shape_2=second.shape[-1]
            )
        )
    missing = np.isnan(first) | np.isnan(second)
    if not missing.any():
        return first, second
    return np.where(missing, np.nan, first), np.where(missing, np.nan, second)


def _pearson(one: Floats, two: Floats, is_known: Flags) -> Floats:
    one, two = _scaled(one), _scaled(two)
    product = np.einsum("...i,...i->...", one, two)
    squares = np.einsum("...i,...i->...", one, one) * np.einsum("...i,...i->...", two, two)
    return _share(product, np.sqrt(squares), is_known)


def _by_order(
    one: Floats, two: Floats, measures: Sequence[str], is_known: Flags, slack: float
) -> dict[str, Floats]:
    signs = [signs_of(values, slack) for values in (one, two)]
    found = {}
    if "kendall" in measures:
        found["kendall"] = _kendall(signs[0], signs[1], is_known)
    if "spearman" in measures:
        ranks = [_ranks(part, one.shape[-1]) for part in signs]
        found["spearman"] = _spearman(ranks[0], ranks[1], is_known)
    return found


def _kendall(one: Signs, two: Signs, is_known: Flags) -> Floats:
    """τ-b: pairs in the same order less pairs in the other, with ties corrected for."""
    product = np.einsum("...i,...i->...", one, two).astype(np.float64)
    counts = [np.einsum("...i,...i->...", part, part).astype(np.float64) for part in (one, two)]
    # The root of a square is exact; a product of roots is not, and τ would pass 1.
    untied = np.sqrt(counts[0] * counts[1])
    return _share(product, untied, is_known & (untied > 0))


def _ranks(signs: Signs, size: int) -> Floats:
    """Twice the ranks less their mean: how many a value is above, less how many it is below."""
    above, below = np.triu_indices(size, k=1)
    places = np.zeros((len(above), size), dtype=signs.dtype)
    places[np.arange(len(above)), above] = 1
    places[np.arange(len(above)), below] = -1
    return np.asarray(signs @ places, dtype=np.float64)


def _spearman(one: Floats, two: Floats, is_known: Flags) -> Floats:
    product = np.einsum("...i,...i->...", one, two)
    squares = [np.einsum("...i,...i->...", part, part) for part in (one, two)]
    scale = np.sqrt(squares[0] * squares[1])
    return _share(product, scale, is_known & (scale > 0))


def _share(product: Floats, scale: Floats, is_known: Flags) -> Floats:
    out = np.full(product.shape, np.nan)
    return np.clip(np.divide(product, scale, out=out, where=is_known), -1.0, 1.0)


def _scaled(values: Floats) -> Floats:
    """Less their mean, and the largest of size 1: squares of very small values would be 0."""
    missing = np.isnan(values)
    has_gaps = bool(missing.any())
    counts = (~missing).sum(axis=-1, keepdims=True) if has_gaps else values.shape[-1]
    sums = (np.where(missing, 0.0, values) if has_gaps else values).sum(axis=-1, keepdims=True)
    centred = values - sums / np.maximum(counts, 1)
    if has_gaps:
        centred = np.where(missing, 0.0, centred)
    largest = np.abs(centred).max(axis=-1, keepdims=True, initial=0.0)
    return np.asarray(centred / np.where(largest > 0, largest, 1.0))
