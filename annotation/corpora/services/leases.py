"""Leases: what a worker has in hand stays its own for as long as it lives, and not much longer."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.conf import settings
from django.db import Error as DatabaseFault
from django.db import close_old_connections, connection

from annotation import clock

logger = logging.getLogger(__name__)


def lease_end() -> datetime:
    return clock.now() + timedelta(seconds=settings.JOB_LEASE_SECONDS)


@contextmanager
def heartbeat(renew: Callable[[], object], what: str) -> Iterator[None]:
    """Renew a lease from a thread of its own, so that a long step is not taken for a dead one."""
    over = threading.Event()
    thread = threading.Thread(target=_beat, args=(renew, what, over), daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _beat(renew: Callable[[], object], what: str, over: threading.Event) -> None:
    while not over.wait(settings.JOB_LEASE_SECONDS / 3):
        try:
            renew()
        except DatabaseFault:
            logger.exception("the lease of %s could not be renewed", what)
            close_old_connections()
    connection.close()
