"""A choice among candidates: the best first, each worth less the more like it is one chosen."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scoring.stu.rich.features import Pool

REDUNDANCY = 0.6

Floats = NDArray[np.float32]


def choose(pools: Sequence[Pool], values: Floats, budget: int) -> list[tuple[int, int, float]]:
    """Sentence, candidate and value of at most *budget* candidates, in the order of the text.

    *values* go through all pools in turn. Candidates are compared within their sentence alone.
    """
    owners = np.repeat(np.arange(len(pools)), [len(pool.facts) for pool in pools])
    starts = np.searchsorted(owners, np.arange(len(pools)))
    nearest = np.zeros(len(values), dtype=np.float32)
    left = np.array(values, dtype=np.float32)
    chosen: list[int] = []
    for _ in range(min(budget, len(values))):
        best = int(np.argmax(left))
        chosen.append(best)
        pool, start = pools[owners[best]], starts[owners[best]]
        part = slice(start, start + len(pool.facts))
        nearest[part] = np.maximum(nearest[part], pool.likeness[best - start] ** 2)
        left[part] = values[part] * (1 - REDUNDANCY * nearest[part])
        left[chosen] = -np.inf
    return [
        (int(owners[one]), int(one - starts[owners[one]]), float(values[one]))
        for one in sorted(chosen)
    ]
