"""How many documents people alone would have to judge for an interval of the same width."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scoring.estimation.means import DOCUMENTS, quantile

Floats = NDArray[np.float64]

HALVINGS = 60
# With two documents t is so large that whatever an interval's width, it is reached by more.
FEWEST, MOST = 2.0, 1e9


def people_alone(
    widths: Floats,
    variances: Floats,
    sizes: Floats,
    *,
    target: str,
    level: float,
    extra: float = 0.0,
) -> Floats:
    """Documents of a random sample whose mean has an interval of the given width.

    *variances* are of people's scores between documents, *sizes* the numbers of all documents,
    *extra* what t has in degrees of freedom from other systems. Not a whole number: what stands
    between two is told by the line between them.
    """
    low = np.full(len(widths), FEWEST)
    high = np.asarray(sizes, dtype=np.float64) if target == DOCUMENTS else np.full(len(low), MOST)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        wider = _width(middle, variances, sizes, target, level, extra) > widths
        low, high = np.where(wider, middle, low), np.where(wider, high, middle)
    return high


def _width(
    number: Floats, variances: Floats, sizes: Floats, target: str, level: float, extra: float
) -> Floats:
    left = 1 - number / sizes if target == DOCUMENTS else np.ones(len(number))
    error = np.sqrt(variances * np.maximum(left, 0) / number)
    return 2 * quantile(level, number - 1 + extra) * error
