"""Judges that a judge has to beat: always the same answer, and a count of shared words.

Each is a pair of functions as `cross_validate` takes them, and learns from the same labels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.finetune.data import TrainingRecord
from scoring.rouge import recall_of_counts, rouge_words

MAJORITY, UNIT_RECALL = "majority", "logistic on unit ROUGE-1 recall"

Records = list[TrainingRecord]
Presence = list[float]
Floats = NDArray[np.float64]
STEPS, SETTLED = 100, 1e-10
RIDGE = 1e-6  # keeps the slope finite where recall separates the labels


def fit_majority(records: Records) -> float:
    """The share of units that are present."""
    return float(np.mean([label for record in records for label in _known(record)]))


def predict_majority(share: float, records: Records) -> Iterator[Presence]:
    for record in records:
        yield [share] * len(record.units)


def fit_unit_recall(records: Records) -> Floats:
    """Intercept and slope of the log odds of presence by ROUGE-1 recall of the unit."""
    pairs = [
        (recall, label)
        for record in records
        for recall, label in zip(_recalls(record), record.labels, strict=True)
        if label is not None
    ]
    recalls, labels = np.array(pairs, dtype=np.float64).T
    return _fit_logistic(np.column_stack([np.ones_like(recalls), recalls]), labels)


def predict_unit_recall(weights: Floats, records: Records) -> Iterator[Presence]:
    for record in records:
        recalls = np.array(_recalls(record))
        yield (1 / (1 + np.exp(-weights[0] - weights[1] * recalls))).tolist()


BASELINES: dict[str, tuple[Callable[[Records], Any], Callable[..., Iterator[Presence]]]] = {
    UNIT_RECALL: (fit_unit_recall, predict_unit_recall),
    MAJORITY: (fit_majority, predict_majority),
}


def _known(record: TrainingRecord) -> Sequence[int]:
    return [label for label in record.labels if label is not None]


def _recalls(record: TrainingRecord) -> Presence:
    """The share of each unit's words that the summary has, stemmed (Lin 2004)."""
    summary = Counter(rouge_words(record.summary))
    return [recall_of_counts(Counter(rouge_words(unit)), summary) for unit in record.units]


def _fit_logistic(design: Floats, labels: Floats) -> Floats:
    """By Newton's method."""
    weights = np.zeros(design.shape[1])
    for _ in range(STEPS):
        said = 1 / (1 + np.exp(-design @ weights))
        slope = design.T @ (labels - said) - RIDGE * weights
        curve = (design * (said * (1 - said))[:, None]).T @ design
        step = np.linalg.solve(curve + RIDGE * np.eye(len(weights)), slope)
        weights += step
        if np.abs(step).max() < SETTLED:
            break
    return weights
