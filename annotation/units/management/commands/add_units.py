"""`manage.py add_units PATH --project SLUG --set NAME --author EMAIL`: write into a draft."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from annotation.corpora.management.base import GizaCommand, find_member, find_project
from annotation.corpora.projects.models import Role
from annotation.translation import gettext_lazy
from annotation.units.files.queries import UNIT_FILE_FORMATS
from annotation.units.management.finding import find_set
from annotation.units.sets import bulk
from annotation.wording import counted


class Command(GizaCommand):
    help = gettext_lazy(
        "Add the units of a file to a draft set as an author, and mark the examples as written."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        known = [item.value for item in UNIT_FILE_FORMATS]
        parser.add_argument(
            "path",
            type=Path,
            help=_("file of units; JSONL needs to list only the examples that change"),
        )
        parser.add_argument("--project", required=True, help="slug")
        parser.add_argument("--set", required=True, help=_("NAME[@version] of the draft"))
        parser.add_argument(
            "--author", default="", help=_("e-mail of the author; default: the only owner")
        )
        parser.add_argument(
            "--format", default="", choices=["", *known], help=_("format of the file")
        )
        parser.add_argument("--json", action="store_true", help=_("print the outcome as JSON"))

    def handle(self, *args: Any, **options: Any) -> None:
        path = options["path"].resolve()
        if not path.exists():
            raise CommandError(_("{path}: no such file or folder.").format(path=options["path"]))
        project = find_project(options["project"])
        unit_set = find_set(project, options["set"])
        author = find_member(project, options["author"], Role.ANNOTATOR)
        counts = bulk.add_units(unit_set=unit_set, user=author, path=path, format=options["format"])
        words = _("{unit_set}: {units} added.").format(
            unit_set=unit_set, units=counted(counts["units"], "unit", "units")
        )
        self.stdout.write(json.dumps(counts) if options["json"] else words)
