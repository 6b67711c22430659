"""`manage.py undo_import --project SLUG [--import ID]`: remove what an import brought."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from annotation.corpora.imports import service as imports_service
from annotation.corpora.jobs import service as jobs_service
from annotation.corpora.jobs.models import JobState
from annotation.corpora.management.base import GizaCommand, find_project
from annotation.translation import gettext_lazy
from annotation.wording import counted


class Command(GizaCommand):
    help = gettext_lazy("Undo an import: delete the texts that it created, and nothing else.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, help="slug")
        parser.add_argument(
            "--import",
            dest="import_",
            type=int,
            help=_("number of the import (default: the newest)"),
        )

    def handle(self, *args: Any, **options: Any) -> None:
        project = find_project(options["project"])
        rows = project.imports.order_by("-pk")
        rows = rows.filter(pk=options["import_"]) if options["import_"] else rows
        found = next((row for row in rows if imports_service.can_undo(row)), None)
        if found is None:
            raise CommandError(
                _("{slug} has no such import that can be undone.").format(slug=project.slug)
            )
        job = imports_service.undo_import(import_=found, user=None)
        jobs_service.finish_job(job=job)
        if job.state != JobState.DONE:
            raise CommandError(
                _("{name} was not undone: {error}").format(name=found.name, error=job.error)
            )
        project.refresh_from_db()
        left = counted(project.example_count, "example", "examples")
        self.stdout.write(
            _("{name} is undone; {slug} has {left}.").format(
                name=found.name, slug=project.slug, left=left
            )
        )
