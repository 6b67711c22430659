"""Making a backup: rows of one moment, then the files, then the list of both."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.db import connections
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from deploy.backup import schema, tables
from deploy.backup.archive import BackupError, Say, Writer, writing_to
from deploy.backup.files import LEFT_OUT_FILES, add_files
from scoring import __version__

SUFFIX = ".giza.zip"


def backup(*, path: Path, using: str = "default", say: Say = print) -> dict[str, Any]:
    """Write everything to *path*; into a folder, under a name with the time. What was written."""
    goal = _goal(path)
    with writing_to(goal) as file, Writer(file) as writer:
        manifest = _write(writer, using, say)
    return {
        "path": str(goal),
        "bytes": goal.stat().st_size,
        "tables": len(manifest["tables"]),
        "rows": sum(part["rows"] for part in manifest["tables"]),
        "files": len(manifest["files"]),
    }


def _goal(path: Path) -> Path:
    if path.is_dir():
        path /= f"{timezone.now():%Y-%m-%dT%H%M%SZ}{SUFFIX}"
    if path.exists():
        raise BackupError(
            _("{path} already exists. Choose another file name, or a folder.").format(path=path)
        )
    if not path.parent.is_dir():
        raise BackupError(_("{parent}: no such folder.").format(parent=path.parent))
    return path


def _write(writer: Writer, using: str, say: Say) -> dict[str, Any]:
    connection = connections[using]
    with tables.snapshot(connection):
        applied = schema.list_applied(connection)
        if not applied:
            raise BackupError(_("The database is empty: there is nothing to back up."))
        schema.refuse_unknown(connection, applied, _("This database was"))
        listed = list(_add_tables(writer, using, set(applied), say))
    manifest = {
        "program": __version__,
        "made_at": timezone.now().isoformat(timespec="seconds"),
        "database": connection.vendor,
        "secret": secret_mark(),
        "migrations": applied,
        "tables": listed,
        "files": list(add_files(writer, say)),
        "left_out": {
            name: str(why) for name, why in {**tables.LEFT_OUT_TABLES, **LEFT_OUT_FILES}.items()
        },
    }
    writer.finish(manifest)
    return manifest


def _add_tables(
    writer: Writer, using: str, applied: set[schema.Node], say: Say
) -> Iterator[dict[str, Any]]:
    models = schema.list_models(applied)
    kept = [model for model in models if model._meta.db_table not in tables.LEFT_OUT_TABLES]
    for number, model in enumerate(kept, start=1):
        part = _add_table(writer, model, using, say)
        if part["rows"]:
            say(
                _("{number}/{kept} {table}: {rows:,} rows").format(
                    number=number, kept=len(kept), table=part["table"], rows=part["rows"]
                )
            )
        yield part


def _add_table(writer: Writer, model: Any, using: str, say: Say) -> dict[str, Any]:
    table, rows = model._meta.db_table, 0

    def lines() -> Iterator[bytes]:
        nonlocal rows
        for line in tables.read_lines(model, using, say):
            rows += 1
            yield line

    name = f"tables/{table}.jsonl"
    written = writer.add(name, lines())
    return {
        "name": name,
        "table": table,
        "columns": [str(field.column) for field in tables.fields_of(model)],
        "rows": rows,
        "last_number": tables.last_number(connections[using], model),
        **written,
    }


def secret_mark() -> str:
    """Tells whether two servers have the same SECRET_KEY, and nothing else about it."""
    return salted_hmac("giza.backup", "mark", algorithm="sha256").hexdigest()[:16]
