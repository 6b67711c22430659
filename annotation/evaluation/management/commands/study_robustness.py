"""`manage.py study_robustness --project SLUG [--metric NAME] [--share 0.2] [--json]`."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from annotation.corpora.management.base import GizaCommand, find_project, run_here
from annotation.evaluation.robustness import service as robustness_service
from annotation.evaluation.robustness.models import RobustnessStudy
from annotation.evaluation.robustness.queries import stream_drops
from annotation.evaluation.robustness.service import USUAL, USUAL_SHARES
from annotation.translation import gettext_lazy
from scoring.metrics.perturbations import PERTURBATIONS, SYNONYMS


class Command(GizaCommand):
    help = gettext_lazy("Measure how much metrics drop when a share of the texts is changed.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, help="slug")
        parser.add_argument(
            "--metric",
            action="append",
            default=[],
            metavar="NAME",
            help=_("repeatable; default: {usual}").format(usual=", ".join(USUAL)),
        )
        parser.add_argument(
            "--system", action="append", default=[], help=_("repeatable; default: all")
        )
        parser.add_argument(
            "--perturbation",
            choices=tuple(PERTURBATIONS),
            default=SYNONYMS,
            help=_("kind of change"),
        )
        parser.add_argument(
            "--share",
            action="append",
            type=float,
            default=[],
            help=_("share changed; repeatable; default: {map}").format(
                map=", ".join(map(str, USUAL_SHARES))
            ),
        )
        parser.add_argument(
            "--examples", type=int, default=0, help=_("number of examples, drawn at random; 0: all")
        )
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--note", default="")
        parser.add_argument("--csv", type=Path, help=_("also write the drops to this file"))
        parser.add_argument("--json", action="store_true", help=_("print the outcome as JSON"))

    def handle(self, *args: Any, **options: Any) -> None:
        chosen = {name: options[name] for name in ("perturbation", "examples", "seed", "note")}
        made = robustness_service.study_robustness(
            project=find_project(options["project"]),
            user=None,
            metrics=options["metric"] or USUAL,
            systems=options["system"],
            shares=options["share"] or USUAL_SHARES,
            **chosen,
        )
        run_here(made.job, _("{made} could not be computed").format(made=made))
        made.refresh_from_db()
        if options["csv"]:
            options["csv"].write_text("".join(stream_drops(made)), encoding="utf-8", newline="")
        if options["json"]:
            said = {"id": made.pk, "signature": made.signature, **made.found}
            self.stdout.write(json.dumps(said, ensure_ascii=False))
            return
        self.stdout.write("\n".join(describe(made)))


def describe(study: RobustnessStudy) -> Iterator[str]:
    """What each column loses at each share, of its score on unchanged texts."""
    yield _("{study}: {examples:,} examples, {systems:,} systems").format(
        study=study, examples=study.found["examples"], systems=len(study.systems)
    )
    wanted = _("a small drop") if study.kind.keeps_meaning else _("a large drop")
    yield _("{kind}, share of {share_of}; {wanted} is better").format(
        kind=study.kind.words, share_of=study.kind.share_of, wanted=wanted
    )
    for metric in study.found["circular"]:
        yield _(
            "{metric} matches synonyms with the same WordNet, so its drop means nothing here."
        ).format(metric=metric)
    yield f"{'':<30}{'original':>9}" + "".join(f"{share:>9.0%}" for share in study.shares)
    for row in study.found["columns"]:
        lost = "".join(f"{_number(drop['of_actual'], '.1%'):>9}" for drop in row["drops"])
        actual = _number(row["drops"][0]["actual"], ".4f")
        yield f"{row['metric'] + ' ' + row['column']:<30}{actual:>9}{lost}"
    yield study.signature


def _number(value: float | None, form: str) -> str:
    return "–" if value is None else format(value, form)
