"""`manage.py train_judge --project SLUG --labels N|--gold N --base BASE --name NAME [--json]`."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from dataclasses import fields
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from annotation.corpora.management.base import GizaCommand, find_project, run_here
from annotation.corpora.projects.models import Project
from annotation.evaluation.judges import service as judges_service
from annotation.evaluation.judges.models import FoldsBy, TrainedJudge
from annotation.evaluation.judges.offered import DEVICES
from annotation.evaluation.judges.service import FOLDS, OPTIONS
from annotation.evaluation.management.finding import find_gold, find_labels
from annotation.translation import gettext_lazy
from scoring.finetune import FOLDS as WAYS
from scoring.finetune import POOLINGS, SHARINGS, FineTuneOptions

BY = {f"by-{name}": name for name in WAYS}
CHOICES = {"sharing": SHARINGS, "pooling": POOLINGS, "device": DEVICES}
LEVELS = ("summary_level", "system_level")
HELP = {
    "learning_rate": gettext_lazy("learning rate of AdamW"),
    "epochs": gettext_lazy("number of epochs"),
    "warm_up": gettext_lazy("share of the steps for warm-up"),
    "batch_size": gettext_lazy("units per step"),
    "weight_decay": gettext_lazy("weight decay, except for biases and norms"),
    "clip": gettext_lazy("maximum gradient norm"),
    "window": gettext_lazy("maximum tokens of summary and unit"),
    "seed": gettext_lazy("random seed"),
    "sharing": gettext_lazy("read pairs, or a summary once for all its units"),
    "pooling": gettext_lazy("how a shared judge pools the tokens of a unit"),
    "threads": gettext_lazy("number of threads (default: 1, for reproducible results)"),
    "device": "device",
    "checkpoint_every": gettext_lazy("number of steps; 0 for never"),
}


class Command(GizaCommand):
    help = gettext_lazy("Train a judge on a project's labels and evaluate it on held-out folds.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, help="slug")
        parser.add_argument("--labels", type=int, help=_("version of the labels to train on"))
        parser.add_argument("--set", default="", help=_("NAME[@version] of the labels' unit set"))
        parser.add_argument("--gold", type=int, help=_("version of the gold dataset to train on"))
        parser.add_argument(
            "--gold-name", default="", help=_("name of the dataset, if there are several")
        )
        parser.add_argument(
            "--base",
            required=True,
            help=_("embedded, reader, lexical, a judge, a folder, or owner/model"),
        )
        parser.add_argument(
            "--name",
            required=True,
            help=_("name of the judge; an existing name gets a new version"),
        )
        parser.add_argument(
            "--folds", choices=list(BY), help=_("how to form folds (default: no held-out data)")
        )
        parser.add_argument("--k", type=int, default=FOLDS, help=_("number of folds"))
        types = {field.name: type(field.default) for field in fields(FineTuneOptions)}
        for name in OPTIONS:
            parser.add_argument(
                f"--{name.replace('_', '-')}",
                type=types[name],
                choices=CHOICES.get(name),
                help=HELP[name],
            )
        parser.add_argument("--json", action="store_true", help=_("print the card as JSON"))

    def handle(self, *args: Any, **options: Any) -> None:
        project = find_project(options["project"])
        made = _begin(project, options)
        run_here(made.job, _("{made} could not be trained").format(made=made))
        made.refresh_from_db()
        if options["json"]:
            said = {"judge": str(made), "id": made.pk, **made.card}
            self.stdout.write(json.dumps(said, ensure_ascii=False))
            return
        self.stdout.write("\n".join(describe(made)))


def _begin(project: Project, options: dict[str, Any]) -> TrainedJudge:
    if (options["labels"] is None) == (options["gold"] is None):
        raise CommandError(_("Give either --labels or --gold."))
    by = options["folds"]
    source: dict[str, Any] = {}
    if options["gold"] is None:
        source["label_set"] = find_labels(project, options["labels"], options["set"])
    else:
        source["gold"] = find_gold(project, options["gold_name"], options["gold"])
    return judges_service.train_judge(
        project=project,
        user=None,
        name=options["name"],
        base=options["base"],
        folds=options["k"] if by else 0,
        options={name: options[name] for name in OPTIONS if options[name] is not None},
        folds_by=BY.get(by, FoldsBy.EXAMPLES),
        **source,
    )


def describe(judge: TrainedJudge) -> list[str]:
    """A judge in a few lines."""
    data, held_out = judge.card["data"], judge.card["held_out"]
    lines = [
        _("{judge}: trained on {labels:,} labels, data {hash}.").format(
            judge=judge, labels=data["labels"], hash=data["hash"][:16]
        )
    ]
    if held_out is None:
        return [*lines, _("No held-out data: the judge's accuracy can't be estimated.")]
    lines.append(
        _("Held out: accuracy {accuracy:.4f}, ECE {ece:.4f}.").format(
            accuracy=held_out["accuracy"], ece=held_out["ece"]
        )
    )
    return [*lines, *(_level(held_out[name]) for name in LEVELS)]


def _level(row: dict[str, Any]) -> str:
    pearson = row["pearson"]
    return _("{level}: Pearson {value}.").format(
        level=row["level"], value=_("undefined") if pearson is None else format(pearson, ".4f")
    )
