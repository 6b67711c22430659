"""Books that the database itself keeps: it refuses to change or remove their rows.

The models that are `AppendOnly` say which tables these are. Their triggers are installed after each
`migrate`, because SQLite drops them when a migration remakes a table.

Two things may remove rows, each inside `suspended`: deleting a whole project, and putting a backup
in place of everything. A migration that has to change rows of books enters `suspended`, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.apps import apps
from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Model, UniqueConstraint

from annotation import change_marks
from annotation.triggers import Trigger, drop, read_installed

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


def list_models() -> list[type[Model]]:
    # This module is imported before there are any models.
    from annotation.corpora.activity.models import AppendOnly

    return [model for model in apps.get_models() if issubclass(model, AppendOnly)]


def find_missing(connection: BaseDatabaseWrapper) -> list[Trigger]:
    """Triggers that a table lacks, or has in another form; those of marks are among them.

    A table that isn't there lacks none.
    """
    tables = set(connection.introspection.table_names())
    models = [model for model in list_models() if model._meta.db_table in tables]
    wanted = [trigger for model in models for trigger in _declare(connection, model)]
    wanted += change_marks.declare(connection, tables)
    there = read_installed(connection) if wanted else {}
    return [each for each in wanted if there.get((each.table, each.name)) != each.installed]


def install(connection: BaseDatabaseWrapper) -> None:
    """Add what is missing. Changes nothing, and waits for nobody, if nothing is."""
    missing = find_missing(connection)
    if not missing:
        return
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            for function in (FUNCTION, *change_marks.list_functions()):
                cursor.execute(function)
        for trigger in missing:
            drop(connection, cursor, trigger.table, trigger.name)
            for statement in trigger.create:
                cursor.execute(statement)
        if any(trigger.name.startswith(change_marks.PREFIX) for trigger in missing):
            change_marks.renew(connection, cursor)


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
    for table, name in read_installed(connection):
        if name.startswith(PREFIX):
            drop(connection, cursor, table, name)


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
