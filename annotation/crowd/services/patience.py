"""Calls to a provider that are repeated when nobody answers."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from annotation.crowd.providers.base import NotReachable

T = TypeVar("T")
PAUSES = (0.2, 0.5, 1, 2, 4, 8, 15, 30)


def patiently(call: Callable[[], T]) -> T:
    """Repeat a call that nobody answered, each time after a longer pause.

    Only for calls that are harmless to repeat: reads, and what carries an intent's token.
    """
    for pause in PAUSES:
        try:
            return call()
        except NotReachable:
            time.sleep(pause)
    return call()
