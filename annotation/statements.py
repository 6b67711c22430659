"""SQL that is written once, for the few steps that everybody takes all day.

Building a query with the ORM takes longer than running it does. These statements run on SQLite and
PostgreSQL alike; values go through the same converters as the ORM's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from django.db import connection, models
from django.db.backends.utils import CursorWrapper
from django.db.models.expressions import Col
from psycopg import Cursor

Convert = Callable[[Any], Any]


class Part:
    """Columns of one table that become one instance; what is not named is loaded when asked for."""

    def __init__(self, alias: str, model: type[models.Model], names: Sequence[str]) -> None:
        self.alias = alias
        self.model = model
        # In the model's own order: `from_db` takes values by it, whatever the names' order is.
        self.fields = [field for field in model._meta.concrete_fields if field.name in names]
        self.attnames = [field.attname for field in self.fields]
        if missing := set(names) - {field.name for field in self.fields}:
            raise ValueError(f"{model.__name__} has no column for {', '.join(sorted(missing))}")


class Reader:
    """Reads one row of joined tables into one instance a table."""

    def __init__(self, source: str, *parts: Part) -> None:
        self.parts = parts
        self._columns = [Col(part.alias, field) for part in parts for field in part.fields]
        names = ", ".join(f"{column.alias}.{column.target.column}" for column in self._columns)
        self._sql = f"SELECT {names} FROM {source}"
        self._converters: dict[str, list[tuple[int, Convert]]] = {}

    def first(self, *values: object) -> list[Any] | None:
        """The instances of the first row, in the order of the parts; None if there is no row."""
        row = fetch(self._sql, *values)
        if row is None:
            return None
        for position, convert in self._for_vendor():
            row[position] = convert(row[position])
        return list(self._instances(row))

    def _instances(self, row: list[Any]) -> Iterator[models.Model]:
        start = 0
        for part in self.parts:
            end = start + len(part.fields)
            yield part.model.from_db(connection.alias, part.attnames, row[start:end])
            start = end

    def _for_vendor(self) -> list[tuple[int, Convert]]:
        if connection.vendor not in self._converters:
            self._converters[connection.vendor] = list(self._find_converters())
        return self._converters[connection.vendor]

    def _find_converters(self) -> Iterator[tuple[int, Convert]]:
        for position, column in enumerate(self._columns):
            found = [
                *connection.ops.get_db_converters(column),
                *column.get_db_converters(connection),
            ]
            for convert in found:
                yield position, partial(_convert, convert, column)


def _convert(convert: Callable[[Any, Col, Any], Any], column: Col, value: object) -> Any:
    return convert(value, column, connection)


def _open() -> CursorWrapper:
    """A cursor. On PostgreSQL its statements are planned once for each connection.

    Planning one takes longer than running it does. Django's own cursors never have them prepared.
    """
    if connection.vendor != "postgresql":
        return connection.cursor()
    connection.close_if_health_check_failed()
    connection.ensure_connection()
    make = connection.make_debug_cursor if connection.queries_logged else connection.make_cursor
    return make(Cursor(connection.connection))  # type: ignore[arg-type]


def run(sql: str, *values: object) -> int:
    """Run a statement and give the number of rows that it changed."""
    with _open() as cursor:
        cursor.execute(sql, [adapt(value) for value in values])
        return int(cursor.rowcount)


def fetch(sql: str, *values: object) -> list[Any] | None:
    """The first row as it comes from the database."""
    with _open() as cursor:
        cursor.execute(sql, [adapt(value) for value in values])
        row = cursor.fetchone()
        return None if row is None else list(row)


def fetch_all(sql: str, *values: object) -> list[tuple[Any, ...]]:
    """Every row as it comes from the database."""
    with _open() as cursor:
        cursor.execute(sql, [adapt(value) for value in values])
        return list(cursor.fetchall())


def adapt(value: object) -> Any:
    if isinstance(value, datetime):
        return connection.ops.adapt_datetimefield_value(value)
    return value
