"""ROUGE on REALSumm beside the package rouge-score, in one run, on the same texts."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from rouge_score.rouge_scorer import RougeScorer

from scoring.io.texts import SummaryTexts, read_texts
from scoring.metrics import load_metric
from scoring.metrics.protocol import Floats
from scoring.metrics.rouge import KINDS
from scoring.porter import porter_stem
from tests.benchmarks.report import Figure

LEAST_FASTER = 5.0
MOST_APART = 1e-9


def measure() -> list[Figure]:
    texts = read_texts(Path(os.environ["GIZA_DATA"]) / "realsumm")
    porter_stem.cache_clear()
    ours, our_time = _timed(lambda: _ours(texts))
    theirs, their_time = _timed(lambda: _theirs(texts))
    apart = float(np.abs(ours - theirs).max())
    return [
        Figure(f"ROUGE-1/2/3/L of {len(ours):,} summaries", our_time, "s"),
        Figure("the same by rouge-score", their_time, "s"),
        Figure("times as fast as rouge-score", their_time / our_time, "x", LEAST_FASTER),
        Figure("largest difference, in 1e-9", apart / 1e-9, "", None, MOST_APART / 1e-9),
    ]


def _timed(work: Callable[[], Floats]) -> tuple[Floats, float]:
    """What *work* gives, and its processor time."""
    start = time.process_time()
    found = work()
    return found, time.process_time() - start


def _ours(texts: SummaryTexts) -> Floats:
    return load_metric("rouge").score(texts.summaries, texts.references, []).values


def _theirs(texts: SummaryTexts) -> Floats:
    scorer = RougeScorer(list(KINDS), use_stemmer=True)
    rows = []
    for summary, [reference] in zip(texts.summaries, texts.references, strict=True):
        found = scorer.score(reference, summary)
        scores = (found[kind] for kind in KINDS)
        rows.append([part for s in scores for part in (s.recall, s.precision, s.fmeasure)])
    return np.array(rows)
