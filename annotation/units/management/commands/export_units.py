"""`manage.py export_units --project SLUG --set NAME [--format lines] [--json]`: a set as a file."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from annotation.corpora.activity.service import record_export
from annotation.corpora.management.base import GizaCommand
from annotation.translation import gettext_lazy
from annotation.units.files.queries import UNIT_FILE_FORMATS, stream_units
from annotation.units.sets.models import UnitSet
from annotation.wording import counted


class Command(GizaCommand):
    help = gettext_lazy("Write a unit set to a file, or to standard output.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        known = [item.value for item in UNIT_FILE_FORMATS]
        parser.add_argument("--project", required=True, help="slug")
        parser.add_argument("--set", required=True, help="name")
        parser.add_argument("--set-version", type=int, help=_("default: the newest version"))
        parser.add_argument("--format", default="lines", choices=known)
        parser.add_argument("--output", type=Path, help=_("output file; default: standard output"))
        parser.add_argument("--json", action="store_true", help=_("print a summary as JSON"))

    def handle(self, *args: Any, **options: Any) -> None:
        unit_set = _get_set(options["project"], options["set"], options["set_version"])
        blocks = stream_units(unit_set, options["format"])
        record_export(
            project=unit_set.project,
            what=str(unit_set),
            format=options["format"],
            target=unit_set,
        )
        if options["output"] is None:
            sys.stdout.buffer.writelines(blocks)
            return
        with options["output"].open("wb") as out:
            out.writelines(blocks)
        self._tell(unit_set, options["output"], as_json=options["json"])

    def _tell(self, unit_set: UnitSet, path: Path, *, as_json: bool) -> None:
        if as_json:
            outcome = {
                "set": unit_set.name,
                "version": unit_set.version,
                "state": unit_set.state,
                "hash": unit_set.content_hash,
                "units": unit_set.unit_count,
                "file": str(path),
            }
            self.stdout.write(json.dumps(outcome, ensure_ascii=False))
        else:
            self.stdout.write(
                _("{unit_set}: {units} in {path}.").format(
                    unit_set=unit_set,
                    units=counted(unit_set.unit_count, "unit", "units"),
                    path=path,
                )
            )


def _get_set(slug: str, name: str, version: int | None) -> UnitSet:
    sets = UnitSet.objects.filter(project__slug=slug, name=name).select_related("project")
    found = sets.filter(version=version) if version else sets
    unit_set = found.order_by("-version").first()
    if unit_set is None:
        known = UnitSet.objects.filter(project__slug=slug)
        listed = ", ".join(str(item) for item in known[:10]) or _("none")
        raise CommandError(_("Unknown unit set. Known: {listed}.").format(listed=listed))
    return unit_set
