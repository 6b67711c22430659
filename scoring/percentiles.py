"""The middle of resampled figures, widened for how few things were resampled.

Figures of resamples vary too little: by √((n − 1) / n), and as if the spread of n things were
known. So the outer percentiles are those that t of n − 1 degrees of freedom asks for instead of the
normal distribution (Hesterberg 2015, §6.1, the expanded percentile interval). For large n it is
the plain one.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
COVERAGE = 0.95


def tails(count: int, coverage: float = COVERAGE) -> tuple[float, float]:
    """The shares of resampled figures below and above which bounds lie, of *count* things."""
    from scipy import special  # takes a while, and a server seldom needs it

    if count < 2:
        return 0.0, 1.0
    wide = float(special.stdtrit(count - 1, (1 + coverage) / 2)) * math.sqrt(count / (count - 1))
    return float(special.ndtr(-wide)), float(special.ndtr(wide))


def expand_p(shares: Floats, counts: Floats) -> Floats:
    """Two-sided p values from shares of resamples on one side, that agree with `middle`."""
    from scipy import special  # takes a while, and a server seldom needs it

    narrow = special.ndtri(shares) * np.sqrt((counts - 1) / counts)
    return np.minimum(1.0, 2 * special.stdtr(np.maximum(counts - 1, 1), narrow))


def middle(drawn: Floats, count: int, coverage: float = COVERAGE) -> Floats:
    """(low, high) along the first axis, over known figures; nan where there is none."""
    percentile = np.nanquantile if np.isnan(drawn).any() else np.quantile
    return np.asarray(percentile(drawn, tails(count, coverage), axis=0))
