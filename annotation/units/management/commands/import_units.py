"""`manage.py import_units PATH --project SLUG --set NAME [--json]`: a file becomes a draft set."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from annotation.corpora.jobs.models import JobState
from annotation.corpora.jobs.service import finish_job
from annotation.corpora.management.base import CHECK, GizaCommand, find_project, tell_checked
from annotation.translation import gettext_lazy
from annotation.units.files import service as files_service
from annotation.units.files.queries import UNIT_FILE_FORMATS
from annotation.units.sets.models import UnitKind, UnitSet
from annotation.wording import counted

KIND = gettext_lazy("kind of units for which the file gives none; overrides a line file's name")


class Command(GizaCommand):
    help = gettext_lazy(
        "Import SCUs.txt, STUs.txt, SCUs_list.csv, JSONL, CSV, .pyr or .pan files as a unit set."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        known = [item.value for item in UNIT_FILE_FORMATS]
        parser.add_argument("path", type=Path)
        parser.add_argument("--project", required=True, help="slug")
        parser.add_argument("--set", required=True, help=_("name of the new set"))
        parser.add_argument("--format", default="", choices=["", *known])
        parser.add_argument("--kind", default="", choices=["", *UnitKind.values], help=KIND)
        parser.add_argument(
            "--extractor", default="", help=_("extractor of STUs for which the file gives none")
        )
        parser.add_argument("--extractor-version", default="")
        parser.add_argument(
            "--anyway",
            action="store_true",
            help="import even if the units don't seem to match their examples",
        )
        parser.add_argument("--check", action="store_true", help=CHECK)
        parser.add_argument("--json", action="store_true", help=_("print the outcome as JSON"))

    def handle(self, *args: Any, **options: Any) -> None:
        path = options["path"].resolve()
        if not path.exists():
            raise CommandError(_("{path}: no such file or folder.").format(path=options["path"]))
        project = find_project(options["project"])
        outcome = files_service.import_unit_file(
            project=project,
            user=None,
            name=options["set"],
            path=path,
            format=options["format"],
            provenance=files_service.make_provenance(
                kind=options["kind"],
                extractor=options["extractor"],
                extractor_version=options["extractor_version"],
            ),
            anyway=options["anyway"],
            check=options["check"],
        )
        self._finish(outcome, as_json=options["json"])

    def _finish(self, outcome: files_service.Outcome, *, as_json: bool) -> None:
        unit_set = outcome.unit_set
        if outcome.checked is not None:
            said = counted(outcome.checked, "unit", "units")
            tell_checked(self.stdout, outcome.checked, said, as_json=as_json)
            self._print_notes(outcome, as_json=as_json)
            return
        if unit_set is not None:
            assert unit_set.job is not None
            finish_job(job=unit_set.job)
            unit_set.refresh_from_db()
        self._tell(unit_set, outcome, as_json=as_json)
        self._print_notes(outcome, as_json=as_json)
        if unit_set is None:
            hint = _(" Use --anyway if the file is correct.") if outcome.doubtful else ""
            raise CommandError(_("Nothing was changed.{hint}").format(hint=hint))
        if unit_set.job is not None and unit_set.job.state != JobState.DONE:
            raise CommandError(
                _("The import into {unit_set} failed: {error}").format(
                    unit_set=unit_set, error=unit_set.job.error
                )
            )

    def _print_notes(self, outcome: files_service.Outcome, *, as_json: bool) -> None:
        for note in () if as_json else outcome.notes:
            self.stdout.write(note)

    def _tell(
        self, unit_set: UnitSet | None, outcome: files_service.Outcome, *, as_json: bool
    ) -> None:
        if as_json:
            found = {"set": unit_set.pk, "units": unit_set.unit_count} if unit_set else {}
            told = {**found, "problems": outcome.problems, "notes": outcome.notes}
            self.stdout.write(json.dumps(told, ensure_ascii=False))
            return
        for problem in outcome.problems:
            line = _(", line {line}").format(line=problem["line"]) if problem["line"] else ""
            self.stderr.write(
                _("{file}{line}: {message} Expected {expected}").format(
                    file=problem["file"],
                    line=line,
                    message=problem["message"],
                    expected=problem["expected"],
                )
            )
        if unit_set is not None:
            self.stdout.write(f"{unit_set}: {counted(unit_set.unit_count, 'unit', 'units')}.")
