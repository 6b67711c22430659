"""Books that the database itself keeps: it refuses to change or remove their rows.

The models that are `AppendOnly` say which tables these are. Their triggers are installed after each
`migrate`, because SQLite drops them when a migration remakes a table.

Two things may remove rows, each inside `suspended`: deleting a whole project, and putting a backup
in place of everything. A migration that has to change rows of books enters `suspended`, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from django.apps import apps
from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Model, UniqueConstraint

PREFIX = "append_only"
SETTING = f"giza.{PREFIX}"
MESSAGE = "its rows are never changed or deleted"
BODY = f"""
BEGIN
    IF current_setting('{SETTING}', true) = 'suspended' THEN
        RETURN CASE TG_OP WHEN 'DELETE' THEN OLD WHEN 'UPDATE' THEN NEW END;
    END IF;
    RAISE EXCEPTION '% is append-only: {MESSAGE}', TG_TABLE_NAME
        USING ERRCODE = 'integrity_constraint_violation';
END
"""
FUNCTION = f"CREATE OR REPLACE FUNCTION {PREFIX}() RETURNS trigger LANGUAGE plpgsql AS $${BODY}$$"
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


def list_models() -> list[type[Model]]:
    # This module is imported before there are any models.
    from annotation.corpora.models.append_only import AppendOnly

    return [model for model in apps.get_models() if issubclass(model, AppendOnly)]


def find_missing(connection: BaseDatabaseWrapper) -> list[Trigger]:
    """Triggers that a table lacks, or has in another form. A table that isn't there lacks none."""
    tables = set(connection.introspection.table_names())
    models = [model for model in list_models() if model._meta.db_table in tables]
    there = _read_installed(connection) if models else {}
    wanted = [trigger for model in models for trigger in _declare(connection, model)]
    return [each for each in wanted if there.get((each.table, each.name)) != each.installed]


def install(connection: BaseDatabaseWrapper) -> None:
    """Add what is missing. Changes nothing, and waits for nobody, if nothing is."""
    missing = find_missing(connection)
    if not missing:
        return
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(FUNCTION)
        for trigger in missing:
            _drop(connection, cursor, trigger.table, trigger.name)
            for statement in trigger.create:
                cursor.execute(statement)


def install_after_migrate(*, using: str, **_: object) -> None:
    install(connections[using])


@contextmanager
def suspended(using: str = "default") -> Iterator[None]:
    """Let rows be changed and removed in here: by this transaction only, and not after it.

    PostgreSQL has a setting that ends with the transaction. SQLite has one writer at a time, so the
    triggers are dropped and installed again before anybody else can write.
    """
    connection = connections[using]
    with transaction.atomic(using=using):
        with connection.cursor() as cursor:
            _suspend(connection, cursor)
        yield
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute("SELECT set_config(%s, '', true)", [SETTING])
        install(connection)


def _suspend(connection: BaseDatabaseWrapper, cursor: Any) -> None:
    if connection.vendor == "postgresql":
        cursor.execute("SELECT set_config(%s, 'suspended', true)", [SETTING])
        return
    for table, name in _read_installed(connection):
        if name.startswith(PREFIX):
            _drop(connection, cursor, table, name)


def _drop(connection: BaseDatabaseWrapper, cursor: Any, table: str, name: str) -> None:
    of = f" ON {connection.ops.quote_name(table)}" if connection.vendor == "postgresql" else ""
    cursor.execute(f"DROP TRIGGER IF EXISTS {name}{of}")


def _read_installed(connection: BaseDatabaseWrapper) -> dict[tuple[str, str], str]:
    is_postgresql = connection.vendor == "postgresql"
    with connection.cursor() as cursor:
        cursor.execute(INSTALLED_ON_POSTGRESQL if is_postgresql else INSTALLED_ON_SQLITE)
        return {(row[0], row[1]): "".join(row[2:]) for row in cursor.fetchall()}


def _declare(connection: BaseDatabaseWrapper, model: type[Model]) -> list[Trigger]:
    if connection.vendor == "postgresql":
        return _declare_on_postgresql(model._meta.db_table)
    return _declare_on_sqlite(model)


def _declare_on_postgresql(table: str) -> list[Trigger]:
    """ALWAYS: also for a session that says it replicates another database."""
    events = {
        f"{PREFIX}_rows": "BEFORE UPDATE OR DELETE ON {} FOR EACH ROW",
        f"{PREFIX}_truncate": "BEFORE TRUNCATE ON {} FOR EACH STATEMENT",
    }
    return [
        Trigger(
            table,
            name,
            (
                f"CREATE TRIGGER {name} {event.format(table)} EXECUTE FUNCTION {PREFIX}()",
                f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name}",
            ),
            f"A{BODY}",
        )
        for name, event in events.items()
    ]


def _declare_on_sqlite(model: type[Model]) -> list[Trigger]:
    """REPLACE removes rows without the trigger of a DELETE, so an INSERT is looked at as well."""
    table = model._meta.db_table
    same = " OR ".join(
        f"({' AND '.join(f'{name} = NEW.{name}' for name in names)})" for names in _keys(model)
    )
    events = {
        "update": "",
        "delete": "",
        "insert": f" WHEN EXISTS (SELECT 1 FROM {table} WHERE {same})",
    }
    error = f"SELECT RAISE(ABORT, '{table} is append-only: {MESSAGE}')"
    found = []
    for event, when in events.items():
        name = f"{PREFIX}_{event}_{table}"
        create = f"CREATE TRIGGER {name} BEFORE {event.upper()} ON {table}{when} BEGIN {error}; END"
        found.append(Trigger(table, name, (create,), create))
    return found


def _keys(model: type[Model]) -> list[list[str]]:
    """The columns, alone or together, that no two rows share."""
    fields = model._meta.local_concrete_fields
    single = [[str(field.column)] for field in fields if field.unique]
    together = [
        [str(model._meta.get_field(name).column) for name in each.fields]  # type: ignore[union-attr]
        for each in model._meta.constraints
        if isinstance(each, UniqueConstraint)
    ]
    return single + together
