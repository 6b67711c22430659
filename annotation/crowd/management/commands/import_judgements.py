"""`manage.py import_judgements FILES… --project SLUG --set NAME [--systems FILE] [--json]`."""

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
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import Campaign
from annotation.crowd.management.finding import find_campaign
from annotation.crowd.offline import service as offline
from annotation.translation import gettext_lazy
from annotation.units.sets.models import UnitSet
from annotation.wording import counted


class Command(GizaCommand):
    help = gettext_lazy("Import judgements from the results files of an MTurk batch.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, help=_("files, folders or zips"))
        parser.add_argument("--project", required=True, help="slug")
        parser.add_argument(
            *("--set", "--unit-set"),
            dest="unit_set",
            required=True,
            help=_("name of a frozen unit set"),
        )
        parser.add_argument("--set-version", type=int, help=_("default: the newest frozen one"))
        parser.add_argument(
            "--systems", type=Path, help=_("a systems.csv that maps systems to files")
        )
        parser.add_argument("--name", default="", help=_("name of the new campaign"))
        parser.add_argument(
            "--campaign", help=_("number or token of the campaign whose batch was exported")
        )
        parser.add_argument("--check", action="store_true", help=CHECK)
        parser.add_argument(
            "--count-blank",
            action="store_true",
            help=_("count answers to BLANK slots as check items; absent is correct"),
        )
        parser.add_argument("--json", action="store_true", help=_("print the result as JSON"))

    def handle(self, *args: Any, **options: Any) -> None:
        project = find_project(options["project"])
        outcome = offline.import_judgements(
            project=project,
            user=None,
            unit_set=_get_set(project, options["unit_set"], options["set_version"]),
            paths=_paths(options["files"], options["systems"]),
            name=options["name"],
            campaign=_find_exported(project, options["campaign"]),
            check=options["check"],
            count_blank=options["count_blank"],
        )
        self._finish(outcome, as_json=options["json"])

    def _finish(self, outcome: offline.JudgementImport, *, as_json: bool) -> None:
        if outcome.checked is not None:
            said = counted(outcome.checked, "assignment", "assignments")
            tell_checked(self.stdout, outcome.checked, said, as_json=as_json)
            return
        result: dict[str, Any] = {}
        if outcome.job is not None:
            finish_job(job=outcome.job)
            result = outcome.job.result
        if as_json:
            told = {**result, "problems": outcome.problems, "notes": outcome.notes}
            self.stdout.write(json.dumps(told, ensure_ascii=False))
        else:
            self._tell(result, outcome)
        if outcome.job is None:
            raise CommandError(_("Nothing was changed."))
        if outcome.job.state != JobState.DONE:
            raise CommandError(_("Nothing was changed: {error}").format(error=outcome.job.error))

    def _tell(self, result: dict[str, Any], outcome: offline.JudgementImport) -> None:
        for note in outcome.notes:
            self.stdout.write(note)
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
        if result:
            self.stdout.write(
                _(
                    "{assignments:,} assignments and {judgements:,} judgements "
                    "in {hits:,} new HITs; {known:,} were already imported."
                ).format(
                    assignments=result["assignments"],
                    judgements=result["judgements"],
                    hits=result["hits"],
                    known=result["known"],
                )
            )


def _get_set(project: Project, name: str, version: int | None) -> UnitSet:
    found = UnitSet.objects.filter(project=project, name=name).order_by("state", "-version")
    chosen = found.filter(version=version) if version else found
    frozen = [row for row in chosen if row.is_frozen] or list(chosen[:1])
    if not frozen:
        known = ", ".join(str(row) for row in project.unit_sets.all()[:10]) or _("none")
        raise CommandError(_("There is no such unit set. Known: {known}.").format(known=known))
    return frozen[0]


def _find_exported(project: Project, name: str | None) -> Campaign | None:
    """The campaign whose batch file was answered, if one was named."""
    found = find_campaign(name) if name else None
    if found is not None and found.project_id != project.pk:
        raise CommandError(
            _("{slug} has no campaign '{name}'.").format(slug=project.slug, name=name)
        )
    return found


def _paths(files: list[Path], systems: Path | None) -> list[Path]:
    paths = [path.resolve() for path in (*files, *([systems] if systems else []))]
    for path in paths:
        if not path.exists():
            raise CommandError(_("{path}: no such file or folder.").format(path=path))
    return paths
