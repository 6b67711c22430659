"""Numbers with their nouns, as pages, logs and commands say them."""

from __future__ import annotations

import math
from datetime import timedelta

from django.utils.translation import ngettext


def counted(number: int, one: str, many: str) -> str:
    """`1 unit`, `2,500 units`. `manage.py makemessages` knows that these are texts."""
    return f"{number:,} {ngettext(one, many, number)}"


def choose_plural(number: float) -> int:
    """What ngettext chooses the plural by; a fraction is many."""
    return int(number) if number == int(number) else 2


def a_while(wait: timedelta) -> str:
    """How long it takes, rounded up: `1 second`, `12 minutes`, `2 hours`."""
    seconds = max(math.ceil(wait.total_seconds()), 1)
    if seconds < 60:
        return counted(seconds, "second", "seconds")
    if seconds <= 3600:
        return counted(math.ceil(seconds / 60), "minute", "minutes")
    return counted(math.ceil(seconds / 3600), "hour", "hours")
