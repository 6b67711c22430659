"""`manage.py score_labels --project SLUG [--labels VERSION] [--method exhaustive] [--json]`."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.utils.translation import gettext as _

from annotation.corpora.management.base import GizaCommand, find_project
from annotation.evaluation.labels.scores import METHODS, ScoreRow, find_scores, keep_scores
from annotation.evaluation.management.finding import find_labels
from annotation.translation import gettext_lazy


class Command(GizaCommand):
    help = gettext_lazy("Score systems by their labels, with intervals and pairwise tests.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, help="slug")
        parser.add_argument("--labels", type=int, help=_("version; default: the newest"))
        parser.add_argument("--set", default="", help=_("NAME[@version] of the unit set"))
        parser.add_argument("--method", default="exhaustive", choices=list(METHODS))
        parser.add_argument("--sample", type=int, help=_("units sampled per example (lite only)"))
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--json", action="store_true", help=_("print the scores as JSON"))

    def handle(self, *args: Any, **options: Any) -> None:
        project = find_project(options["project"])
        labels = find_labels(project, options["labels"], options["set"])
        asked = {name: options[name] for name in ("method", "sample", "seed")}
        scores = find_scores(labels, **asked) or keep_scores(labels, **asked)
        if options["json"]:
            self.stdout.write(json.dumps(asdict(scores), ensure_ascii=False))
            return
        for row in scores.rows:
            self.stdout.write(_line(row))
        self.stdout.write(scores.signature)


def _line(row: ScoreRow) -> str:
    if row.score is None or row.low is None or row.high is None:
        return f"  –  {row.system}"
    return f"{row.rank:>3}  {row.score:.4f} [{row.low:.4f}, {row.high:.4f}]  {row.system}"
