"""`manage.py import_scores FILE --project SLUG [--name NAME] [--lower COLUMN] [--json]`."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from annotation.corpora.management.base import (
    CHECK,
    GizaCommand,
    find_project,
    run_here,
    tell_checked,
    tell_problems,
)
from annotation.evaluation.management.finding import describe_scores
from annotation.evaluation.metrics import files
from annotation.translation import gettext_lazy
from annotation.wording import counted


class Command(GizaCommand):
    help = gettext_lazy("Import scores of a project's summaries from another program.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "path", type=Path, help=_("CSV, TSV, Excel, JSONL or SacreROUGE's JSONL")
        )
        parser.add_argument("--project", required=True, help="slug")
        parser.add_argument("--name", default="", help=_("default: the file's name"))
        parser.add_argument(
            "--lower",
            action="append",
            default=[],
            help=_("column where lower is better; repeatable"),
        )
        parser.add_argument("--unflagged", action="store_true", help=_("skip flagged rows"))
        parser.add_argument("--check", action="store_true", help=CHECK)
        parser.add_argument("--json", action="store_true", help=_("print the outcome as JSON"))

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["path"]
        if not path.is_file():
            raise CommandError(_("{path}: no such file.").format(path=path))
        outcome = files.import_scores(
            project=find_project(options["project"]),
            user=None,
            path=path.resolve(),
            name=options["name"],
            lower=options["lower"],
            flagged=not options["unflagged"],
            check=options["check"],
        )
        if outcome.checked is not None:
            said = counted(outcome.checked, "score", "scores")
            tell_checked(self.stdout, outcome.checked, said, as_json=options["json"])
            return
        made = outcome.score_set
        if made is None:
            tell_problems(self.stderr, outcome.problems)
            raise CommandError(_("Nothing was imported."))
        run_here(made.job, _("{made} could not be imported").format(made=made))
        made.refresh_from_db()
        if options["json"]:
            self.stdout.write(json.dumps(describe_scores(made), ensure_ascii=False))
            return
        for note in made.import_notes:
            self.stdout.write(note)
        told = _("{scores:,} scores of {summaries:,} summaries").format(
            scores=made.counts["scores"], summaries=made.counts["summaries"]
        )
        self.stdout.write(f"{made}: {told}.")
