"""BERTScore of all of REALSumm with MiniLM, against the authors' package on one thread.

The package is run in its two ways: a system at a time, as metrics are usually run, where it loads
the model and encodes the references anew for each; and all summaries in one call, where it encodes
each distinct text once too and only batching and matching differ. Figures are of processor time,
loading included; ours goes system by system as well.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from scoring.backends import encoders
from scoring.metrics import Metric, load_metric
from tests.benchmarks.judging_sample import GIZA_DATA, minilm
from tests.benchmarks.report import Figure

LEAST_FASTER = 3.0
MOST_APART = 1e-4
LAYER = 6
Values = NDArray[np.float64]
Texts = list[str]


def measure() -> list[Figure]:
    torch.set_num_threads(1)
    systems, references = read_corpus(GIZA_DATA / "realsumm")
    ours, by_system, apart = _take_turns(systems, references)
    at_once, _ = _time(
        lambda: _ask_package(
            [text for texts in systems for text in texts], references * len(systems)
        )
    )
    return [
        Figure("summaries", len(systems) * len(references)),
        Figure("bert-score, a system at a time", by_system, "s"),
        Figure("bert-score, all in one call", at_once, "s"),
        Figure("ours, a system at a time", ours, "s"),
        Figure(
            "times as fast as bert-score, a system at a time",
            by_system / ours,
            "x",
            at_least=LEAST_FASTER,
        ),
        Figure("times as fast as bert-score, all in one call", at_once / ours, "x"),
        Figure(f"largest difference, in units of {MOST_APART:g}", apart / MOST_APART, at_most=1),
    ]


def _take_turns(systems: list[Texts], references: Texts) -> tuple[float, float, float]:
    """Seconds by ours and by theirs, and the largest difference.

    They take turns, so that what else the machine does falls on both.
    """
    encoders.load_signed.cache_clear()
    metric = load_metric("bertscore", {"encoder": "minilm"})
    listed = [[reference] for reference in references]
    ours = theirs = apart = 0.0
    for texts in systems:
        mine, found = _time(partial(_ask_metric, metric, texts, listed))
        package, expected = _time(partial(_ask_package, texts, references))
        ours, theirs = ours + mine, theirs + package
        apart = max(apart, float(np.abs(found - expected).max()))
    return ours, theirs, apart


def read_corpus(folder: Path) -> tuple[list[Texts], Texts]:
    """The summaries of each system, and the references."""
    paths = sorted((folder / "summaries").glob("*.summary"))
    return [_lines(path) for path in paths], _lines(folder / "references.txt")


def _lines(path: Path) -> Texts:
    return path.read_text(encoding="utf-8").split("\n")


def _time(work: Callable[[], Values]) -> tuple[float, Values]:
    started = time.process_time()
    found = work()
    return time.process_time() - started, found


def _ask_metric(metric: Metric, summaries: Texts, references: list[Texts]) -> Values:
    return metric.score(summaries, references, []).values


def _ask_package(summaries: Texts, references: Texts) -> Values:
    import bert_score

    found = bert_score.score(
        summaries, references, model_type=minilm(), num_layers=LAYER, device="cpu"
    )
    return np.column_stack([column.numpy() for column in found])
