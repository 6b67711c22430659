"""`manage.py create_gold --project SLUG --name NAME [--labels VERSION]`: a gold version."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.utils.translation import gettext as _

from annotation.corpora.management.base import GizaCommand, find_project, run_here
from annotation.evaluation.gold import service as gold_service
from annotation.evaluation.gold.models import WorkerNames
from annotation.evaluation.management.finding import find_labels
from annotation.translation import gettext_lazy


class Command(GizaCommand):
    help = gettext_lazy(
        "Create a gold version: texts, units, labels and answers in one file with a hash."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, help="slug")
        parser.add_argument("--name", required=True, help=_("name of the dataset"))
        parser.add_argument("--labels", type=int, help=_("version of the labels (default: newest)"))
        parser.add_argument("--set", default="", help=_("NAME[@version] of the unit set"))
        parser.add_argument("--description", default="", help=_("description for the dataset card"))
        parser.add_argument("--licence", default="", help=_("for example, CC-BY-4.0"))
        parser.add_argument("--citation", default="", help=_("citation for the dataset card"))
        parser.add_argument(
            "--worker-names",
            default=WorkerNames.PSEUDONYM.value,
            choices=WorkerNames.values,
            help=_("names of workers in the dataset"),
        )
        parser.add_argument("--json", action="store_true", help=_("print the result as JSON"))

    def handle(self, *args: Any, **options: Any) -> None:
        project = find_project(options["project"])
        labels = find_labels(project, options["labels"], options["set"])
        names = ("name", "description", "licence", "citation", "worker_names")
        made = gold_service.create_gold(
            project=project,
            user=None,
            label_set=labels,
            **{name: options[name] for name in names},
        )
        run_here(made.job, _("{made} could not be created").format(made=made))
        made.refresh_from_db()
        said = {
            "gold": made.pk,
            "name": made.name,
            "version": made.version,
            "hash": made.content_hash,
            "size": made.size,
        }
        words = _("{made}: {size:,} bytes, sha256 {content_hash}.").format(
            made=made, size=made.size, content_hash=made.content_hash
        )
        self.stdout.write(json.dumps(said, ensure_ascii=False) if options["json"] else words)
