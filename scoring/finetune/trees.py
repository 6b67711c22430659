"""The embedded judges tried on what they did not see."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from scoring.crossvalidation import Fold, Tried, cross_validate, try_elsewhere
from scoring.finetune.data import TrainingRecord
from scoring.finetune.options import FineTuneOptions
from scoring.judge.functions import read_presence
from scoring.judge.held_out import HeldOutRecord
from scoring.judge.protocol import Question

Presence = list[float]


def look_at(
    records: Sequence[TrainingRecord],
    options: FineTuneOptions,
    tell: Callable[[int, int], None] | None = None,
) -> None:
    """Read every summary once, which takes most of the time and is stored for all folds."""
    backend: Any = import_module("scoring.backends.tree_training")
    for number, record in enumerate(records, 1):
        if not record.is_empty:
            backend.look_at(options.base, Question(record.summary, record.units))
        if tell:
            tell(number, len(records))


def hold_out(
    records: Sequence[TrainingRecord], folds: Sequence[Fold], options: FineTuneOptions
) -> Iterator[HeldOutRecord]:
    """Each fold as judged by trees that learned from all others."""
    for tried in cross_validate(records, folds, *_learner(options)):
        yield from held_out_records(tried)


def judge_others(
    learned: Sequence[TrainingRecord],
    others: Sequence[TrainingRecord],
    options: FineTuneOptions,
) -> Iterator[HeldOutRecord]:
    """Records as judged by trees that learned from others."""
    yield from held_out_records(try_elsewhere(learned, others, *_learner(options)))


def _learner(
    options: FineTuneOptions,
) -> tuple[
    Callable[[list[TrainingRecord]], Any], Callable[[Any, list[TrainingRecord]], Iterator[Presence]]
]:
    """Trees of the kind that the options name: how they are grown, and how they judge."""
    backend: Any = import_module("scoring.backends.tree_training")

    def rows(record: TrainingRecord, frequencies: Any) -> Any:
        return backend.rows_of(options.base, Question(record.summary, record.units), frequencies)

    def fit(records: list[TrainingRecord]) -> Any:
        used = [record for record in records if not record.is_empty]
        frequencies = backend.choose_frequencies(used)
        read = [rows(record, frequencies) for record in used]
        return backend.fit_records(used, read, options, frequencies)

    def predict(trees: Any, records: list[TrainingRecord]) -> Iterator[Presence]:
        for record in records:
            if record.is_empty:
                yield [0.0] * len(record.units)
            else:
                yield read_trees(trees, rows(record, trees.frequencies))

    return fit, predict


def read_trees(trees: Any, rows: Any) -> Presence:
    """The presence that trees see in rows of features."""
    return [read_presence("p2c", np.array([[logit, 0]])) for logit in trees.judge(rows)]


def held_out_records(tried: Tried[TrainingRecord, Presence]) -> Iterator[HeldOutRecord]:
    """What was said of each record, next to its labels."""
    for record, presence in tried.pairs():
        yield HeldOutRecord(
            record.document, record.system, record.labels, presence, record.weights, tried.fold
        )
