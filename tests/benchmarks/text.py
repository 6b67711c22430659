"""How fast references are split into sentences, and how the time grows with hostile text."""

from __future__ import annotations

import time

from scoring.sentences import split_sentences
from tests.benchmarks.database import BENCH_DIR
from tests.benchmarks.generated import write_corpus
from tests.benchmarks.report import Figure
from tests.scoring.hostile import HOSTILE_PIECES

SMALL = 2**15
TIMES = 8
MOST_GROWTH = 2.0 * TIMES


def measure() -> list[Figure]:
    lines = (write_corpus(BENCH_DIR) / "references.txt").read_text().splitlines()
    start = time.process_time()
    sentences = sum(len(split_sentences(line)) for line in lines)
    rate = sentences / (time.process_time() - start)
    growth = max(_growth(piece) for piece in HOSTILE_PIECES)
    return [
        Figure("sentences split in a second of one core", rate),
        Figure(f"worst growth of time for {TIMES} x the text", growth, "x", None, MOST_GROWTH),
    ]


def _growth(piece: str) -> float:
    """A linear rule takes as many times longer as the text is; a quadratic one its square."""
    return _best(piece, TIMES * SMALL) / _best(piece, SMALL)


def _best(piece: str, size: int) -> float:
    text = (piece * (size // len(piece) + 1))[:size]
    return min(_seconds(text) for _ in range(3))


def _seconds(text: str) -> float:
    start = time.process_time()
    split_sentences(text)
    return time.process_time() - start
