"""Greedy matching of vectors: every piece with the one most like it (Zhang et al. 2020, §3).

Rows are vectors of length 1, so that a product is a cosine.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scoring.metrics.encoding import Vectors
from scoring.metrics.protocol import Floats

Best = NDArray[np.float32]


def match_greedily(candidate: Vectors, reference: Vectors) -> tuple[Best, Best]:
    """For each row of the candidate, and of the reference, the highest cosine on the other side."""
    similarity = candidate @ reference.T
    return similarity.max(axis=1), similarity.max(axis=0)


def match_many(candidates: Sequence[Vectors], reference: Vectors) -> list[tuple[Best, Best]]:
    """The same for many candidates of one reference, in one product."""
    starts = np.cumsum([0, *(len(rows) for rows in candidates)])
    similarity = np.concatenate(candidates) @ reference.T
    recalls = np.maximum.reduceat(similarity, starts[:-1], axis=0)
    precisions = np.split(similarity.max(axis=1), starts[1:-1])
    return list(zip(precisions, recalls, strict=True))


def weigh(best: Best, weights: Floats) -> float:
    """The weighted mean of the highest cosines; 0 where nothing has a weight."""
    total = weights.sum()
    return float(best @ weights / total) if total > 0 else 0.0


def harmonic_mean(precision: float, recall: float, beta_squared: float = 1.0) -> float:
    """F of precision and recall, in which recall counts beta times as much; 0 where both are 0."""
    below = recall + beta_squared * precision
    return (1 + beta_squared) * recall * precision / below if below else 0.0
