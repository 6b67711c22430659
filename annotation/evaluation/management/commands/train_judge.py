"""`manage.py train_judge --project SLUG --labels N|--gold N --base BASE --name NAME [--json]`."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from dataclasses import fields
from typing import Any

from django.core.management.base import CommandError

from annotation.corpora.management.base import GizaCommand, run_here
from annotation.corpora.management.finding import find_project
from annotation.corpora.models import Project
from annotation.evaluation import services
from annotation.evaluation.judges import DEVICES
from annotation.evaluation.management.finding import find_gold, find_labels
from annotation.evaluation.models import FoldsBy, TrainedJudge
from annotation.evaluation.services.training import FOLDS, OPTIONS
from scoring.finetune import FOLDS as WAYS
from scoring.finetune import POOLINGS, SHARINGS, FineTuneOptions

BY = {f"by-{name}": name for name in WAYS}
CHOICES = {"sharing": SHARINGS, "pooling": POOLINGS, "device": DEVICES}
LEVELS = ("summary_level", "system_level")
HELP = {
    "learning_rate": "learning rate of AdamW",
    "epochs": "number of epochs",
    "warm_up": "share of the steps for warm-up",
    "batch_size": "units per step",
    "weight_decay": "weight decay, except for biases and norms",
    "clip": "maximum gradient norm",
    "window": "maximum tokens of summary and unit",
    "seed": "random seed",
    "sharing": "read pairs, or a summary once for all its units",
    "pooling": "how a shared judge pools the tokens of a unit",
    "threads": "number of threads (default: 1, for reproducible results)",
    "device": "device",
    "checkpoint_every": "number of steps; 0 for never",
}


class Command(GizaCommand):
    help = "Train a judge on a project's labels and evaluate it on held-out folds."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, help="slug")
        parser.add_argument("--labels", type=int, help="version of the labels to train on")
        parser.add_argument("--set", default="", help="NAME[@version] of the labels' unit set")
        parser.add_argument("--gold", type=int, help="version of the gold dataset to train on")
        parser.add_argument(
            "--gold-name", default="", help="name of the dataset, if there are several"
        )
        parser.add_argument(
            "--base",
            required=True,
            help="embedded, reader, lexical, a judge, a folder, or owner/model",
        )
        parser.add_argument(
            "--name", required=True, help="name of the judge; an existing name gets a new version"
        )
        parser.add_argument(
            "--folds", choices=list(BY), help="how to form folds (default: no held-out data)"
        )
        parser.add_argument("--k", type=int, default=FOLDS, help="number of folds")
        types = {field.name: type(field.default) for field in fields(FineTuneOptions)}
        for name in OPTIONS:
            parser.add_argument(
                f"--{name.replace('_', '-')}",
                type=types[name],
                choices=CHOICES.get(name),
                help=HELP[name],
            )
        parser.add_argument("--json", action="store_true", help="print the card as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        project = find_project(options["project"])
        made = _begin(project, options)
        run_here(made.job, f"{made} could not be trained")
        made.refresh_from_db()
        if options["json"]:
            said = {"judge": str(made), "id": made.pk, **made.card}
            self.stdout.write(json.dumps(said, ensure_ascii=False))
            return
        self.stdout.write("\n".join(describe(made)))


def _begin(project: Project, options: dict[str, Any]) -> TrainedJudge:
    if (options["labels"] is None) == (options["gold"] is None):
        raise CommandError("Give either --labels or --gold.")
    by = options["folds"]
    source: dict[str, Any] = {}
    if options["gold"] is None:
        source["label_set"] = find_labels(project, options["labels"], options["set"])
    else:
        source["gold"] = find_gold(project, options["gold_name"], options["gold"])
    return services.train_judge(
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
    lines = [f"{judge}: trained on {data['labels']:,} labels, data {data['hash'][:16]}."]
    if held_out is None:
        return [*lines, "No held-out data: the judge's accuracy can't be estimated."]
    lines.append(f"Held out: accuracy {held_out['accuracy']:.4f}, ECE {held_out['ece']:.4f}.")
    return [*lines, *(_level(held_out[name]) for name in LEVELS)]


def _level(row: dict[str, Any]) -> str:
    pearson = row["pearson"]
    return f"{row['level']}: Pearson {'undefined' if pearson is None else format(pearson, '.4f')}."
