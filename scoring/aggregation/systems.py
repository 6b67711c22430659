"""Scores of systems straight from labels, for questions that ask them many times."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scoring.aggregation.answers import Answers

Floats = NDArray[np.float64]


def score_labels(
    answers: Answers, present: NDArray[np.int8], weights: NDArray[np.integer] | None = None
) -> Floats:
    """Each summary's exhaustive Pyramid score; nan where no statement has a label."""
    is_labelled = present >= 0
    worth = np.ones(len(present)) if weights is None else weights
    size = len(answers.summary_keys)
    of, on = (
        np.bincount(answers.statement_summaries[mask], weights=worth[mask], minlength=size)
        for mask in (is_labelled, present == 1)
    )
    return np.divide(on, of, out=np.full(size, np.nan), where=of > 0)


def score_systems(answers: Answers, scores: Floats) -> Floats:
    """Each system's mean over its summaries that have a score; nan if none has."""
    known = ~np.isnan(scores)
    systems, size = answers.summary_systems[known], len(answers.system_keys)
    sums = np.bincount(systems, weights=scores[known], minlength=size)
    numbers = np.bincount(systems, minlength=size)
    return np.divide(sums, numbers, out=np.full(size, np.nan), where=numbers > 0)
