"""Correlations of many rows at once, along the last axis; nan where either row is constant."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from scoring.metaeval.correlation import ROUNDING

Floats = NDArray[np.float64]


def pearson_rows(first: Floats, second: Floats) -> Floats:
    one, two = (values - values.mean(axis=-1, keepdims=True) for values in (first, second))
    known = ~(_is_constant(first) | _is_constant(second))
    product = (one * two).sum(axis=-1)
    scale = np.sqrt((one**2).sum(axis=-1) * (two**2).sum(axis=-1))
    found = np.divide(product, scale, out=np.full(product.shape, np.nan), where=known)
    return np.clip(found, -1.0, 1.0)


def kendall_rows(first: Floats, second: Floats) -> Floats:
    """τ-b."""
    one, two = np.broadcast_arrays(_signs(first), _signs(second))
    untied = np.sqrt((one != 0).sum(axis=-1)) * np.sqrt((two != 0).sum(axis=-1))
    # Sums of signs are small whole numbers, which this type holds exactly.
    product = (one * two).sum(axis=-1, dtype=np.int32)
    return np.divide(product, untied, out=np.full(product.shape, np.nan), where=untied > 0)


MEASURES: dict[str, Callable[[Floats, Floats], Floats]] = {
    "pearson": pearson_rows,
    "kendall": kendall_rows,
}


def _signs(values: Floats) -> NDArray[np.int8]:
    above, below = np.triu_indices(values.shape[-1], k=1)
    # Scores that differ by rounding alone are tied.
    gaps = values[..., above] - values[..., below]
    return (gaps > ROUNDING).astype(np.int8) - (gaps < -ROUNDING).astype(np.int8)


def _is_constant(values: Floats) -> NDArray[np.bool_]:
    largest = np.maximum(np.abs(values).max(axis=-1), 1.0)
    return np.asarray(np.ptp(values, axis=-1) <= ROUNDING * largest)
