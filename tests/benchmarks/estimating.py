"""Estimates from 20 judged documents of REALSumm and the embedded judge on all, by 1,000 draws.

The judge of each document learned from the folds that the document is not in.
"""

from __future__ import annotations

import time

from scoring.cli import build_parser
from scoring.cli.estimate import run
from tests.benchmarks.report import Figure
from tests.conftest import GIZA_DATA

JUDGED, DRAWS = 20, 1000
LEAST_COVERED, LEAST_OF_A_SYSTEM, MOST_OF_PEOPLE = 93, 90, 0.9


def measure() -> list[Figure]:
    data = GIZA_DATA / "realsumm"
    asked = ["--data", str(data), "--judged", str(JUDGED), "--draws", str(DRAWS)]
    started = time.monotonic()
    found = run(build_parser().parse_args(["estimate", *asked]))
    seconds = time.monotonic() - started
    ratio = found["width"] / found["people_width"]
    return [
        Figure("intervals that hold the full score", 100 * found["covered"], "%", LEAST_COVERED),
        Figure("the same, lowest of a system", 100 * found["lowest"], "%", LEAST_OF_A_SYSTEM),
        Figure("mean width of an interval, in hundredths", 100 * found["width"]),
        Figure("the same, people alone", 100 * found["people_width"]),
        Figure("width, of people alone", ratio, "x", None, MOST_OF_PEOPLE),
        Figure("documents that people alone would judge", found["people_alone"], "", JUDGED),
        Figure("judging and drawing", seconds, "s"),
    ]
