"""Many tests at once: p values that hold for all of them together."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoring.errors import InputError
from scoring.translation import gettext as _


def holm(p_values: ArrayLike) -> NDArray[np.float64]:
    """Holm's step-down p values (1979): each is compared with the level as it stands.

    The k-th smallest of m is multiplied by m − k + 1, and none is smaller than one before it.
    """
    given = _checked(p_values)
    order = np.argsort(given, kind="stable")
    stepped = np.maximum.accumulate(given[order] * np.arange(len(given), 0, -1))
    adjusted = np.empty_like(given)
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted


def benjamini_hochberg(p_values: ArrayLike) -> NDArray[np.float64]:
    """Benjamini and Hochberg's step-up p values (1995), which bound the share of false findings.

    The k-th smallest of m is multiplied by m / k, and none is larger than one after it.
    """
    given = _checked(p_values)
    order = np.argsort(given, kind="stable")
    scaled = given[order] * len(given) / np.arange(1, len(given) + 1)
    adjusted = np.empty_like(given)
    adjusted[order] = np.minimum(np.minimum.accumulate(scaled[::-1])[::-1], 1.0)
    return adjusted


def benjamini_yekutieli(p_values: ArrayLike) -> NDArray[np.float64]:
    """Benjamini and Yekutieli's p values (2001), which hold for tests that depend on each other.

    They are Benjamini and Hochberg's, but all are multiplied by 1 + 1/2 + … + 1/m before.
    """
    given = _checked(p_values)
    harmonic = float((1 / np.arange(1, len(given) + 1)).sum())
    return benjamini_hochberg(np.minimum(given * harmonic, 1.0))


def _checked(p_values: ArrayLike) -> NDArray[np.float64]:
    given = np.asarray(p_values, dtype=np.float64)
    if given.ndim != 1 or np.isnan(given).any() or ((given < 0) | (given > 1)).any():
        raise InputError(_("p values must be a list of numbers between 0 and 1."))
    return given


def adjust_known(
    p_values: ArrayLike, by: Callable[[ArrayLike], NDArray[np.float64]]
) -> NDArray[np.float64]:
    """p values adjusted for each other; one that is nan has made no test, and stays nan."""
    given = np.asarray(p_values, dtype=np.float64)
    adjusted = np.full(given.shape, np.nan)
    known = ~np.isnan(given)
    adjusted[known] = by(given[known])
    return adjusted
