"""`manage.py export_corpus --project SLUG --format jsonl --output FILE`: as the page exports it."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from annotation.corpora.activity.service import record_export
from annotation.corpora.corpus.exports import EXPORT_FORMATS, stream_export
from annotation.corpora.management.base import GizaCommand, find_project
from annotation.translation import gettext_lazy


class Command(GizaCommand):
    help = gettext_lazy("Export a project's corpus to a file or to standard output.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, help="slug")
        parser.add_argument(
            "--format", default="jsonl", choices=list(EXPORT_FORMATS), help=_("format of the file")
        )
        parser.add_argument("--output", type=Path, help=_("output file (default: standard output)"))

    def handle(self, *args: Any, **options: Any) -> None:
        project = find_project(options["project"])
        blocks = stream_export(project, options["format"])
        record_export(project=project, what=_("the corpus"), format=options["format"])
        if options["output"] is None:
            sys.stdout.buffer.writelines(blocks)
            return
        with options["output"].open("wb") as out:
            out.writelines(blocks)
