"""Which sentences of a document matter: PacSum's centrality (Zheng and Lapata 2019).

A sentence is central if many others are like it. Sentences before it and after it may count
differently, since news is told from its top downwards.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.metrics.encoding import Vectors, unit_rows
from scoring.metrics.protocol import Floats

Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class PacSum:
    """`threshold` is the share of the range of similarities below which a likeness is none (their
    beta); `before` and `after` say what a sentence above and one below counts (their lambdas)."""

    threshold: float = 0.0
    before: float = 0.0
    after: float = 1.0


def find_centrality(sentences: Vectors, rule: PacSum) -> Floats:
    """Each sentence's sum of likenesses to the others, less a threshold and never below 0."""
    size = len(sentences)
    if size < 2:
        return np.ones(size)
    rows = unit_rows(sentences).astype(np.float64)
    return sum_likeness(rows @ rows.T, rule)


def sum_likeness(similarity: Floats, rule: PacSum) -> Floats:
    """The same from the sentences' similarities; what a sentence has with itself does not count."""
    apart = ~np.eye(len(similarity), dtype=np.bool_)
    low, high = similarity[apart].min(), similarity[apart].max()
    edges = np.maximum(similarity - (low + rule.threshold * (high - low)), 0) * apart
    earlier = np.tril(edges).sum(axis=1)
    later = np.triu(edges).sum(axis=1)
    return np.asarray(rule.before * earlier + rule.after * later)


def normalise(centrality: Floats) -> Floats:
    """To [0, 1] over the document's sentences; all 1 where they are alike."""
    if not len(centrality):
        return centrality
    low, high = centrality.min(), centrality.max()
    return (centrality - low) / (high - low) if high > low else np.ones_like(centrality)


def choose_top(centrality: Floats, most: int) -> Places:
    """Places of the most central sentences, in the document's order; of equals, the earlier."""
    return np.sort(np.argsort(-centrality, kind="stable")[:most])
