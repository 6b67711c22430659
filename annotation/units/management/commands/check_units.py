"""`manage.py check_units --project SLUG --set NAME[@version]`: the linter's totals of a set."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.utils.translation import gettext as _

from annotation.corpora.management.base import (
    BY,
    PROJECT,
    SET,
    ServiceCommand,
    find_member,
    find_project,
    run_here,
)
from annotation.corpora.projects.models import Role
from annotation.translation import gettext_lazy
from annotation.units.management.finding import find_set
from annotation.units.sets import bulk
from annotation.wording import counted
from scoring.linting import RULES


class Command(ServiceCommand):
    help = gettext_lazy(
        "Check all units of a set with the linter, and print the number of warnings per rule."
    )

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, help=PROJECT)
        parser.add_argument("--set", required=True, help=SET)
        parser.add_argument("--by", default="", help=BY)

    def run(self, options: dict[str, Any]) -> tuple[str, Any]:
        project = find_project(options["project"])
        found = find_set(project, options["set"])
        user = find_member(project, options["by"], Role.ANNOTATOR)
        run_here(
            bulk.start_check(unit_set=found, user=user),
            _("{found} was not checked").format(found=found),
        )
        found.refresh_from_db()
        totals: dict[str, int] = found.lint["rules"]
        lines = [f"{RULES[rule].title}: {count:,}" for rule, count in sorted(totals.items())]
        return "\n".join(
            [
                _("{found}: {units} checked.").format(
                    found=found, units=counted(found.unit_count, "unit", "units")
                ),
                *lines,
            ]
        ), totals
