"""What ranks candidates, and says how many units a reference is worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Ranker(Protocol):
    """`counts` are the weights of `budget`; `version` changes with what was learnt."""

    version: str
    counts: Sequence[float]

    def rank(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        """How near each candidate may be to a unit that people would write, from 0 to 1."""
        ...
