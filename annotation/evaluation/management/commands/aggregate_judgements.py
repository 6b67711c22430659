"""`manage.py aggregate_judgements --project SLUG [--filter per-summary …] [--save] [--json]`."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from django.core.management.base import CommandError

from annotation.corpora.management.base import GizaCommand, run_here
from annotation.corpora.management.finding import find_project
from annotation.corpora.models import Project
from annotation.crowd.models import Campaign
from annotation.evaluation import services
from annotation.evaluation.management.finding import describe_made
from annotation.evaluation.selectors.answers import get_judged_campaigns
from annotation.evaluation.selectors.previews import preview_labels
from scoring.aggregation import FILTERS, TIES, UNDEFINED, VOTES, FilterStep, Recipe
from scoring.errors import InputError

FILTER = f"NAME[:option=value,…], applied in the given order; one of {', '.join(FILTERS)}"


class Command(GizaCommand):
    help = "Aggregate crowd judgements into labels, or preview the result."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, help="slug")
        parser.add_argument(
            "--campaign",
            action="append",
            type=int,
            default=[],
            help="number of a campaign, repeatable (default: all with the newest one's unit set)",
        )
        parser.add_argument("--filter", action="append", default=[], help=FILTER)
        parser.add_argument("--vote", default="majority", choices=VOTES, help="aggregation method")
        parser.add_argument("--tie", default="absent", choices=list(TIES), help="label of a tie")
        parser.add_argument("--seed", type=int, default=0, help="random seed")
        parser.add_argument(
            "--undefined",
            default="one",
            choices=UNDEFINED,
            help="value of alpha where all answers are identical",
        )
        parser.add_argument(
            "--save",
            "--keep",
            action="store_true",
            help="save the labels (default: preview only); formerly --keep",
        )
        parser.add_argument("--note", default="", help="note to save with the labels")
        parser.add_argument("--json", action="store_true", help="print the result as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        project = find_project(options["project"])
        recipe = _read_recipe(options)
        campaigns = get_judged_campaigns(project, options["campaign"])
        if options["save"]:
            said = _keep(project, campaigns, recipe, options["note"])
        else:
            said = preview_labels(project, campaigns, recipe)
        if options["json"]:
            self.stdout.write(json.dumps(said, ensure_ascii=False))
        else:
            self._tell(said)

    def _tell(self, said: dict[str, Any]) -> None:
        counts, alpha = said["counts"], said["agreement"]["by_summary"]["alpha"]
        self.stdout.write(
            f"{counts['kept']:,} assignments included, {counts['dropped']:,} excluded; "
            f"{counts['labelled']:,} labels, {counts['present']:,} of them present."
        )
        self.stdout.write("Alpha can't be computed." if alpha is None else f"Alpha {alpha:.4f}.")
        for row in said["drops"]:
            self.stdout.write(f"{row['rule']}: {row['assignments']:,} assignments excluded.")
        if "labels" in said:
            self.stdout.write(f"Saved as version {said['version']}: {said['signature']}")
        else:
            changed = said["labels_changed"]
            self.stdout.write(
                f"{changed:,} labels differ from the majority of all answers. Nothing was saved."
            )


def _read_recipe(options: dict[str, Any]) -> Recipe:
    try:
        return Recipe(
            filters=tuple(_read_filter(said) for said in options["filter"]),
            **{name: options[name] for name in ("vote", "tie", "seed", "undefined")},
        )
    except InputError as error:
        raise CommandError(str(error)) from None


def _read_filter(said: str) -> FilterStep:
    name, _, listed = said.partition(":")
    options: dict[str, float] = {}
    for part in filter(None, listed.split(",")):
        option, _, value = part.partition("=")
        try:
            options[option] = float(value)
        except ValueError:
            raise InputError(f"--filter: '{part}' is not option=number.") from None
    return FilterStep(name, options)


def _keep(
    project: Project, campaigns: Sequence[Campaign], recipe: Recipe, note: str
) -> dict[str, Any]:
    made = services.keep_labels(
        project=project, user=None, campaigns=campaigns, recipe=recipe, note=note
    )
    run_here(made.job, f"{made} could not be created")
    made.refresh_from_db()
    return describe_made(made)
