"""Faults that no request and no program is to blame for, and that pass: one place names them.

Jobs wait for their end, pages and calls answer 503 and say when to try again. Anything else is a
bug or a refusal, and is not named here.
"""

from __future__ import annotations

import errno
import logging
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import StrEnum

from django.conf import settings
from django.db import Error as DatabaseFault
from django.db import InterfaceError, OperationalError
from django.utils.translation import gettext as _

logger = logging.getLogger(__name__)


class Fault(StrEnum):
    DATABASE = "database"
    DISK = "disk"

    @property
    def waiting(self) -> str:
        """What a job says meanwhile."""
        return {
            Fault.DATABASE: _("Waiting for the database"),
            Fault.DISK: _("Waiting for disk space"),
        }[self]


NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EFBIG}
# What SQLite says; it has no other way to be told apart through Django.
SQLITE = {
    "is locked": Fault.DATABASE,
    "unable to open database file": Fault.DATABASE,
    "database or disk is full": Fault.DISK,
    "disk i/o error": Fault.DISK,
    "attempt to write a readonly database": Fault.DISK,
}
# By the beginning of PostgreSQL's SQLSTATE, the longer ones first.
POSTGRESQL = {
    "53100": Fault.DISK,  # disk full
    "58030": Fault.DISK,  # I/O error
    "53": Fault.DATABASE,  # too many connections, out of memory
    "08": Fault.DATABASE,  # the connection is gone
    "57P": Fault.DATABASE,  # shutting down, starting up
    "57014": Fault.DATABASE,  # took longer than is allowed
    "55P03": Fault.DATABASE,  # a lock was not to be had in time
    "40": Fault.DATABASE,  # deadlock, could not be serialised
    "25006": Fault.DATABASE,  # a standby that takes no writes yet
}


def is_disk_writable() -> bool:
    """Whether the folder of uploads and gold files takes a small file just now."""
    try:
        with tempfile.TemporaryFile(dir=settings.DATA_DIR / "tmp") as file:
            file.write(b"0" * 4096)
            file.flush()
    except OSError:
        return False
    return True


def classify_fault(error: BaseException) -> Fault | None:
    """Which fault this comes from, if from any; also where it was wrapped into another error."""
    found = (_classify_one(one) for one in _chain(error))
    return next((fault for fault in found if fault), None)


def raise_if_fault(error: Exception) -> None:
    """Before an error is told as something that is wrong with somebody's file."""
    if classify_fault(error):
        raise error


_hasty: ContextVar[bool] = ContextVar("hasty", default=False)


def is_hasty() -> bool:
    """Whether what is written just now is not worth waiting for."""
    return _hasty.get()


@contextmanager
def if_free() -> Iterator[None]:
    """What is written inside is only nice to have: left out where the database is not free."""
    token = _hasty.set(True)
    try:
        yield
    except DatabaseFault as error:
        if classify_fault(error) is None:
            raise
        logger.info("skipped because the database is busy: %s", error)
    finally:
        _hasty.reset(token)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _classify_one(error: BaseException) -> Fault | None:
    if isinstance(error, OSError):
        return Fault.DISK if error.errno in NO_ROOM else None
    if isinstance(error, sqlite3.OperationalError):  # of a file that a job sorts rows in
        return _classify_sqlite(error)
    if not isinstance(error, DatabaseFault):
        return None
    cause = error.__cause__
    if type(cause).__module__.startswith("psycopg"):
        return _classify_postgresql(error, getattr(cause, "sqlstate", None))
    if isinstance(error, OperationalError):
        return _classify_sqlite(error)
    is_gone = isinstance(error, InterfaceError) and "closed" in str(error)
    return Fault.DATABASE if is_gone else None


def _classify_sqlite(error: Exception) -> Fault | None:
    text = str(error).lower()
    return next((fault for words, fault in SQLITE.items() if words in text), None)


def _classify_postgresql(error: DatabaseFault, state: str | None) -> Fault | None:
    if state is None:  # it never answered
        is_gone = isinstance(error, OperationalError | InterfaceError)
        return Fault.DATABASE if is_gone else None
    return next((fault for begin, fault in POSTGRESQL.items() if state.startswith(begin)), None)
