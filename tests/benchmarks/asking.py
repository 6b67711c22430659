"""A language model as a judge: how busy eight connections keep a slow endpoint, and the memory.

The endpoint takes a fixed time for each answer, so that eight connections can't be quicker than
`CALLS * DELAY / CONNECTIONS`. Memory is that of the process after a quarter of the calls, and at
the end.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import psutil

from scoring.judge import JudgeOptions, Question, load_judge
from scoring.judge.llm.estimates import PaidJudge
from tests.benchmarks.report import Figure
from tests.llm_server import serving, write_endpoint

CALLS = 800
CONNECTIONS = 8
DELAY = 0.25
LEAST_BUSY = 0.9
MOST_GROWTH = 10.0  # MB
UNITS = ("the lamp was lit", "nobody was hurt", "the ferry sank")


def measure() -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="giza-bench-") as name, serving(delay=DELAY) as server:
        folder = Path(name)
        path = write_endpoint(folder, server.url, connections=CONNECTIONS, seconds=30)
        options = JudgeOptions(endpoints=path, cap=Decimal(1000), ledger=folder / "ledger.jsonl")
        judge = load_judge("llm:toy", options)
        assert isinstance(judge, PaidJudge)
        process = psutil.Process()
        began, early = time.monotonic(), 0
        for done, _ in enumerate(judge.judge(_questions()), 1):
            if done == CALLS // 4:
                early = process.memory_info().rss
        passed = time.monotonic() - began
        growth = (process.memory_info().rss - early) / 1e6
        judge.close()
        report = judge.report()
    return [
        Figure("calls with a verdict on each unit", report["calls"] - report["missing"], ""),
        Figure("busy share of 8 connections", CALLS * DELAY / CONNECTIONS / passed, "", LEAST_BUSY),
        Figure("growth over the last 600 calls", growth, "MB", None, MOST_GROWTH),
    ]


def _questions() -> Iterator[Question]:
    for number in range(CALLS):
        yield Question(f"the lamp was lit and the ferry sank on day {number} " * 8, UNITS)
