"""`manage.py adjudicate --project SLUG --set NAME --example ID --system NAME --unit N …`."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from annotation.corpora.corpus.models import Summary
from annotation.corpora.management.base import GizaCommand, find_member, find_project
from annotation.corpora.projects.models import Project, Role
from annotation.evaluation.labels import settling
from annotation.evaluation.management.finding import find_labels, find_set
from annotation.evaluation.runs.queries import get_ready_run
from annotation.translation import gettext_lazy
from annotation.units.sets.models import Unit


class Command(GizaCommand):
    help = gettext_lazy(
        "Record an expert decision on whether a unit is present; it overrides the vote."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, help="slug")
        parser.add_argument("--set", required=True, help=_("NAME[@version] of the unit set"))
        parser.add_argument("--example", required=True, help=_("ID of the example"))
        parser.add_argument("--system", required=True, help=_("name of the system"))
        parser.add_argument(
            "--unit", type=int, required=True, help=_("number of the unit in the example")
        )
        parser.add_argument(
            "--label", required=True, choices=["present", "absent"], help=_("the decision")
        )
        parser.add_argument("--reason", default="", help=_("reason to record"))
        parser.add_argument("--run", type=int, help=_("ID of the run under review"))
        parser.add_argument(
            "--labels", type=int, help=_("version of the labels (default: newest of the set)")
        )
        parser.add_argument(
            "--agreements", type=int, help=_("as given to `review_statements`, if sampled there")
        )
        parser.add_argument(
            "--seed", type=int, default=0, help=_("as given to `review_statements`")
        )
        parser.add_argument(
            "--by", default="", help=_("e-mail of the expert (default: the only owner)")
        )
        parser.add_argument("--json", action="store_true", help=_("print the result as JSON"))

    def handle(self, *args: Any, **options: Any) -> None:
        project = find_project(options["project"])
        unit = _find_unit(project, options)
        made = settling.adjudicate(
            project=project,
            user=find_member(project, options["by"], Role.EDITOR),
            summary=_find_summary(project, options["example"], options["system"]),
            unit=unit,
            present=options["label"] == "present",
            reason=options["reason"],
            beside=_find_beside(project, options),
        )
        result = {"id": made.pk, "unit": unit.pk, "text": unit.text, "present": made.present}
        words = _("“{unit}” is {label} in {system}.").format(
            unit=unit.text, label=options["label"], system=options["system"]
        )
        self.stdout.write(json.dumps(result, ensure_ascii=False) if options["json"] else words)


def _find_beside(project: Project, options: dict[str, Any]) -> settling.ReviewContext | None:
    if options["run"] is None:
        return None
    labels = find_labels(project, options["labels"], options["set"])
    run = get_ready_run(project, options["run"])
    return settling.ReviewContext(run, labels, options["agreements"], options["seed"])


def _find_unit(project: Project, options: dict[str, Any]) -> Unit:
    rows = Unit.objects.filter(
        set=find_set(project, options["set"]), example__key=options["example"], is_deleted=False
    )
    found = list(rows.order_by("position", "pk"))
    if not 1 <= options["unit"] <= len(found):
        raise CommandError(
            _("--unit: example '{example}' has {found} units.").format(
                example=options["example"], found=len(found)
            )
        )
    return found[options["unit"] - 1]


def _find_summary(project: Project, key: str, system: str) -> Summary:
    rows = Summary.objects.live().filter(example__project=project, example__key=key)
    found = rows.filter(system__name=system).select_related("example", "system").first()
    if found is None:
        raise CommandError(
            _("There is no summary of '{key}' by '{system}'.").format(key=key, system=system)
        )
    return found
