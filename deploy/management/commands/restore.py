"""`manage.py restore PATH [--replace] [--check] [--json]`: puts a backup in place."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from annotation.corpora.management.base import GizaCommand
from annotation.translation import gettext_lazy
from deploy import env
from deploy.backup import BackupError, check_backup, restore
from deploy.supervisor import hold


class Command(GizaCommand):
    help = gettext_lazy("Restore a backup, all or nothing, to SQLite or PostgreSQL.")
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", type=Path, help=_("an archive written by `backup`"))
        parser.add_argument(
            "--replace", action="store_true", help=_("overwrite everything in the database")
        )
        parser.add_argument(
            "--check", action="store_true", help=_("check the archive without changing anything")
        )
        parser.add_argument("--json", action="store_true", help=_("print the result as JSON"))

    def handle(self, *args: Any, **options: Any) -> None:
        path = options["path"].absolute()
        try:
            if options["check"]:
                found = check_backup(path=path, say=self.stderr.write)
            else:
                found = self._restore(path, options["replace"])
        except (BackupError, OSError) as error:
            raise CommandError(str(error)) from None
        for warning in found["warnings"]:
            self.stderr.write(warning)
        done = _("complete") if options["check"] else _("restored")
        words = _(
            "{path}: {done}; {rows:,} rows of {tables} tables, {files:,} files, of {made_at}."
        )
        told = json.dumps(found) if options["json"] else words.format(done=done, **found)
        self.stdout.write(told)

    def _restore(self, path: Path, replace: bool) -> dict[str, Any]:
        """What `make run` serves must not run meanwhile; a lab's parts are stopped by hand."""
        with (env.data_dir() / "run" / "lock").open("w") as lock:
            hold(lock)
            return restore(path=path, replace=replace, say=self.stderr.write)
