"""The time that decides: one clock for all processes and machines, the database's.

Deadlines, leases, pay and whatever else moves work are compared with `now()`. A machine whose own
clock is wrong can then neither abandon work in progress nor pay early or late.

PostgreSQL is asked for `clock_timestamp()`, as its `now()` stands still within a transaction. From
there on a process counts by a clock that nobody sets, and asks again after `ASK_AGAIN_AFTER`, so
that the time costs no statement in most requests. SQLite has no other clock than that of the one
machine on which all of its processes run.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from django.db import connection
from django.utils import timezone

ASK_AGAIN_AFTER = 10.0


class _Asked(NamedTuple):
    """What the database said, and what this machine's counter showed when the answer was there."""

    time: datetime
    ticks: float


_asked: _Asked | None = None


def now() -> datetime:
    """The database's time, never ahead of it."""
    if connection.vendor != "postgresql":
        return timezone.now()
    global _asked
    asked, ticks = _asked, _count()
    if asked is None or not 0 <= ticks - asked.ticks < ASK_AGAIN_AFTER:
        asked = _asked = _ask()
        return asked.time
    return asked.time + timedelta(seconds=ticks - asked.ticks)


def _ask() -> _Asked:
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        found: datetime = cursor.fetchone()[0]
    return _Asked(found.astimezone(UTC), _count())


def _count() -> float:
    """Seconds since the machine started, whatever its clock is set to."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()
