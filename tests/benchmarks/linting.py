"""How long the linter takes at a key, beside the units of a whole example."""

from __future__ import annotations

import time

from scoring.linting import lint_unit
from scoring.sentences import split_sentences
from tests.benchmarks.report import Figure

SENTENCES = 4
UNITS = 16
MOST_MS = 2.0
REFERENCE = " ".join(
    f"The council of Brack paid {number}00 crowns for the glass of lamp {number} on Friday."
    for number in range(1, SENTENCES + 1)
)
OTHERS = [f"Lamp {number} of Brack was paid for by the council." for number in range(1, UNITS)]
TYPED = "The council paid 100 crowns for the glass of the first lamp."


def measure() -> list[Figure]:
    best = min(_milliseconds() for _ in range(5))
    return [Figure("linting at a key, beside 15 other units", best, "ms", None, MOST_MS)]


def _milliseconds() -> float:
    """Of processor time, over every text that stands there while one unit is typed."""
    sentences = [REFERENCE[start:end] for start, end in split_sentences(REFERENCE)]
    texts = [TYPED[:length] for length in range(1, len(TYPED) + 1)]
    start = time.process_time()
    for text in texts:
        lint_unit(text, reference_sentences=sentences, others=OTHERS)
    return 1000 * (time.process_time() - start) / len(texts)
