"""`manage.py import_labels PATH --project SLUG --set NAME[@version] [--json]`: labels of others."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from annotation.corpora.imports.models import Import
from annotation.corpora.management.base import (
    CHECK,
    GizaCommand,
    find_project,
    run_here,
    tell_checked,
    tell_problems,
)
from annotation.corpora.projects.models import Project
from annotation.evaluation.labels import files
from annotation.evaluation.labels.files import LabelImport
from annotation.evaluation.labels.queries import list_kept_labels
from annotation.evaluation.management.finding import describe_made, find_set
from annotation.translation import gettext_lazy
from annotation.units.sets.models import UnitSet
from annotation.wording import counted


class Command(GizaCommand):
    help = gettext_lazy("Import labels from .label files, one per system.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "path", type=Path, nargs="?", help=_("folder or ZIP archive of .label files")
        )
        parser.add_argument("--project", required=True, help="slug")
        parser.add_argument("--set", required=True, help=_("NAME[@version] of a frozen unit set"))
        parser.add_argument(
            "--from-corpus",
            "--kept",
            action="store_true",
            help="import the label files included in the corpus; formerly --kept",
        )
        parser.add_argument(
            "--anyway", action="store_true", help="import even if the labels look wrong"
        )
        parser.add_argument("--check", action="store_true", help=CHECK)
        parser.add_argument("--json", action="store_true", help=_("print the result as JSON"))

    def handle(self, *args: Any, **options: Any) -> None:
        if (options["path"] is None) != options["from_corpus"]:
            raise CommandError(
                _("Give a path, or --from-corpus for the label files in the corpus.")
            )
        project = find_project(options["project"])
        unit_set = find_set(project, options["set"])
        outcome = _start(project, unit_set, options)
        self._finish(outcome, as_json=options["json"])

    def _finish(self, outcome: LabelImport, *, as_json: bool) -> None:
        if outcome.checked is not None:
            said = counted(outcome.checked, "labelled system", "labelled systems")
            tell_checked(self.stdout, outcome.checked, said, as_json=as_json)
            return
        made = outcome.label_set
        if made is not None:
            run_here(made.job, _("{made} could not be created").format(made=made))
            made.refresh_from_db()
        if as_json:
            told = {**(describe_made(made) if made else {}), "problems": outcome.problems}
            self.stdout.write(json.dumps(told, ensure_ascii=False))
        else:
            tell_problems(self.stderr, outcome.problems)
        if made is None:
            hint = _(" If the labels are correct, use --anyway.") if outcome.doubtful else ""
            raise CommandError(_("Nothing was changed.{hint}").format(hint=hint))
        if not as_json:
            counts = made.figures["counts"]
            self.stdout.write(
                _("{made}: {labelled:,} labels of {summaries:,} summaries.").format(
                    made=made, labelled=counts["labelled"], summaries=counts["summaries"]
                )
            )


def _start(project: Project, unit_set: UnitSet, options: dict[str, Any]) -> LabelImport:
    path: Path | None = options["path"]
    about: dict[str, Any] = {
        "project": project,
        "user": None,
        "unit_set": unit_set,
        "anyway": options["anyway"],
        "check": options["check"],
    }
    if path is None:
        return files.import_kept_labels(source=_get_source(project), **about)
    if not path.exists():
        raise CommandError(_("{path}: there is no such file or folder.").format(path=path))
    return files.import_labels(path=path.resolve(), **about)


def _get_source(project: Project) -> Import:
    """The newest import that brought labels along."""
    found = list_kept_labels(project)
    if not found:
        raise CommandError(_("The corpus includes no label files. Give a path."))
    return max((source for source, __ in found), key=lambda source: source.pk)
