"""Trying a short transaction again when the database was only busy."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from django.db import OperationalError

P = ParamSpec("P")
R = TypeVar("R")

TRIES = 4
FIRST_PAUSE = 0.02
# After a longer wait for a lock, the client is asked to retry and the thread is released.
LONGEST = 2.0
# Deadlock, serialisation failure, lock not available.
TRANSIENT_STATES = {"40P01", "40001", "55P03"}


def patient(function: Callable[P, R]) -> Callable[P, R]:
    """Run it again, a few times, if the database says that somebody else was in the way.

    The function must do all of its writing in one transaction, which is gone when it fails.
    """

    @wraps(function)
    def tried(*args: P.args, **kwargs: P.kwargs) -> R:
        until = time.monotonic() + LONGEST
        for number in range(1, TRIES):
            try:
                return function(*args, **kwargs)
            except OperationalError as error:
                if not is_transient(error) or time.monotonic() > until:
                    raise
            time.sleep(FIRST_PAUSE * 2**number * random.uniform(0.5, 1.5))
        return function(*args, **kwargs)

    return tried


def is_transient(error: OperationalError) -> bool:
    state = getattr(error.__cause__, "sqlstate", None)
    return state in TRANSIENT_STATES or "database is locked" in str(error)
