"""Memory that a process has freed goes back to the system.

C's allocator keeps what a large page took, in pieces that the next large page may not fit into, so
that a process which serves for weeks grows to the largest moment that it ever had.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from typing import Any

from django.core.signals import request_finished

# Giving back takes about a thousandth of a second.
SECONDS = 5.0


def give_back_after_requests() -> None:
    """From now on, every few seconds; only where the allocator can be asked to."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        request_finished.connect(Giver(lambda: trim(0)).hear, weak=False, dispatch_uid="memory")


class Giver:
    def __init__(self, give: Callable[[], Any]) -> None:
        self._give = give
        self._last = time.monotonic()

    def hear(self, **_: Any) -> None:
        if time.monotonic() - self._last >= SECONDS:
            self._last = time.monotonic()
            self._give()
