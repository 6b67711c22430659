"""The embedded judges tried on what they did not see."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from scoring.finetune.data import TrainingRecord
from scoring.finetune.folds import Fold
from scoring.finetune.options import FineTuneOptions
from scoring.judge.functions import read_presence
from scoring.judge.held_out import HeldOutRecord
from scoring.judge.protocol import Question


def hold_out(
    records: Sequence[TrainingRecord], folds: Sequence[Fold], options: FineTuneOptions
) -> Iterator[HeldOutRecord]:
    """Each fold as judged by trees that learned from all others."""
    for fold in folds:
        learned, held = fold.split(records)
        yield from judge_others(learned, held, options, fold.name)


def judge_others(
    learned: Sequence[TrainingRecord],
    others: Sequence[TrainingRecord],
    options: FineTuneOptions,
    fold: str = "",
) -> Iterator[HeldOutRecord]:
    """Records as judged by trees that learned from others."""
    backend: Any = import_module("scoring.backends.tree_training")
    used = [record for record in learned if not record.is_empty]
    trees = backend.fit_records(used, [_rows(backend, record, options) for record in used], options)
    for record in others:
        presence = [0.0] * len(record.units)
        if not record.is_empty:
            logits = trees.judge(_rows(backend, record, options))
            presence = [read_presence("p2c", np.array([[logit, 0]])) for logit in logits]
        yield HeldOutRecord(
            record.document, record.system, record.labels, presence, record.weights, fold
        )


def _rows(backend: Any, record: TrainingRecord, options: FineTuneOptions) -> Any:
    return backend.rows_of(options.base, Question(record.summary, record.units))
