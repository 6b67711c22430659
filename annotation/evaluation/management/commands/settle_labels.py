"""`manage.py settle_labels --project SLUG [--labels VERSION]`: experts above labels of files."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.utils.translation import gettext as _

from annotation.corpora.management.base import GizaCommand, find_project, run_here
from annotation.evaluation.labels import settling
from annotation.evaluation.management.finding import describe_made, find_labels
from annotation.translation import gettext_lazy
from annotation.wording import counted


class Command(GizaCommand):
    help = gettext_lazy("Rebuild imported labels with later expert decisions.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, help="slug")
        parser.add_argument("--labels", type=int, help=_("version of the labels (default: newest)"))
        parser.add_argument("--set", default="", help=_("NAME[@version] of the unit set"))
        parser.add_argument("--json", action="store_true", help=_("print the result as JSON"))

    def handle(self, *args: Any, **options: Any) -> None:
        labels = find_labels(find_project(options["project"]), options["labels"], options["set"])
        made = settling.settle_labels(label_set=labels, user=None)
        run_here(made.job, _("{made} could not be created").format(made=made))
        made.refresh_from_db()
        said = describe_made(made)
        settled = said["counts"]["expert"]
        words = _("{made}: {decisions} included.").format(
            made=made, decisions=counted(settled, "expert decision", "expert decisions")
        )
        self.stdout.write(json.dumps(said, ensure_ascii=False) if options["json"] else words)
