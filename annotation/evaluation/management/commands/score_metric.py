"""`manage.py score_metric NAME … | --all --project SLUG [--option KEY=VALUE] [--json]`."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from annotation.corpora.jobs.service import finish_job
from annotation.corpora.management.base import GizaCommand, find_project
from annotation.evaluation.judges.queries import list_learned_scores
from annotation.evaluation.management.finding import describe_scores, tell_learned
from annotation.evaluation.metrics import service as metrics_service
from annotation.evaluation.metrics.models import ScoreSet
from annotation.evaluation.metrics.queries import list_system_scores
from annotation.evaluation.metrics.service import Begun
from annotation.translation import gettext_lazy
from scoring.cli.metric import read_options
from scoring.errors import InputError
from scoring.metrics import METRICS


class Command(GizaCommand):
    help = gettext_lazy("Compute one, several or all metrics for every summary of a project.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("metric", nargs="*", help=", ".join(METRICS))
        parser.add_argument(
            "--all", action="store_true", help=_("all metrics that can be computed here")
        )
        parser.add_argument("--project", required=True, help="slug")
        parser.add_argument(
            "--option",
            action="append",
            default=[],
            metavar="KEY=VALUE",
            help=_("option of a single metric; repeatable"),
        )
        parser.add_argument(
            "--system", action="append", default=[], help=_("repeatable; default: all")
        )
        parser.add_argument("--note", default="")
        parser.add_argument("--json", action="store_true", help=_("print the outcome as JSON"))

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            begun = begin(options)
        except InputError as error:
            raise CommandError(str(error)) from None
        failed = [made for made in begun.score_sets if not self.finish(made)]
        ready = [made for made in begun.score_sets if made not in failed]
        self.tell(ready, begun, options["json"], one=len(begun.score_sets) == 1)
        if failed:
            raise CommandError("; ".join(tell_failure(made) for made in failed))

    def finish(self, made: ScoreSet) -> bool:
        """One that fails must not keep the others from being made."""
        assert made.job is not None
        finish_job(job=made.job)
        made.refresh_from_db()
        return made.is_ready

    def tell(self, ready: Sequence[ScoreSet], begun: Begun, as_json: bool, one: bool) -> None:
        if as_json:
            rows = [describe_scores(made) for made in ready]
            whole = {"score_sets": rows, "left_out": dict(begun.left_out)}
            said = rows[0] if one and rows and not begun.left_out else whole
            self.stdout.write(json.dumps(said, ensure_ascii=False))
            return
        for made in ready:
            self.stdout.write("\n".join(describe(made)))
        tell_learned(self.stdout, list_learned_scores(ready))
        for name, why in begun.left_out.items():
            self.stdout.write(_("{name} was skipped: it {why}").format(name=name, why=why))


def begin(options: dict[str, Any]) -> Begun:
    """One metric may have options; several have their usual ones."""
    names, said = options["metric"], read_options(options["option"])
    if bool(names) == options["all"]:
        raise CommandError(_("Name one or more metrics, or use --all."))
    rest = {
        "project": find_project(options["project"]),
        "user": None,
        "systems": options["system"],
        "note": options["note"],
    }
    if len(names) == 1:
        return Begun([metrics_service.score_metric(metric=names[0], options=said, **rest)], {})
    if said:
        raise CommandError(
            _("--option works only with a single metric; several use their defaults.")
        )
    return metrics_service.score_metrics(metrics=names, **rest)


def tell_failure(made: ScoreSet) -> str:
    assert made.job is not None
    made.job.refresh_from_db()
    return _("{made} could not be computed: {error}").format(
        made=made, error=made.job.error or _("cancelled.")
    )


def describe(made: ScoreSet) -> Iterator[str]:
    """Each system's mean in the first column, the best first."""
    counts = made.counts
    yield _("{made}: {summaries:,} summaries, {stored:,} reused").format(
        made=made, summaries=counts["summaries"], stored=counts["stored"]
    )
    for row in list_system_scores(made):
        score = "–" if row.score is None else f"{row.score:.4f}"
        yield f"{row.system:<40} {made.columns[0]} {score}"
    yield made.signature
