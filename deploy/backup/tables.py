"""Rows of any database as JSON that is the same on every database, and back."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from itertools import islice
from typing import Any
from uuid import UUID

from django.db import DatabaseError, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import AutoField, BigAutoField, Field, Model
from django.utils.duration import duration_string

from deploy.backup.archive import BackupError, Say

BATCH = 1000
# A table of many rows says how far it is.
ROWS_PER_MESSAGE = 100_000
LEFT_OUT_TABLES = {
    "django_session": "a session key is enough to sign in",
    "crowd_campaignchange": "marks of cached figures, which are computed again",
}


@contextmanager
def snapshot(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """One moment of the database. Nobody who writes waits for us, and we see nothing of theirs."""
    if connection.vendor == "postgresql":
        with transaction.atomic(using=connection.alias, durable=True):
            _execute(connection, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield
        return
    # Not by `atomic`, which begins with the lock of a writer.
    _execute(connection, "BEGIN DEFERRED")
    try:
        yield
    finally:
        _execute(connection, "ROLLBACK")


def _execute(connection: BaseDatabaseWrapper, statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def fields_of(model: type[Model]) -> list[Field[Any, Any]]:
    return list(model._meta.local_concrete_fields)


def read_lines(model: type[Model], using: str, say: Say) -> Iterator[bytes]:
    """Each row as a line of JSON, in the order of its key: the same rows give the same bytes."""
    names = [field.attname for field in fields_of(model)]
    rows = model._base_manager.using(using).order_by("pk").values_list(*names)
    for number, row in enumerate(rows.iterator(chunk_size=BATCH), start=1):
        line = [plain(value) for value in row]
        yield json.dumps(line, sort_keys=True, separators=(",", ":")).encode() + b"\n"
        if number % ROWS_PER_MESSAGE == 0:
            say(f"{model._meta.db_table}: {number:,} rows …")


def plain(value: Any) -> Any:
    """What JSON has a word for, in a form that the field's `to_python` reads again."""
    match value:
        case bytes() | bytearray() | memoryview():
            return base64.b64encode(value).decode()
        case datetime() | date() | time():
            return value.isoformat()
        case timedelta():
            return duration_string(value)
        case Decimal() | UUID():
            return str(value)
    return value


def load_rows(
    connection: BaseDatabaseWrapper, model: type[Model], rows: Iterator[list[Any]], say: Say
) -> int:
    """Write rows into an empty table; how many there were."""
    table, fields, count = model._meta.db_table, fields_of(model), 0
    while batch := list(islice(rows, BATCH)):
        try:
            _insert(connection, table, fields, [_stored(connection, fields, row) for row in batch])
        except (DatabaseError, ValueError, TypeError) as error:
            raise BackupError(
                f"{table}, rows {count + 1:,} to {count + len(batch):,}: {connection.display_name} "
                f"refuses them ({str(error).strip()}). Nothing was changed."
            ) from error
        count += len(batch)
        if count % ROWS_PER_MESSAGE == 0:
            say(f"{table}: {count:,} rows …")
    return count


def _stored(
    connection: BaseDatabaseWrapper, fields: Sequence[Field[Any, Any]], row: list[Any]
) -> list[Any]:
    read = zip(fields, row, strict=True)
    return [field.get_db_prep_save(field.to_python(value), connection) for field, value in read]


def _insert(
    connection: BaseDatabaseWrapper,
    table: str,
    fields: Sequence[Field[Any, Any]],
    rows: list[list[Any]],
) -> None:
    quote = connection.ops.quote_name
    columns = ", ".join(quote(str(field.column)) for field in fields)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            statement = f"COPY {quote(table)} ({columns}) FROM STDIN"
            with connection.wrap_database_errors, cursor.copy(statement) as copy:
                for row in rows:
                    copy.write_row(row)
            return
        marks = ", ".join(["%s"] * len(fields))
        cursor.executemany(f"INSERT INTO {quote(table)} ({columns}) VALUES ({marks})", rows)


def counted_key(model: type[Model]) -> str:
    """The column that the database counts up by itself, if the table has one."""
    key = model._meta.pk
    return str(key.column) if isinstance(key, (AutoField, BigAutoField)) else ""


def last_number(connection: BaseDatabaseWrapper, model: type[Model]) -> int:
    """The last number that the table's key was given, also if that row is gone by now."""
    table, key = model._meta.db_table, counted_key(model)
    if not key:
        return 0
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            sequence = _sequence(cursor, table, key)
            cursor.execute(f"SELECT last_value - (NOT is_called)::int FROM {sequence}")
        else:
            cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        row = cursor.fetchone()
    return int(row[0]) if row else 0


def count_on_from(connection: BaseDatabaseWrapper, model: type[Model], number: int) -> None:
    """A number that was given once is never given again."""
    table, key = model._meta.db_table, counted_key(model)
    if not key or not number:
        return
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # Unlike `setval`, this is taken back with the transaction.
            sequence = _sequence(cursor, table, key)
            cursor.execute(f"ALTER SEQUENCE {sequence} RESTART WITH {number + 1:d}")
            return
        cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])
        cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, number])


def _sequence(cursor: Any, table: str, key: str) -> str:
    cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [f'"{table}"', key])
    return str(cursor.fetchone()[0])
