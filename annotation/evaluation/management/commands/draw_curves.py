"""`manage.py draw_curves --project SLUG --stus NAME [--labels N] [--judge NAME] [--json]`."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import OutputWrapper
from django.utils.translation import gettext as _

from annotation.corpora.management.base import GizaCommand, find_project, run_here
from annotation.evaluation.management.finding import find_labels, find_set, tell_learned
from annotation.evaluation.planning import curves as planning_curves
from annotation.evaluation.planning.curves import STEP, STEPS
from annotation.evaluation.planning.models import CurveRun
from annotation.evaluation.planning.queries import LEVELS, list_curve_rows, stream_curves
from annotation.translation import gettext_lazy
from annotation.units.stus.regressors import SharedReferences, count_ranked
from scoring.measured_coverage import CURVE_GAIN, say_departures
from scoring.planning.curves import BOOTSTRAP, SEEDS
from scoring.planning.presence import NEAREST_LABELS
from scoring.planning.study import HUMAN


class Command(GizaCommand):
    help = gettext_lazy(
        "Compute the correlation with human scores as STUs replace SCUs, for every order."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, help="slug")
        parser.add_argument("--labels", type=int, help=_("version; default: the newest"))
        parser.add_argument("--set", default="", help=_("NAME[@version] of the labels' unit set"))
        parser.add_argument("--stus", required=True, help=_("NAME[@version] of the set of STUs"))
        parser.add_argument(
            "--judge", default="", help=_("human, or a judge with runs on both sets")
        )
        parser.add_argument("--step", type=int, default=STEP, choices=STEPS, help="percent")
        parser.add_argument("--seeds", type=int, default=SEEDS, help=_("random orders"))
        parser.add_argument("--bootstrap", type=int, default=BOOTSTRAP, help="resamples")
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--csv", type=Path, help=_("also write the points to this file"))
        parser.add_argument("--json", action="store_true", help=_("print the curves as JSON"))

    def handle(self, *args: Any, **options: Any) -> None:
        project = find_project(options["project"])
        chosen = {name: options[name] for name in ("judge", "step", "seeds", "bootstrap", "seed")}
        made = planning_curves.draw_curves(
            project=project,
            user=None,
            label_set=find_labels(project, options["labels"], options["set"]),
            stus=find_set(project, options["stus"]),
            **chosen,
        )
        run_here(made.job, _("{made} could not be computed").format(made=made))
        made.refresh_from_db()
        if options["csv"]:
            options["csv"].write_text("".join(stream_curves(made)), encoding="utf-8", newline="")
        if options["json"]:
            said = {"id": made.pk, "signature": made.signature, **made.found}
            shared = count_ranked(made.stus)
            said |= {"learned": made.sources["learned"], "coverage": say_departures(CURVE_GAIN)}
            said |= {"regressor_references": None if shared is None else asdict(shared)}
            self.stdout.write(json.dumps(said, ensure_ascii=False))
            return
        self.stdout.write("\n".join(describe(made)))
        tell_learned(self.stdout, made.sources["learned"])
        describe_ranked(self.stdout, count_ranked(made.stus))


def describe(curves: CurveRun) -> Iterator[str]:
    """Pearson's r at each percentage, and what each order gains over random."""
    found = curves.found
    yield _(
        "{curves}: {documents:,} examples, {systems:,} systems, "
        "{sentences:,} sentences; judge {judge}"
    ).format(
        curves=curves,
        documents=found["documents"],
        systems=found["systems"],
        sentences=found["sentences"],
        judge=curves.judge,
    )
    if curves.judge == HUMAN:
        yield NEAREST_LABELS
    for level in LEVELS:
        yield f"{level}-level".ljust(18) + "".join(f"{p:>7g}" for p in found["percentages"])
        for row in list_curve_rows(curves, level):
            points = "".join(f"{_number(value, '.3f'):>7}" for value in row["values"])
            yield f"{row['order']:<18}{points}{_gain(row['gain'])}"
    if departures := say_departures(CURVE_GAIN):
        yield departures


def describe_ranked(out: OutputWrapper, shared: SharedReferences | None) -> None:
    """A line where the regressor was trained on the references whose sentences it orders."""
    if shared is not None and shared.met:
        out.write(
            _(
                "In-sample: {model} was trained on references of {met:,} of "
                "{examples:,} examples. Expect lower gains on new texts."
            ).format(model=shared.model, met=shared.met, examples=shared.examples)
        )


def _gain(row: dict[str, Any] | None) -> str:
    if row is None:
        return _("   gain over random (area), 95 % interval")
    area, low, high = (_number(row[name], "+.4f") for name in ("area", "area_low", "area_high"))
    return _("   {area} ({low} to {high})").format(area=area, low=low, high=high)


def _number(value: float | None, form: str) -> str:
    return "–" if value is None else format(value, form)
