"""Lines about requests that were refused: one each, short, and only so many in a minute."""

from __future__ import annotations

import logging
import threading
import time
from dataclasses import dataclass

LINES_PER_MINUTE = 30
LONGEST_LINE = 300
MINUTE = 60.0
# What the web server says of bytes that are no request.
NO_REQUEST = "Invalid HTTP request received."


@dataclass(slots=True)
class Window:
    """The lines of one kind in the minute that began at a time."""

    began: float
    count: int = 0


class RefusedRequests(logging.Filter):
    """Keeps what visitors send from filling the log.

    A bad Host header, a malformed form or a missing page is the visitor's fault: one line says what
    it was, without a traceback. Answers of 500 and above are our fault, and pass as they are.
    """

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._windows: dict[str, Window] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        if not _is_refusal(record):
            return True
        with self._lock:
            left_out = self._count(record.name, time.monotonic())
        if left_out is None:
            return False
        _shorten(record, left_out)
        return True

    def _count(self, name: str, now: float) -> int | None:
        """How many lines of this kind the last minute left out; None if this one is too many."""
        window = self._windows.setdefault(name, Window(now))
        left_out = 0
        if now - window.began >= MINUTE:
            left_out = max(0, window.count - LINES_PER_MINUTE)
            window = self._windows[name] = Window(now)
        window.count += 1
        return left_out if window.count <= LINES_PER_MINUTE else None


def _is_refusal(record: logging.LogRecord) -> bool:
    return 400 <= getattr(record, "status_code", 0) < 500 or record.msg == NO_REQUEST


def _shorten(record: logging.LogRecord, left_out: int) -> None:
    """Make it one line that is no alarm."""
    line = record.getMessage().replace("\r", "\\r").replace("\n", "\\n")
    if len(line) > LONGEST_LINE:
        line = f"{line[:LONGEST_LINE]} …"
    if left_out:
        line += f" ({left_out:,} more lines like this were omitted)"
    record.msg, record.args = line, ()
    record.exc_info = record.exc_text = record.stack_info = None
    record.levelno, record.levelname = logging.WARNING, "WARNING"
