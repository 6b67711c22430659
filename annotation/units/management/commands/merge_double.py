"""`manage.py merge_double FILE --project SLUG --double NAME --by E-MAIL`: write the merged set."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.corpora.management.base import (
    PROJECT,
    ServiceCommand,
    find_member,
    find_project,
    read_json,
)
from annotation.corpora.projects.models import Role
from annotation.translation import gettext_lazy
from annotation.units.double import service as double_service
from annotation.units.management.finding import NAME, find_double, find_example
from annotation.wording import counted

SHAPE = gettext_lazy('expected {"example id": [{"text": "…", "sources": [unit ids]}, …]}.')


class Command(ServiceCommand):
    help = gettext_lazy(
        "Write examples of the merged set of a double annotation, as decided by a third member."
    )

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", type=Path, help=f"JSON: {SHAPE.removeprefix('expected ')}")
        parser.add_argument("--project", required=True, help=PROJECT)
        parser.add_argument("--double", required=True, help=NAME)
        parser.add_argument(
            "--by", required=True, help=_("e-mail of a member who is neither author")
        )

    def run(self, options: dict[str, Any]) -> tuple[str, Any]:
        project = find_project(options["project"])
        double = find_double(project, options["double"])
        user = find_member(project, options["by"], Role.ANNOTATOR)
        merged = _read(options["path"])
        with transaction.atomic():
            for key, units in merged.items():
                example = find_example(double, key)
                double_service.merge_double(double=double, example=example, user=user, units=units)
        words = _("{merged}: {examples} merged.").format(
            merged=double.merged, examples=counted(len(merged), "example", "examples")
        )
        return words, {"set": double.merged_id, "examples": list(merged)}


def _read(path: Path) -> dict[str, list[double_service.MergedUnit]]:
    try:
        return {
            key: [double_service.MergedUnit(row["text"], tuple(row["sources"])) for row in rows]
            for key, rows in read_json(path).items()
        }
    except (AttributeError, KeyError, TypeError):
        raise CommandError(f"{path}: {SHAPE}") from None
