"""A line on the terminal that says how far a long command is."""

from __future__ import annotations

import sys
import time
from types import TracebackType

EVERY = 0.5  # seconds between two looks of the line


class ProgressLine:
    """`with ProgressLine("Judging") as line: line(3, 10)`; silent where nobody looks on."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.is_seen = sys.stderr.isatty()
        self.started = self.last = time.monotonic()

    def __enter__(self) -> ProgressLine:
        return self

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if self.is_seen and (now - self.last >= EVERY or done == total):
            self.last = now
            left = (now - self.started) / max(done, 1) * (total - done)
            told = f"{self.title}: {done:,} of {total:,}, about {left:.0f} s left"
            print(f"\r{told:<78}", end="", file=sys.stderr, flush=True)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.is_seen:
            print(f"\r{'':<78}\r", end="", file=sys.stderr, flush=True)
