"""Restoring a backup: looked at whole first, then put in place in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.db import DatabaseError, IntegrityError, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Model
from django.utils.translation import gettext as _

from annotation import append_only
from annotation.translation import gettext_lazy
from deploy.backup import schema, tables
from deploy.backup.archive import UNREADABLE, BackupError, Reader, Say, damaged, reading
from deploy.backup.files import placing, staged
from deploy.backup.making import secret_mark

# Rows of these come with the tables themselves.
NOT_COUNTED = {
    "django_migrations",
    "django_content_type",
    "auth_permission",
    *tables.LEFT_OUT_TABLES,
}
OTHER_SECRET = gettext_lazy(
    "SECRET_KEY differs from the server of the backup: open invitations, HIT links and "
    "requesters' secret keys work only with the old one."
)


def check_backup(*, path: Path, using: str = "default", say: Say = print) -> dict[str, Any]:
    """Whether an archive is whole and this program can read it; what is in it."""
    with reading(path) as archive:
        _check(archive, using, say)
        return _told(archive)


def restore(
    *, path: Path, using: str = "default", replace: bool = False, say: Say = print
) -> dict[str, Any]:
    """Make the database and the files those of the archive: all, or nothing at all."""
    with reading(path) as archive:
        nodes = _check(archive, using, say)
        _refuse_rows(connections[using], replace)
        with staged(archive) as moves, placing(moves) as place, _telling(archive.path):
            migrated = _put_in(archive, using, nodes, place, say)
        return {**_told(archive), "migrated": [" ".join(node) for node in migrated]}


def _put_in(
    archive: Reader, using: str, nodes: set[schema.Node], place: Callable[[], None], say: Say
) -> list[schema.Node]:
    """The one transaction; files are put in place last, when nothing of it can fail but its end."""
    with schema.all_or_nothing(using) as connection, append_only.suspended(using):
        say(_("Creating the tables …"))
        _load(connection, archive, schema.make_empty(connection, nodes), say)
        say(_("Migrating them …"))
        migrated = schema.migrate_forward(connection)
        place()
    return migrated


def _check(archive: Reader, using: str, say: Say) -> set[schema.Node]:
    """Everything that can be known before anything is changed."""
    connection = connections[using]
    archive.verify(say)
    nodes = {(app, name) for app, name in archive.manifest["migrations"]}
    schema.refuse_unknown(connection, nodes, _("{path} was").format(path=archive.path))
    schema.refuse_unknown(connection, schema.list_applied(connection), _("This database was"))
    return nodes


def _refuse_rows(connection: BaseDatabaseWrapper, replace: bool) -> None:
    if replace:
        return
    with connection.cursor() as cursor:
        there = set(connection.introspection.table_names(cursor))
        models = schema.list_models(schema.list_applied(connection))
        for model in models:
            table = model._meta.db_table
            if (
                table in there - NOT_COUNTED
                and model._base_manager.using(connection.alias).exists()
            ):
                raise BackupError(
                    _(
                        "The database is not empty: {table} has rows. Nothing was changed. "
                        "Use --replace to overwrite everything in it."
                    ).format(table=table)
                )


def _load(
    connection: BaseDatabaseWrapper, archive: Reader, models: list[type[Model]], say: Say
) -> None:
    known = {model._meta.db_table: model for model in models}
    for number, part in enumerate(archive.tables, start=1):
        if part["rows"]:
            say(
                _("{number}/{tables} {table}: {rows:,} rows").format(
                    number=number,
                    tables=len(archive.tables),
                    table=part["table"],
                    rows=part["rows"],
                )
            )
        model = known[part["table"]]
        if part["columns"] != [str(field.column) for field in tables.fields_of(model)]:
            raise ValueError(f"{part['table']} has other columns than its migrations define")
        tables.load_rows(connection, model, archive.rows(part["name"]), say)
        tables.count_on_from(connection, model, part["last_number"])


@contextmanager
def _telling(path: Path) -> Iterator[None]:
    """Turns what a database or a damaged archive says into a sentence."""
    try:
        yield
    except IntegrityError as error:
        raise BackupError(
            _("{path}: its rows are inconsistent ({error}). Nothing was changed.").format(
                path=path, error=str(error).strip()
            )
        ) from error
    except DatabaseError as error:
        raise BackupError(
            _("The database refused the data ({error}). Nothing was changed.").format(
                error=str(error).strip()
            )
        ) from error
    except UNREADABLE as error:
        raise damaged(path, error) from error


def _told(archive: Reader) -> dict[str, Any]:
    manifest = archive.manifest
    is_same = manifest.get("secret") == secret_mark()
    return {
        "path": str(archive.path),
        **{name: manifest[name] for name in ("program", "made_at", "database")},
        "tables": len(archive.tables),
        "rows": sum(part["rows"] for part in archive.tables),
        "files": len(archive.files),
        "warnings": [] if is_same else [OTHER_SECRET],
    }
