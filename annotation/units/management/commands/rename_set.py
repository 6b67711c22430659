"""`manage.py rename_set --project SLUG --set NAME --name NAME`: all versions of a unit set."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.utils.translation import gettext as _

from annotation.corpora.management.base import (
    BY,
    PROJECT,
    ServiceCommand,
    find_member,
    find_project,
)
from annotation.corpora.projects.models import Role
from annotation.translation import gettext_lazy
from annotation.units.management.finding import find_set
from annotation.units.sets import service as sets_service


class Command(ServiceCommand):
    help = gettext_lazy(
        "Rename all versions of a unit set, including frozen ones. Their hashes don't change."
    )

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, help=PROJECT)
        parser.add_argument("--set", required=True, help=_("current name"))
        parser.add_argument("--name", required=True, help=_("new name"))
        parser.add_argument("--by", default="", help=BY)

    def run(self, options: dict[str, Any]) -> tuple[str, Any]:
        project = find_project(options["project"])
        renamed = sets_service.rename_set(
            unit_set=find_set(project, options["set"]),
            user=find_member(project, options["by"], Role.EDITOR),
            name=options["name"],
        )
        return _("Set renamed to {renamed}.").format(renamed=renamed.name), {
            "set": renamed.pk,
            "name": renamed.name,
        }
