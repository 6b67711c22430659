"""Databases beside the default one, each with a folder of files: what backups are made of."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn
from unittest import mock

from django.db import connections
from django.test import override_settings

from annotation import append_only
from deploy import backup, env


@dataclass(frozen=True)
class Home:
    """A database and a data folder; `alias` is the database's name within these tests."""

    alias: str
    address: str
    data_dir: Path

    @contextlib.contextmanager
    def entered(self) -> Iterator[None]:
        """Meanwhile files lie in this home's folder."""
        folders = {"GOLD_DIR": "gold", "IMPORTS_DIR": "imports", "JUDGES_DIR": "judges"}
        with override_settings(
            **{name: self.data_dir / folder for name, folder in folders.items()}
        ):
            yield

    def backup(self, path: Path, say: Any = lambda line: None) -> dict[str, Any]:
        with self.entered():
            return backup.backup(path=path, using=self.alias, say=say)

    def restore(self, path: Path, say: Any = lambda line: None, **options: Any) -> dict[str, Any]:
        with self.entered():
            return backup.restore(path=path, using=self.alias, say=say, **options)

    def execute(self, statement: str) -> list[Any]:
        with connections[self.alias].cursor() as cursor:
            cursor.execute(statement)
            return list(cursor.fetchall()) if cursor.description else []

    def clear(self) -> None:
        """Take out all rows, and leave the tables."""
        connection = connections[self.alias]
        tables = set(connection.introspection.table_names()) - {"django_migrations"}
        with (
            connection.constraint_checks_disabled(),
            append_only.suspended(self.alias),
            connection.cursor() as cursor,
        ):
            if connection.vendor == "postgresql":
                cursor.execute(f"TRUNCATE {', '.join(sorted(tables))} RESTART IDENTITY")
                return
            for table in tables:
                cursor.execute(f"DELETE FROM {table}")

    def contents(self, folder: Path) -> dict[str, Any]:
        """Hashes of all tables and files, and where their keys go on."""
        path = folder / f"contents-{len(list(folder.iterdir()))}.zip"
        self.backup(path)
        found = manifest(path)
        return {part["name"]: part for part in [*found["tables"], *found["files"]]}

    def die(self, work: Callable[..., Any], at: str, **options: Any) -> None:
        """Do it in a process that kills itself at the first line of progress with these words."""
        connections[self.alias].close()
        child = os.fork()
        if not child:
            self._do_and_die(work, at, options)
        _, status = os.waitpid(child, 0)
        assert os.waitstatus_to_exitcode(status) == -signal.SIGKILL

    def _do_and_die(self, work: Callable[..., Any], at: str, options: dict[str, Any]) -> NoReturn:
        def say(line: str) -> None:
            if at in line:
                os.kill(os.getpid(), signal.SIGKILL)

        try:
            with self.entered():
                work(using=self.alias, say=say, **options)
        finally:
            os._exit(1)


@contextlib.contextmanager
def attached(alias: str, address: str, data_dir: Path) -> Iterator[Home]:
    """A database under a name of its own, until it is let go."""
    with mock.patch.dict("os.environ", DATABASE_URL=address):
        read = env.database("DATABASE_URL", "")
    connections.settings[alias] = connections.configure_settings({"default": read})["default"]
    try:
        yield Home(alias, address, data_dir)
    finally:
        connections[alias].close()
        del connections[alias]
        del connections.settings[alias]


@contextlib.contextmanager
def as_default(home: Home) -> Iterator[None]:
    """Meanwhile the product works on that database and in that folder."""
    before = connections["default"]
    connections["default"] = connections[home.alias]
    try:
        with home.entered():
            yield
    finally:
        connections["default"] = before


def manifest(path: Path) -> dict[str, Any]:
    with zipfile.ZipFile(path) as archive:
        found: dict[str, Any] = json.loads(archive.read("manifest.json"))
    return found
