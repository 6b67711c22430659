"""`manage.py archive_set --project SLUG --set NAME[@version] [--undo]`: out of lists."""

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
)
from annotation.corpora.projects.models import Role
from annotation.translation import gettext_lazy
from annotation.units.management.finding import find_set
from annotation.units.sets import service as sets_service


class Command(ServiceCommand):
    help = gettext_lazy(
        "Hide a frozen unit set from lists and menus; what uses it is not affected."
    )

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, help=PROJECT)
        parser.add_argument("--set", required=True, help=SET)
        parser.add_argument("--undo", action="store_true", help=_("restore it from the archive"))
        parser.add_argument("--by", default="", help=BY)

    def run(self, options: dict[str, Any]) -> tuple[str, Any]:
        project, archived = find_project(options["project"]), not options["undo"]
        found = sets_service.archive_set(
            unit_set=find_set(project, options["set"]),
            user=find_member(project, options["by"], Role.EDITOR),
            archived=archived,
        )
        words = (
            _("{found} was archived.").format(found=found)
            if archived
            else _("{found} was restored.").format(found=found)
        )
        return words, {"set": found.pk, "archived": archived}
