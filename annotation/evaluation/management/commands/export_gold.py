"""`manage.py export_gold --project SLUG --format gold --output FILE`: a gold version as a file."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from annotation.corpora.activity.service import record_export
from annotation.corpora.management.base import GizaCommand, find_project
from annotation.evaluation.gold.downloads import FORMATS, stream_gold, why_not_format
from annotation.evaluation.management.finding import find_gold
from annotation.translation import gettext_lazy


class Command(GizaCommand):
    help = gettext_lazy("Export a gold version to a file.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, help="slug")
        parser.add_argument("--name", default="", help=_("name of the dataset (default: newest)"))
        parser.add_argument(
            "--gold-version", type=int, help=_("version of the dataset (default: newest)")
        )
        parser.add_argument(
            "--format", default="gold", choices=list(FORMATS), help=_("format of the file")
        )
        parser.add_argument("--output", required=True, type=Path, help=_("file to write"))

    def handle(self, *args: Any, **options: Any) -> None:
        gold = find_gold(find_project(options["project"]), options["name"], options["gold_version"])
        if reason := why_not_format(gold, options["format"]):
            raise CommandError(
                _("{gold} can't be exported as {format}: {reason}").format(
                    gold=gold, format=options["format"], reason=reason
                )
            )
        path: Path = options["output"]
        # Whole, or not at all.
        part = path.with_name(f"{path.name}.part")
        try:
            with part.open("wb") as out:
                out.writelines(stream_gold(gold, options["format"]))
            part.replace(path)
            record_export(
                project=gold.project, what=str(gold), format=options["format"], target=gold
            )
        finally:
            part.unlink(missing_ok=True)
        self.stdout.write(
            _("{gold}: sha256 {content_hash} in {path}.").format(
                gold=gold, content_hash=gold.content_hash, path=path
            )
        )
