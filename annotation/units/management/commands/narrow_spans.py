"""`manage.py narrow_spans --project SLUG --set NAME[@version] [--check] [--undo]`."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.utils.translation import gettext as _

from annotation.corpora.management.base import (
    BY,
    CHECK,
    PROJECT,
    SET,
    ServiceCommand,
    find_member,
    find_project,
    run_here,
)
from annotation.corpora.projects.models import Project, Role
from annotation.translation import gettext_lazy
from annotation.units.management.finding import find_set
from annotation.units.sets import narrowing
from annotation.units.sets.models import UnitSet
from annotation.units.sets.narrowing import preview_narrowing
from annotation.units.stus.easiness import live_examples
from annotation.wording import counted

EXAMPLES_AT_ONCE = 200


class Command(ServiceCommand):
    help = gettext_lazy(
        "Narrow all spans of a draft that cover whole sentences to the words of their units."
    )

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, help=PROJECT)
        parser.add_argument("--set", required=True, help=SET)
        parser.add_argument("--check", action="store_true", help=CHECK)
        parser.add_argument("--undo", action="store_true", help=_("undo the last narrowing"))
        parser.add_argument("--by", default="", help=BY)

    def run(self, options: dict[str, Any]) -> tuple[str, Any]:
        project = find_project(options["project"])
        unit_set = find_set(project, options["set"])
        if options["check"]:
            return _preview(project, unit_set)
        user = find_member(project, options["by"], Role.EDITOR)
        job = narrowing.narrow_spans(unit_set=unit_set, user=user, undo=options["undo"])
        run_here(job, _("The spans of {unit_set} were not changed").format(unit_set=unit_set))
        words = _("{unit_set}: the spans of {units} were changed.").format(
            unit_set=unit_set, units=counted(job.result["changed"], "unit", "units")
        )
        return words, job.result


def _preview(project: Project, unit_set: UnitSet) -> tuple[str, Any]:
    examples = list(live_examples(project))
    chunks = range(0, len(examples), EXAMPLES_AT_ONCE)
    parts = (examples[at : at + EXAMPLES_AT_ONCE] for at in chunks)
    rows = [row for part in parts for row in preview_narrowing(unit_set, part) if row["units"]]
    lines = [
        f"{row['example']}: {unit['text']}\n  {' … '.join(unit['kept'])}"
        for row in rows
        for unit in row["units"]
    ]
    words = _("{units} would change. Nothing was changed.").format(
        units=counted(len(lines), "unit", "units")
    )
    return "\n".join([*lines, words]), rows
