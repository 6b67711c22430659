"""Similarity by moving earth: what it costs to turn one text's vectors into the other's.

Distances are Euclidean. The exact solver is a backend.
"""

from __future__ import annotations

import numpy as np

from scoring.metrics.encoding import Vectors
from scoring.metrics.protocol import Floats


def find_distances(first: Vectors, second: Vectors) -> Floats:
    """Euclidean distance of each row of the first to each of the second."""
    products = first @ second.T
    squares = np.square(first).sum(axis=1)[:, np.newaxis] + np.square(second).sum(axis=1)
    return np.sqrt(np.maximum(squares - 2 * products, 0)).astype(np.float64)


def share_evenly(count: int) -> Floats:
    return np.full(count, 1 / count)


def move(first: Vectors, second: Vectors, weights: Floats, other_weights: Floats) -> float:
    """The earth mover's distance of two weighted heaps of vectors."""
    from scoring.backends.transport import move_earth

    return move_earth(weights, other_weights, find_distances(first, second))


def move_within(rows: Vectors) -> float:
    """What it costs to give every row's weight to other rows than itself."""
    from scoring.backends.transport import FORBIDDEN, move_earth

    distances = find_distances(rows, rows)
    np.fill_diagonal(distances, FORBIDDEN)
    return move_earth(share_evenly(len(rows)), share_evenly(len(rows)), distances)
