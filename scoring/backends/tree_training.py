"""Training the embedded judges: features of all labelled pairs, and one small XGBoost model."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import xgboost as xgb
from numpy.typing import NDArray

from scoring import __version__
from scoring.backends.tree_judge import MODEL
from scoring.backends.trees import ROUNDS, Trees, fit_trees, options_for, write_trees
from scoring.finetune.data import TrainingRecord
from scoring.finetune.options import FineTuneOptions
from scoring.finetune.progress import Progress
from scoring.judge.protocol import Question
from scoring.judge.reading_rows import EMBEDDED, LEXICAL, Rows, lexical_rows

FEATURES = {"embedded": EMBEDDED, "lexical": LEXICAL}

Tell = Callable[[Progress], None]


def train(
    records: Sequence[TrainingRecord],
    options: FineTuneOptions,
    *,
    work: Path,
    result: Path,
    tell: Tell | None = None,
) -> dict[str, Any]:
    """Train trees of the kind that `base` names and write them to *result*; facts for the card."""
    used = [record for record in records if not record.is_empty]
    rows = list(_look(used, options.base, tell))
    trees = fit_records(used, rows, options)
    result.mkdir(parents=True, exist_ok=True)
    write_trees(result / MODEL, trees)
    labels = sum(label is not None for record in used for label in record.labels)
    return {
        "kind": options.base,
        "training": {"rounds": ROUNDS, "units": labels, "trees": options_for(labels)},
    }


def fit_records(
    records: Sequence[TrainingRecord], rows: Sequence[Rows], options: FineTuneOptions
) -> Trees:
    """Trees that learned from the records' labels; a unit without one is left out."""
    labels = np.array(
        [-1 if label is None else label for record in records for label in record.labels]
    )
    table = np.concatenate(rows)
    return fit_trees(
        table[labels >= 0], labels[labels >= 0], FEATURES[options.base], seed=options.seed
    )


def describe_base(options: FineTuneOptions) -> dict[str, str]:
    """Trees are grown anew; what they read of a text is told by the program's version."""
    return {"name": options.base, "giza": __version__}


def versions() -> dict[str, str]:
    return {
        "giza": __version__,
        "python": platform.python_version(),
        "xgboost": xgb.__version__,
        "numpy": np.__version__,
    }


@lru_cache(maxsize=100_000)
def rows_of(kind: str, question: Question) -> NDArray[np.float32]:
    """Kept, since every fold asks for them again."""
    if kind == "lexical":
        return lexical_rows(question)
    rows: Rows = import_module("scoring.backends.embedded").rows_of(question)
    return rows


def _look(
    records: Sequence[TrainingRecord], kind: str, tell: Tell | None
) -> Iterator[NDArray[np.float32]]:
    """Rows of every record. The rate is of those that are read now, not of remembered ones."""
    seconds, pairs = 0.0, 0
    for step, record in enumerate(records, 1):
        started, known = time.monotonic(), rows_of.cache_info().misses
        yield rows_of(kind, Question(record.summary, record.units))
        if rows_of.cache_info().misses > known:
            seconds += time.monotonic() - started
            pairs += len(record.units)
        if tell:
            speed = pairs / seconds if seconds > 0 else 0.0
            tell(Progress(step, len(records), None, speed))
