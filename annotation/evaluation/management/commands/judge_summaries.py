"""`manage.py judge_summaries --project SLUG --set NAME --judge NAME [--wait] [--json]`."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.utils.translation import gettext as _

from annotation.corpora.management.base import GizaCommand, find_project, run_here
from annotation.evaluation.judges.offered import DEVICES, PRECISIONS
from annotation.evaluation.judges.queries import list_learned
from annotation.evaluation.management.finding import find_set, tell_learned
from annotation.evaluation.runs import service as runs_service
from annotation.evaluation.runs.models import EmptySummaries, JudgeRun
from annotation.evaluation.runs.service import CHUNK_SIZE
from annotation.translation import gettext_lazy
from scoring.judge import FUNCTIONS, PRESETS


class Command(GizaCommand):
    help = gettext_lazy("Run a judge to predict which units of a frozen set each summary contains.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, help="slug")
        parser.add_argument(
            *("--set", "--unit-set"),
            dest="unit_set",
            required=True,
            help=_("NAME[@version] of a frozen unit set"),
        )
        known = ", ".join(PRESETS)
        parser.add_argument(
            "--judge",
            required=True,
            help=_("{known}, a folder of JUDGES_DIR, or owner/model").format(known=known),
        )
        parser.add_argument(
            "--function",
            default="",
            help=_("presence function: {functions}").format(functions=", ".join(FUNCTIONS)),
        )
        parser.add_argument(
            "--systems", nargs="*", default=[], help=_("names of systems (default: all)")
        )
        parser.add_argument(
            "--empty",
            default="refuse",
            choices=EmptySummaries.values,
            help=_("how to treat empty summaries: refuse to start, or count all units as absent"),
        )
        parser.add_argument(
            "--precision", choices=PRECISIONS, help=_("precision of an NLI model's weights")
        )
        parser.add_argument("--device", choices=DEVICES, help="device")
        parser.add_argument(
            "--window", type=int, help=_("in tokens (default: the model's maximum)")
        )
        parser.add_argument(
            "--evidence", action="store_const", const=True, help=_("find evidence sentences")
        )
        parser.add_argument("--revision", help=_("revision of a Hugging Face model"))
        parser.add_argument(
            "--chunk-size", type=int, default=CHUNK_SIZE, help=_("summaries per chunk")
        )
        parser.add_argument("--note", default="", help=_("note to save with the run"))
        parser.add_argument(
            "--wait",
            action="store_true",
            help=_("judge in this process as well and wait for the result"),
        )
        parser.add_argument("--json", action="store_true", help=_("print the run as JSON"))

    def handle(self, *args: Any, **options: Any) -> None:
        run = _begin(options)
        if options["wait"]:
            run_here(run.job, _("{run} did not finish").format(run=run))
            run.refresh_from_db()
        if options["json"]:
            self.stdout.write(json.dumps(describe_run(run), ensure_ascii=False))
            return
        if not run.is_ready:
            self.stdout.write(
                _("{run} started: {pairs:,} pairs to judge.").format(
                    run=run, pairs=run.counts["pairs"]
                )
            )
            return
        counts = run.figures["counts"]
        self.stdout.write(
            _("{run}, {function}: {judged:,} pairs judged, {stored:,} from cache.").format(
                run=run, function=run.function, judged=counts["judged"], stored=counts["stored"]
            )
        )
        for row in run.figures["systems"]:
            self.stdout.write(f"{row['score']:.4f}  {row['system']}")
        self.stdout.write(run.signature)
        tell_learned(self.stdout, list_learned([run]))


def _begin(options: dict[str, Any]) -> JudgeRun:
    project = find_project(options["project"])
    names = ("precision", "device", "window", "evidence", "revision")
    return runs_service.start_run(
        project=project,
        user=None,
        unit_set=find_set(project, options["unit_set"]),
        judge=options["judge"],
        function=options["function"],
        systems=options["systems"],
        empty=options["empty"],
        options={name: options[name] for name in names if options[name] is not None},
        chunk_size=options["chunk_size"],
        note=options["note"],
    )


def describe_run(run: JudgeRun) -> dict[str, Any]:
    """A run in plain values."""
    return {
        "run": run.pk,
        "judge": run.judge,
        "function": run.function,
        "is_ready": run.is_ready,
        "signature": run.signature,
        "hash": run.content_hash,
        "counts": run.counts,
        **run.figures,
        "learned": list_learned([run] if run.is_ready else []),
    }
