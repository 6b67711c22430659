"""Triggers of the database, as they are declared and as they are found there."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.db.backends.base.base import BaseDatabaseWrapper

INSTALLED_ON_POSTGRESQL = """
    SELECT c.relname, t.tgname, t.tgenabled, p.prosrc
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
    WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace
"""
INSTALLED_ON_SQLITE = "SELECT tbl_name, name, sql FROM sqlite_master WHERE type = 'trigger'"


class Trigger(NamedTuple):
    table: str
    name: str
    create: tuple[str, ...]
    installed: str  # what the database's own tables say of it once it is there


def drop(connection: BaseDatabaseWrapper, cursor: Any, table: str, name: str) -> None:
    of = f" ON {connection.ops.quote_name(table)}" if connection.vendor == "postgresql" else ""
    cursor.execute(f"DROP TRIGGER IF EXISTS {name}{of}")


def read_installed(connection: BaseDatabaseWrapper) -> dict[tuple[str, str], str]:
    is_postgresql = connection.vendor == "postgresql"
    with connection.cursor() as cursor:
        cursor.execute(INSTALLED_ON_POSTGRESQL if is_postgresql else INSTALLED_ON_SQLITE)
        return {(row[0], row[1]): "".join(row[2:]) for row in cursor.fetchall()}
