"""`manage.py start_out_of_fold_run --project SLUG --run N [--wait] [--json]`."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.utils.translation import gettext as _

from annotation.corpora.management.base import GizaCommand, find_project, run_here
from annotation.evaluation.management.commands.judge_summaries import describe_run
from annotation.evaluation.runs import service as runs_service
from annotation.evaluation.runs.models import JudgeRun
from annotation.evaluation.runs.queries import get_ready_run
from annotation.translation import gettext_lazy


class Command(GizaCommand):
    help = gettext_lazy(
        "Repeat a run with each text judged by a model that was trained without it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, help="slug")
        parser.add_argument("--run", type=int, required=True, help=_("ID of the in-sample run"))
        parser.add_argument(
            "--wait",
            action="store_true",
            help=_("train and judge in this process and wait for the result"),
        )
        parser.add_argument("--json", action="store_true", help=_("print the run as JSON"))

    def handle(self, *args: Any, **options: Any) -> None:
        run = get_ready_run(find_project(options["project"]), options["run"])
        made = runs_service.start_out_of_fold_run(run=run, user=None)
        if options["wait"] and not isinstance(made, JudgeRun):
            run_here(made.job, _("{made} could not be trained").format(made=made))
            made = runs_service.start_out_of_fold_run(run=run, user=None)
        if isinstance(made, JudgeRun) and options["wait"] and not made.is_ready:
            run_here(made.job, _("{made} did not finish").format(made=made))
            made.refresh_from_db()
        self.stdout.write(_describe(made, options["json"]))


def _describe(made: Any, as_json: bool) -> str:
    if not isinstance(made, JudgeRun):
        said = {"judge": str(made), "id": made.pk}
        words = _("{made} is being trained. The run will start when training has finished.").format(
            made=made
        )
        return json.dumps(said) if as_json else words
    if as_json:
        return json.dumps(describe_run(made), ensure_ascii=False)
    return f"{made}: {_('finished') if made.is_ready else _('started')}."
