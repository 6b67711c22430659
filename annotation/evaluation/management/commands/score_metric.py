"""`manage.py score_metric NAME --project SLUG [--option KEY=VALUE] [--json]`: score summaries."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.errors import DomainError
from annotation.evaluation import services
from annotation.evaluation.management.finding import describe_scores, find_project, run_here
from annotation.evaluation.models import ScoreSet
from annotation.evaluation.selectors.score_tables import list_system_scores
from scoring.cli.metric import read_options
from scoring.metrics import METRICS


class Command(BaseCommand):
    help = "Score every summary of a project by a metric."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("metric", help=", ".join(METRICS))
        parser.add_argument("--project", required=True, help="slug")
        parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE")
        parser.add_argument("--system", action="append", default=[], help="all if left out")
        parser.add_argument("--note", default="")
        parser.add_argument("--json", action="store_true", help="print the outcome as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            made = services.score_metric(
                project=find_project(options["project"]),
                user=None,
                metric=options["metric"],
                options=read_options(options["option"]),
                systems=options["system"],
                note=options["note"],
            )
        except DomainError as error:
            raise CommandError(f"{error.message} {error.mend}".strip()) from None
        except ValueError as error:
            raise CommandError(str(error)) from None
        run_here(made.job, f"{made} were not made")
        made.refresh_from_db()
        if options["json"]:
            self.stdout.write(json.dumps(describe_scores(made), ensure_ascii=False))
            return
        self.stdout.write("\n".join(describe(made)))


def describe(made: ScoreSet) -> Iterator[str]:
    """Each system's mean in the first column, the best first."""
    counts = made.counts
    yield f"{made}: {counts['summaries']:,} summaries, {counts['stored']:,} stored before"
    for row in list_system_scores(made):
        score = "–" if row.score is None else f"{row.score:.4f}"
        yield f"{row.system:<40} {made.columns[0]} {score}"
    yield made.signature
