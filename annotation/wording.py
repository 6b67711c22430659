"""Numbers with their nouns, as pages, logs and commands say them."""

from __future__ import annotations

import math
from datetime import timedelta


def counted(number: int, one: str, many: str = "") -> str:
    """`1 unit`, `2,500 units`; `many` where an s does not make the plural."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def a_while(wait: timedelta) -> str:
    """How long it takes, rounded up: `1 second`, `12 minutes`, `2 hours`."""
    seconds = max(math.ceil(wait.total_seconds()), 1)
    if seconds < 60:
        return counted(seconds, "second")
    if seconds <= 3600:
        return counted(math.ceil(seconds / 60), "minute")
    return counted(math.ceil(seconds / 3600), "hour")
