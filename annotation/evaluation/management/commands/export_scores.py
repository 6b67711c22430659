"""`manage.py export_scores ID --project SLUG [--output FILE]`: every number of a set as CSV."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from annotation.corpora.management.base import GizaCommand, find_project
from annotation.evaluation.metrics.queries import get_ready_scores, stream_scores
from annotation.translation import gettext_lazy


class Command(GizaCommand):
    help = gettext_lazy("Write a score set as CSV: doc_id, system, metric, score.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("scores", type=int, help=_("ID of the set"))
        parser.add_argument("--project", required=True, help="slug")
        parser.add_argument(
            *("--output", "--out"), type=Path, help=_("file; default: standard output")
        )

    def handle(self, *args: Any, **options: Any) -> None:
        found = get_ready_scores(find_project(options["project"]), options["scores"])
        if options["output"] is None:
            for line in stream_scores(found):
                self.stdout.write(line, ending="")
            return
        with options["output"].open("w", encoding="utf-8", newline="") as file:
            file.writelines(stream_scores(found))
        self.stdout.write(
            _("{found}: {scores:,} scores in {output}.").format(
                found=found, scores=found.counts["scores"], output=options["output"]
            )
        )
