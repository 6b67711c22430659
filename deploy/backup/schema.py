"""Tables as some state of the migrations has them, whichever state the program has reached."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from functools import lru_cache

from django.apps import apps as newest_apps
from django.core.management.sql import emit_post_migrate_signal
from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.db.migrations.state import ProjectState
from django.db.models import Model
from django.utils.translation import gettext as _

from deploy.backup.archive import BackupError
from scoring import __version__

Node = tuple[str, str]


def list_applied(connection: BaseDatabaseWrapper) -> list[Node]:
    """The migrations that a database has, in a fixed order."""
    return sorted(MigrationRecorder(connection).applied_migrations())


def refuse_unknown(connection: BaseDatabaseWrapper, nodes: Collection[Node], whose: str) -> None:
    """Refuse migrations that this program does not have: a newer one made them."""
    known = MigrationExecutor(connection).loader.graph.nodes
    strange = sorted(set(nodes) - set(known))
    if strange:
        app, name = strange[0]
        raise BackupError(
            _(
                "{whose} made by a newer Giza than this one ({version}), which does not have "
                "the migration {app} {name}. Nothing was changed. Install that version or a newer "
                "one."
            ).format(whose=whose, version=__version__, app=app, name=name)
        )


def list_models(nodes: Collection[Node]) -> list[type[Model]]:
    """The models, with those between many and many, as these migrations leave them."""
    return list(_models_of(frozenset(nodes)))


@lru_cache(maxsize=2)
def _models_of(nodes: frozenset[Node]) -> tuple[type[Model], ...]:
    """Kept: making the classes takes longer than reading a small database."""
    executor = MigrationExecutor(None)
    loader = executor.loader
    state = ProjectState(real_apps=loader.unmigrated_apps)
    for migration, __ in executor.migration_plan(loader.graph.leaf_nodes(), clean_start=True):
        if (migration.app_label, migration.name) in nodes:
            migration.mutate_state(state, preserve=False)
    found = state.apps.get_models(include_auto_created=True)
    kept = [model for model in found if model._meta.managed and not model._meta.proxy]
    return tuple(sorted(kept, key=lambda model: model._meta.db_table))


@contextmanager
def all_or_nothing(using: str) -> Iterator[BaseDatabaseWrapper]:
    """A transaction in which tables, too, can be dropped and made. Whoever dies leaves nothing."""
    connection = connections[using]
    connection.ensure_connection()
    # SQLite remakes tables only while it looks at no foreign keys, and they are checked at the end.
    with connection.constraint_checks_disabled(), transaction.atomic(using=using, durable=True):
        yield connection
        connection.check_constraints()


def make_empty(connection: BaseDatabaseWrapper, nodes: Collection[Node]) -> list[type[Model]]:
    """Our tables as these migrations make them, without rows; their models."""
    applied = set(list_applied(connection))
    if applied != set(nodes):
        _drop(connection, list_models(applied))
        executor = MigrationExecutor(connection)
        executor.migrate(_ends(executor, set(nodes)))
    models = list_models(nodes)
    _clear(connection, [model._meta.db_table for model in models])
    # Migrations leave some keys to be checked at once; rows come in any order.
    connection.check_constraints()
    return models


def _clear(connection: BaseDatabaseWrapper, tables: list[str]) -> None:
    """Also where tables are new: a migration may put rows in."""
    quoted = [connection.ops.quote_name(table) for table in tables]
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(f"TRUNCATE {', '.join(quoted)} RESTART IDENTITY")
            return
        for table in quoted:
            cursor.execute(f"DELETE FROM {table}")
        cursor.execute("DELETE FROM sqlite_sequence")


def _drop(connection: BaseDatabaseWrapper, models: list[type[Model]]) -> None:
    ours = [MigrationRecorder.Migration._meta.db_table, *(m._meta.db_table for m in models)]
    cascade = " CASCADE" if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        there = set(connection.introspection.table_names(cursor))
        for table in ours:
            if table in there:
                cursor.execute(f"DROP TABLE {connection.ops.quote_name(table)}{cascade}")


def _ends(executor: MigrationExecutor, nodes: set[Node]) -> list[Node]:
    """The last ones of each app: with them come all that they need."""
    known = executor.loader.graph.node_map
    followed = {
        parent.key for node in nodes for parent in known[node].parents if parent.key[0] == node[0]
    }
    return sorted(nodes - followed)


def migrate_forward(connection: BaseDatabaseWrapper) -> list[Node]:
    """Bring rows of an older state to the newest one; the migrations that did it."""
    before = set(list_applied(connection))

    def settle(action: str, *__: object) -> None:
        """PostgreSQL changes no table while rows of it wait for their check."""
        if action == "apply_success":
            connection.check_constraints()

    connection.check_constraints()
    executor = MigrationExecutor(connection, settle)
    newest = executor.loader.graph.leaf_nodes()
    if not executor.migration_plan(newest):
        return []
    executor.migrate(newest)
    emit_post_migrate_signal(0, False, connection.alias, apps=newest_apps)
    return sorted(set(list_applied(connection)) - before)
