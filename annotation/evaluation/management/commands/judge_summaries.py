"""`manage.py judge_summaries --project SLUG --set NAME --judge NAME [--wait] [--json]`."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from annotation.corpora.management.base import GizaCommand, run_here
from annotation.corpora.management.finding import find_project
from annotation.evaluation import services
from annotation.evaluation.judges import DEVICES, PRECISIONS
from annotation.evaluation.management.finding import find_set, tell_learned
from annotation.evaluation.models import EmptySummaries, JudgeRun
from annotation.evaluation.selectors.learned import list_learned
from annotation.evaluation.services.runs import CHUNK_SIZE
from scoring.judge import FUNCTIONS, PRESETS


class Command(GizaCommand):
    help = "Run a judge to predict which units of a frozen set each summary contains."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, help="slug")
        parser.add_argument(
            *("--set", "--unit-set"),
            dest="unit_set",
            required=True,
            help="NAME[@version] of a frozen unit set",
        )
        known = ", ".join(PRESETS)
        parser.add_argument(
            "--judge", required=True, help=f"{known}, a folder of JUDGES_DIR, or owner/model"
        )
        parser.add_argument(
            "--function", default="", help=f"presence function: {', '.join(FUNCTIONS)}"
        )
        parser.add_argument(
            "--systems", nargs="*", default=[], help="names of systems (default: all)"
        )
        parser.add_argument(
            "--empty",
            default="refuse",
            choices=EmptySummaries.values,
            help="how to treat empty summaries: refuse to start, or count all units as absent",
        )
        parser.add_argument(
            "--precision", choices=PRECISIONS, help="precision of an NLI model's weights"
        )
        parser.add_argument("--device", choices=DEVICES, help="device")
        parser.add_argument("--window", type=int, help="in tokens (default: the model's maximum)")
        parser.add_argument(
            "--evidence", action="store_const", const=True, help="find evidence sentences"
        )
        parser.add_argument("--revision", help="revision of a Hugging Face model")
        parser.add_argument(
            "--chunk-size", type=int, default=CHUNK_SIZE, help="summaries per chunk"
        )
        parser.add_argument("--note", default="", help="note to save with the run")
        parser.add_argument(
            "--wait",
            action="store_true",
            help="judge in this process as well and wait for the result",
        )
        parser.add_argument("--json", action="store_true", help="print the run as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        run = _begin(options)
        if options["wait"]:
            run_here(run.job, f"{run} did not finish")
            run.refresh_from_db()
        if options["json"]:
            self.stdout.write(json.dumps(describe_run(run), ensure_ascii=False))
            return
        if not run.is_ready:
            self.stdout.write(f"{run} started: {run.counts['pairs']:,} pairs to judge.")
            return
        counts = run.figures["counts"]
        self.stdout.write(
            f"{run}, {run.function}: {counts['judged']:,} pairs judged, "
            f"{counts['stored']:,} from cache."
        )
        for row in run.figures["systems"]:
            self.stdout.write(f"{row['score']:.4f}  {row['system']}")
        self.stdout.write(run.signature)
        tell_learned(self.stdout, list_learned([run]))


def _begin(options: dict[str, Any]) -> JudgeRun:
    project = find_project(options["project"])
    names = ("precision", "device", "window", "evidence", "revision")
    return services.start_run(
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
