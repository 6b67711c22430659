"""Relevance and redundancy of a summary without any reference (Chen, Li and King 2021, §3).

All on matrices whose rows are vectors of length 1: pieces first, then sentences.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scoring.metrics.centrality import Places
from scoring.metrics.encoding import Vectors
from scoring.metrics.greedy import harmonic_mean, match_greedily, weigh
from scoring.metrics.protocol import Floats

MOST_BETA = 2.0  # of its square (eq. 12)


def weigh_hybrid(sentence_weights: Floats, sentence_of_piece: Places) -> Floats:
    """A piece inherits its sentence's weight (eq. 3, 4); then all sum to 1 (eq. 5 to 7).

    Where every weight is 0 they are all alike, so that there is something to divide by.
    """
    weights = np.concatenate([sentence_weights[sentence_of_piece], sentence_weights])
    total = weights.sum()
    return weights / total if total > 0 else np.full(len(weights), 1 / len(weights))


def find_beta_squared(reference_rows: int, summary_rows: int, gamma: float) -> float:
    """How much recall counts, by how much longer the pseudo reference is (eq. 12)."""
    ratio = float((reference_rows / summary_rows) ** (1 / gamma))
    return min(max(ratio, 1.0), MOST_BETA)


def score_relevance(
    summary: Vectors, reference: Vectors, weights: Floats, beta_squared: float = 1.0
) -> float:
    """Recall weighted by centrality (eq. 8), precision (eq. 9), and their F (eq. 10, 11)."""
    best, best_of_reference = match_greedily(summary, reference)
    recall = weigh(best_of_reference, weights)
    return harmonic_mean(float(best.mean()), recall, beta_squared)


def mean_relevance(relevances: Sequence[float]) -> float:
    """Over the documents (eq. 13)."""
    return float(np.mean(relevances))


def score_redundancy(summary: Vectors) -> float:
    """How like each row is to the one most like it among the others (eq. 14).

    A summary of a single row repeats nothing.
    """
    if len(summary) < 2:
        return 0.0
    similarity = summary @ summary.T
    np.fill_diagonal(similarity, -np.inf)
    return float(similarity.max(axis=1).mean())


def combine(relevance: float, redundancy: float, scale: float) -> float:
    """The final score (eq. 15); `scale` is their lambda."""
    return (relevance - scale * redundancy) / (1 + scale)
