"""`manage.py create_double --project SLUG --name NAME --author E-MAIL --author E-MAIL`."""

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
from annotation.units.double import service as double_service


class Command(ServiceCommand):
    help = gettext_lazy(
        "Start a double annotation: two authors write the same references independently."
    )

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, help=PROJECT)
        parser.add_argument("--name", required=True, help=_("name of the merged set"))
        parser.add_argument(
            "--author",
            action="append",
            required=True,
            help=_("e-mail of a member; give it twice, once per author"),
        )
        parser.add_argument("--first", type=int, default=1, help=_("number of the first example"))
        parser.add_argument("--last", type=int, required=True, help=_("number of the last example"))
        parser.add_argument("--by", default="", help=BY)

    def run(self, options: dict[str, Any]) -> tuple[str, Any]:
        project = find_project(options["project"])
        made = double_service.create_double(
            project=project,
            user=find_member(project, options["by"], Role.EDITOR),
            name=options["name"],
            authors=[find_member(project, mail, Role.ANNOTATOR) for mail in options["author"]],
            first=options["first"],
            last=options["last"],
        )
        sets = [str(author.set) for author in made.authors.select_related("set")]
        words = _("{made}: examples {first_example} to {last_example}, {sets}.").format(
            made=made,
            first_example=made.first_example,
            last_example=made.last_example,
            sets=" and ".join(sets),
        )
        return words, {"double": made.pk, "sets": sets}
