"""`manage.py backup PATH [--json]`: everything that this server knows, in one file."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from annotation.corpora.management.base import GizaCommand
from annotation.translation import gettext_lazy
from deploy.backup import BackupError, backup


class Command(GizaCommand):
    help = gettext_lazy(
        "Back up the database and files to one archive. Web and workers can keep running."
    )
    # A database that an older program left is backed up before it is migrated.
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", type=Path, help=_("a new file, or a folder"))
        parser.add_argument("--json", action="store_true", help=_("print the result as JSON"))

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            made = backup(path=options["path"].absolute(), say=self.stderr.write)
        except (BackupError, OSError) as error:
            raise CommandError(str(error)) from None
        words = _("{path}: {rows:,} rows of {tables} tables, {files:,} files, {bytes:,} bytes.")
        self.stdout.write(json.dumps(made) if options["json"] else words.format(**made))
