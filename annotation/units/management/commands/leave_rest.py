"""`manage.py leave_rest --project SLUG --set NAME [--undo]`: STUs for what nobody has written."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.utils.translation import gettext as _

from annotation.corpora.management.base import GizaCommand, find_project
from annotation.translation import gettext_lazy
from annotation.units.management.finding import find_set
from annotation.units.plans import leaving
from annotation.wording import counted


class Command(GizaCommand):
    help = gettext_lazy("Leave all sentences of a planned draft without written units to STUs.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, help="slug")
        parser.add_argument("--set", required=True, help=_("NAME[@version] of the draft"))
        parser.add_argument("--undo", action="store_true", help=_("return them to people"))

    def handle(self, *args: Any, **options: Any) -> None:
        unit_set = find_set(find_project(options["project"]), options["set"])
        act = leaving.take_rest_back if options["undo"] else leaving.leave_rest
        count = act(unit_set=unit_set, user=None)
        to = _("returned to people") if options["undo"] else _("left to STUs")
        self.stdout.write(f"{unit_set}: {counted(count, 'sentence', 'sentences')} {to}.")
