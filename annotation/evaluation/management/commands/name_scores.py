"""`manage.py name_scores --project SLUG --scores KEY --name "ROUGE-2"`."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from annotation.corpora.management.base import GizaCommand, find_project
from annotation.evaluation.metrics import names
from annotation.evaluation.metrics.sources import list_score_sources
from annotation.translation import gettext_lazy


class Command(GizaCommand):
    help = gettext_lazy("Set the display name of a metric or run in tables, figures and reports.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, help="slug")
        parser.add_argument("--scores", required=True, help=_("name or key of a metric or run"))
        parser.add_argument("--name", required=True, help=_("display name; empty resets it"))

    def handle(self, *args: Any, **options: Any) -> None:
        project, wanted = find_project(options["project"]), options["scores"]
        sources = list_score_sources(project)
        source = next((row for row in sources if wanted in (row.key, row.name)), None)
        if source is None:
            known = ", ".join(row.name for row in sources) or _("none")
            raise CommandError(
                _("There are no scores '{wanted}'. Known: {known}.").format(
                    wanted=wanted, known=known
                )
            )
        named = names.name_source(project=project, user=None, key=source.key, name=options["name"])
        self.stdout.write(
            _("{source} is now shown as {named}.").format(source=source.title, named=named.name)
        )
