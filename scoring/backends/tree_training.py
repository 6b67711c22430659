"""Training the embedded judges: features of all labelled pairs, and one small XGBoost model."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
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
from scoring.judge.frequencies import (
    DocumentFrequencies,
    count_frequencies,
    load_frequencies,
)
from scoring.judge.protocol import Question
from scoring.judge.reading_rows import (
    EMBEDDED,
    LEXICAL,
    Rows,
    lexical_rows,
    match_units,
    weigh_rows,
)
from scoring.judge.soft import Matches

# With fewer documents than this, counts say too little of which words are rare.
FEWEST = 50
READS = "reader"
# It has more features, and more to learn.
READER_TREES: dict[str, Any] = {"rounds": 250, "columns": 0.3}
Features = tuple[str, ...]

Tell = Callable[[Progress], None]


def features_of(kind: str) -> Features:
    """The names of the columns that trees of a kind read."""
    if kind == READS:
        return tuple(import_module("scoring.backends.reader.judge").READER)
    return {"embedded": EMBEDDED, "lexical": LEXICAL}[kind]


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
    frequencies = choose_frequencies(used)
    rows = list(_look(used, options.base, frequencies, tell))
    trees = fit_records(used, rows, options, frequencies)
    result.mkdir(parents=True, exist_ok=True)
    write_trees(result / MODEL, trees)
    labels = sum(label is not None for record in used for label in record.labels)
    return {
        "kind": options.base,
        "training": {"rounds": ROUNDS, "units": labels, "trees": options_for(labels)},
        "frequencies": {"version": frequencies.version, "documents": frequencies.documents},
    }


def choose_frequencies(records: Iterable[TrainingRecord]) -> DocumentFrequencies:
    """The table that words weigh by: counted in what is learned from, and so never in what is
    held out; of few documents, the table that ships."""
    texts = {(record.document, record.summary) for record in records}
    if len({document for document, _ in texts}) < FEWEST:
        return load_frequencies()
    return count_frequencies(texts)


def fit_records(
    records: Sequence[TrainingRecord],
    rows: Sequence[Rows],
    options: FineTuneOptions,
    frequencies: DocumentFrequencies,
) -> Trees:
    """Trees that learned from the records' labels; a unit without one is left out.

    Those of the reader also learn from units changed by rule.
    """
    labels = np.array(
        [-1 if label is None else label for record in records for label in record.labels]
    )
    table = np.concatenate(rows)
    weights = np.ones(len(labels))
    if options.base == READS:
        contrast: Any = import_module("scoring.backends.reader.contrast")
        contrasts = contrast.list_contrasts(records)
        more = [rows_of(READS, one.question, frequencies) for one in contrasts]
        table = np.concatenate([table, *more])
        labels = np.append(labels, [label for one in contrasts for label in one.labels])
        weights = np.append(weights, [one.weight for one in contrasts for _ in one.labels])
    known = labels >= 0
    return fit_trees(
        table[known],
        labels[known],
        features_of(options.base),
        seed=options.seed,
        frequencies=frequencies,
        weights=weights[known] if options.base == READS else None,
        **(READER_TREES if options.base == READS else {}),
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
def rows_of(kind: str, question: Question, frequencies: DocumentFrequencies) -> NDArray[np.float32]:
    """Stored, since several folds ask for the same."""
    if kind == "lexical":
        return lexical_rows(question, frequencies)
    if kind == READS:
        judge: Any = import_module("scoring.backends.reader.judge")
        rows = judge.join_rows(question, _match(question), _read(question), frequencies)
        return np.asarray(rows)
    return weigh_rows(question, _match(question), frequencies)


def look_at(kind: str, question: Question) -> None:
    """Encode what is read later with one table or several; of words alone there is nothing."""
    if kind != "lexical":
        _match(question)
    if kind == READS:
        _read(question)


@lru_cache(maxsize=100_000)
def _read(question: Question) -> Any:
    """What the reader's network says of it; folds ask for the same."""
    return import_module("scoring.backends.reader.reading").read_question(question)


@lru_cache(maxsize=100_000)
def _match(question: Question) -> list[Matches]:
    """Each text is encoded once, however many tables of frequencies it is read with."""
    return match_units(question, import_module("scoring.backends.embedded").encode)


def _look(
    records: Sequence[TrainingRecord],
    kind: str,
    frequencies: DocumentFrequencies,
    tell: Tell | None,
) -> Iterator[NDArray[np.float32]]:
    """Rows of every record. The rate is of those that are read now, not of remembered ones."""
    seconds, pairs = 0.0, 0
    for step, record in enumerate(records, 1):
        started, known = time.monotonic(), rows_of.cache_info().misses
        yield rows_of(kind, Question(record.summary, record.units), frequencies)
        if rows_of.cache_info().misses > known:
            seconds += time.monotonic() - started
            pairs += len(record.units)
        if tell:
            speed = pairs / seconds if seconds > 0 else 0.0
            tell(Progress(step, len(records), None, speed))
