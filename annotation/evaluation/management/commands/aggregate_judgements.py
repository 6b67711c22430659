"""`manage.py aggregate_judgements --project SLUG [--filter per-summary …] [--save] [--json]`."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from annotation.corpora.management.base import GizaCommand, find_project, run_here
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import Campaign
from annotation.evaluation.labels import service as labels_service
from annotation.evaluation.labels.answers import get_judged_campaigns
from annotation.evaluation.labels.what_if import preview_labels
from annotation.evaluation.management.finding import describe_made
from annotation.translation import format_lazy, gettext_lazy
from scoring.aggregation import FILTERS, TIES, UNDEFINED, VOTES, FilterStep, Recipe
from scoring.errors import InputError

FILTER = format_lazy(
    gettext_lazy("NAME[:option=value,…], applied in the given order; one of {filters}"),
    filters=", ".join(FILTERS),
)


class Command(GizaCommand):
    help = gettext_lazy("Aggregate crowd judgements into labels, or preview the result.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, help="slug")
        parser.add_argument(
            "--campaign",
            action="append",
            type=int,
            default=[],
            help=_(
                "number of a campaign, repeatable (default: all with the newest one's unit set)"
            ),
        )
        parser.add_argument("--filter", action="append", default=[], help=FILTER)
        parser.add_argument(
            "--vote", default="majority", choices=VOTES, help=_("aggregation method")
        )
        parser.add_argument("--tie", default="absent", choices=list(TIES), help=_("label of a tie"))
        parser.add_argument("--seed", type=int, default=0, help=_("random seed"))
        parser.add_argument(
            "--undefined",
            default="one",
            choices=UNDEFINED,
            help=_("value of alpha where all answers are identical"),
        )
        parser.add_argument(
            "--save",
            "--keep",
            action="store_true",
            help=_("save the labels (default: preview only); formerly --keep"),
        )
        parser.add_argument("--note", default="", help=_("note to save with the labels"))
        parser.add_argument("--json", action="store_true", help=_("print the result as JSON"))

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
            _(
                "{kept:,} assignments included, {dropped:,} excluded; "
                "{labelled:,} labels, {present:,} of them present."
            ).format(
                kept=counts["kept"],
                dropped=counts["dropped"],
                labelled=counts["labelled"],
                present=counts["present"],
            )
        )
        self.stdout.write(
            _("Alpha can't be computed.")
            if alpha is None
            else _("Alpha {alpha:.4f}.").format(alpha=alpha)
        )
        for row in said["drops"]:
            self.stdout.write(
                _("{rule}: {assignments:,} assignments excluded.").format(
                    rule=row["rule"], assignments=row["assignments"]
                )
            )
        if "labels" in said:
            self.stdout.write(
                _("Saved as version {version}: {signature}").format(
                    version=said["version"], signature=said["signature"]
                )
            )
        else:
            changed = said["labels_changed"]
            self.stdout.write(
                _(
                    "{changed:,} labels differ from the majority of all answers. Nothing was saved."
                ).format(changed=changed)
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
    name, __, listed = said.partition(":")
    options: dict[str, float] = {}
    for part in filter(None, listed.split(",")):
        option, __, value = part.partition("=")
        try:
            options[option] = float(value)
        except ValueError:
            raise InputError(
                _("--filter: '{part}' is not option=number.").format(part=part)
            ) from None
    return FilterStep(name, options)


def _keep(
    project: Project, campaigns: Sequence[Campaign], recipe: Recipe, note: str
) -> dict[str, Any]:
    made = labels_service.keep_labels(
        project=project, user=None, campaigns=campaigns, recipe=recipe, note=note
    )
    run_here(made.job, _("{made} could not be created").format(made=made))
    made.refresh_from_db()
    return describe_made(made)
