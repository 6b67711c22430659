"""`manage.py train_easiness --project SLUG --name NAME --scus SET --stus SET [--json]`."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.utils.translation import gettext as _

from annotation.corpora.management.base import GizaCommand, find_project, run_here
from annotation.translation import gettext_lazy
from annotation.units.management.finding import find_set
from annotation.units.stus import easiness
from annotation.units.stus.easiness import FOLDS, REGRESSORS
from scoring.easiness.regressors import DEFAULT


class Command(GizaCommand):
    help = gettext_lazy("Train an easiness regressor, and print its cross-validated figures.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, help="slug")
        parser.add_argument(
            "--name",
            required=True,
            help=_("name of the regressor; an existing name gets its next version"),
        )
        parser.add_argument("--scus", required=True, help=_("NAME[@version] of the set of SCUs"))
        parser.add_argument("--stus", required=True, help=_("NAME[@version] of the set of STUs"))
        parser.add_argument("--regressor", default=DEFAULT, choices=REGRESSORS)
        parser.add_argument(
            "--folds", type=int, default=FOLDS, help=_("number of folds of examples")
        )
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--json", action="store_true", help=_("print the model card as JSON"))

    def handle(self, *args: Any, **options: Any) -> None:
        project = find_project(options["project"])
        made = easiness.train_easiness(
            project=project,
            user=None,
            name=options["name"],
            scus=find_set(project, options["scus"]),
            stus=find_set(project, options["stus"]),
            **{name: options[name] for name in ("regressor", "folds", "seed")},
        )
        run_here(made.job, _("{made} was not trained").format(made=made))
        made.refresh_from_db()
        if options["json"]:
            said = {"model": str(made), "id": made.pk, **made.card}
            self.stdout.write(json.dumps(said, ensure_ascii=False))
            return
        held_out = made.card["held_out"]
        self.stdout.write(
            _(
                "{made}: held out, MAE {mae:.4f} (the mean predictor's {mean_mae:.4f}), rho "
                "{rho:.3f}, {sentences:,} sentences, {folds} folds."
            ).format(
                made=made,
                mae=held_out["mae"],
                mean_mae=held_out["mean_mae"],
                rho=held_out["rho"],
                sentences=held_out["sentences"],
                folds=made.folds,
            )
        )
