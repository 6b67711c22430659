"""Mover metrics on REALSumm, against a straightforward loop over POT.

The loop does what a reader of the papers writes: for each pair and each variant it encodes both
texts, asks `ot.dist` for distances and `ot.emd2` for the cost. Ours encodes each distinct text
once, makes one table of distances for three variants, and calls the solver under `ot.emd2` itself.
What the solver's part alone gains is told beside it. Figures are of processor time on one thread.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from math import exp

import numpy as np
import ot
import torch
from numpy.typing import NDArray

from scoring.backends import encoders
from scoring.metrics import load_metric
from scoring.metrics.encoding import Encoder, load_encoder
from scoring.metrics.hybrid import cut_sentences
from scoring.metrics.movers import Layers, build_layers, compare
from tests.benchmarks.bertscore import read_corpus
from tests.benchmarks.judging_sample import GIZA_DATA
from tests.benchmarks.report import Figure

LEAST_FASTER = 3.0
DOCUMENTS = 6
VARIANTS = 3
Values = NDArray[np.float64]
Pairs = list[tuple[str, str]]


def measure() -> list[Figure]:
    torch.set_num_threads(1)
    systems, references = read_corpus(GIZA_DATA / "realsumm")
    pairs = [
        pair for texts in systems for pair in list(zip(texts, references, strict=True))[:DOCUMENTS]
    ]
    load_encoder("minilm").encode(["warm"])
    plainly, expected = _time(lambda: _loop(pairs))
    ours, found = _time(lambda: _score(pairs))
    solving, solved = _solve_only(pairs)
    return [
        Figure("pairs of summary and reference", len(pairs)),
        Figure("a loop over POT, three variants", plainly, "s"),
        Figure("ours, three variants", ours, "s"),
        Figure("times as fast as the loop", plainly / ours, "x", at_least=LEAST_FASTER),
        Figure("distances and costs alone, times as fast", solving / solved, "x"),
        Figure(
            "largest difference, in units of 0.0001",
            float(np.abs(found - expected).max()) * 1e4,
            at_most=1,
        ),
    ]


def _time(work: Callable[[], Values]) -> tuple[float, Values]:
    encoder = load_encoder("minilm")
    assert isinstance(encoder, encoders.TorchEncoder)
    encoder.kept = encoders.Kept(encoders.KEPT)
    started = time.process_time()
    found = work()
    return time.process_time() - started, found


def _score(pairs: Pairs) -> Values:
    metric = load_metric("movers")
    summaries, references = zip(*pairs, strict=True)
    return metric.score(summaries, [[text] for text in references], []).values


def _loop(pairs: Pairs) -> Values:
    return np.array([[_one(pair, variant) for variant in range(VARIANTS)] for pair in pairs])


def _one(pair: tuple[str, str], variant: int) -> float:
    encoder = load_encoder("minilm")
    summary, reference = (_encode_anew(encoder, text) for text in pair)
    return _move(summary, reference, variant)


def _encode_anew(encoder: Encoder, text: str) -> Layers:
    assert isinstance(encoder, encoders.TorchEncoder)
    encoder.kept = encoders.Kept(0)
    return build_layers(encoder.encode(cut_sentences(text)))


def _move(summary: Layers, reference: Layers, variant: int) -> float:
    mine, theirs = summary.heaps()[variant], reference.heaps()[variant]
    distances = ot.dist(
        summary.rows[mine].astype(np.float64),
        reference.rows[theirs].astype(np.float64),
        metric="euclidean",
    )
    weights = summary.weights[mine], reference.weights[theirs]
    return exp(-ot.emd2(*(one / one.sum() for one in weights), distances))


def _solve_only(pairs: Pairs) -> tuple[float, float]:
    """Seconds by POT's calls, and by ours, of what is encoded already."""
    encoder = load_encoder("minilm")
    texts = {text for pair in pairs for text in pair}
    layers = {text: build_layers(encoder.encode(cut_sentences(text))) for text in texts}
    sides = [(layers[first], layers[second]) for first, second in pairs]
    started = time.process_time()
    for side in sides:
        for variant in range(VARIANTS):
            _move(*side, variant)
    middle = time.process_time()
    for side in sides:
        list(compare(*side))
    return middle - started, time.process_time() - middle
