"""Earth mover's distances by POT's exact solver, without the checks it makes of every call."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from ot.lp.emd_wrap import emd_c

from scoring.errors import InputError
from scoring.metrics.protocol import Floats
from scoring.translation import gettext as _

MOST_STEPS = 1_000_000
FORBIDDEN = 1e6  # a cost that no cheapest plan pays where another way is open


def move_earth(first: Floats, second: Floats, costs: NDArray[np.floating]) -> float:
    """What it costs at least to turn one heap of weights into the other; both sum to 1."""
    first, second = _tidy(first), _tidy(second)
    table = np.ascontiguousarray(costs, dtype=np.float64)
    __, cost, __, __, status = emd_c(first, second, table, MOST_STEPS, 1)
    if status != 1:
        raise InputError(
            _(
                "The earth mover's distance from {first} to {second} weights failed. "
                "Weights must be non-negative and costs finite."
            ).format(first=len(first), second=len(second))
        )
    return float(cost)


def _tidy(weights: Floats) -> Floats:
    """They sum to 1 to the last bit that matters; the solver wants equal sums."""
    found = np.ascontiguousarray(weights, dtype=np.float64)
    return found / found.sum()
