"""Memory that a process has freed goes back to the system, and what is loaded is left alone.

C's allocator keeps what a large page or a large job took, in pieces that the next one may not fit
into, so that a process which runs for weeks grows to the largest moment that it ever had.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import time
from collections.abc import Callable, Iterator
from typing import Any, Protocol

# Giving back takes about a thousandth of a second.
SECONDS = 5.0


class Signal(Protocol):
    """Django's or Celery's."""

    def connect(self, receiver: Any, /, *, weak: bool, dispatch_uid: str) -> Any: ...


@contextlib.contextmanager
def loading() -> Iterator[None]:
    """What is loaded meanwhile stays: looking through it for garbage would take time, a fifth of
    that for loading itself, and memory that processes share.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def give_back_after(signal: Signal) -> None:
    """When it is sent, every few seconds at most; only where the allocator can be asked to."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        signal.connect(Giver(lambda: trim(0)).hear, weak=False, dispatch_uid="memory")


class Giver:
    def __init__(self, give: Callable[[], Any]) -> None:
        self._give = give
        self._last = time.monotonic()

    def hear(self, **_: Any) -> None:
        if time.monotonic() - self._last >= SECONDS:
            self._last = time.monotonic()
            self._give()
