"""What a web process waits for at the database's locks: not for ever, and never with all threads.

SQLite has one lock for all who write. Who reads needs no lock, but needs a thread, and threads that
wait for the lock are not there for readers. So only some of them may wait. Whoever comes on top of
these is told to try again in a few seconds, and so is whoever has waited for long.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any

from django.db import OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

from annotation.faults import is_hasty

# How long a request waits for SQLite's lock, and for a place among those that wait for it.
WAIT_SECONDS = 10.0
PLACE_SECONDS = 0.1
# PostgreSQL locks rows and tables, and few wait for the same one: a long wait does less harm.
POSTGRESQL_SECONDS = 60
WRITES = ("BEGIN", "INSERT", "UPDATE", "DELETE", "REPLACE")


class WriteGate:
    """Wraps what connections execute; shared by all threads of a process."""

    def __init__(self, threads: int) -> None:
        self._places = threading.BoundedSemaphore(count_places(threads))

    def install(self) -> None:
        connection_created.connect(self._meet, dispatch_uid="write-gate", weak=False)

    def _meet(self, connection: BaseDatabaseWrapper, **_: Any) -> None:
        if connection.vendor == "postgresql":
            _tell(connection, f"SET lock_timeout = '{POSTGRESQL_SECONDS}s'")
            return
        _set_lock_timeout(connection, WAIT_SECONDS)
        if self not in connection.execute_wrappers:
            connection.execute_wrappers.append(self)

    def __call__(
        self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any
    ) -> Any:
        connection = context["connection"]
        if not takes_lock(sql, is_in_transaction=connection.in_atomic_block):
            return execute(sql, params, many, context)
        with self._place(), _hurry(connection):
            return execute(sql, params, many, context)

    @contextlib.contextmanager
    def _place(self) -> Iterator[None]:
        if not self._places.acquire(timeout=PLACE_SECONDS):
            raise OperationalError("database is locked, and enough requests wait for it")
        try:
            yield
        finally:
            self._places.release()


def count_places(threads: int) -> int:
    """Three of eight threads never wait for the lock; of very few, at least one may."""
    return max(1, threads - max(1, threads * 3 // 8))


def takes_lock(sql: str, *, is_in_transaction: bool) -> bool:
    """Transactions take it when they begin; statements outside of one take it by themselves."""
    begin = sql.lstrip()[:8].upper()
    if begin.startswith("BEGIN"):
        return True
    return not is_in_transaction and begin.startswith(WRITES)


@contextlib.contextmanager
def _hurry(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """What is only nice to have waits for nobody."""
    if not is_hasty():
        yield
        return
    _set_lock_timeout(connection, 0)
    try:
        yield
    finally:
        _set_lock_timeout(connection, WAIT_SECONDS)


def _set_lock_timeout(connection: BaseDatabaseWrapper, seconds: float) -> None:
    _tell(connection, f"PRAGMA busy_timeout = {int(seconds * 1000)}")


def _tell(connection: BaseDatabaseWrapper, statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)
