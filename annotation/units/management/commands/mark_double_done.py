"""`manage.py mark_double_done --project SLUG --double NAME --author E-MAIL [--undo]`."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.utils.translation import gettext as _

from annotation.corpora.management.base import PROJECT, ServiceCommand, find_member, find_project
from annotation.corpora.projects.models import Role
from annotation.translation import gettext_lazy
from annotation.units.double import service as double_service
from annotation.units.management.finding import NAME, find_double, find_side


class Command(ServiceCommand):
    help = gettext_lazy(
        "Mark an author as done. When both are, their sets are frozen and compared."
    )

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, help=PROJECT)
        parser.add_argument("--double", required=True, help=NAME)
        parser.add_argument("--author", required=True, help=_("e-mail of the author who is done"))
        parser.add_argument(
            "--undo", action="store_true", help=_("let the author continue writing")
        )
        parser.add_argument(
            "--by", default="", help=_("e-mail of the acting member; default: the author")
        )

    def run(self, options: dict[str, Any]) -> tuple[str, Any]:
        project = find_project(options["project"])
        double = find_double(project, options["double"])
        author = find_side(double, options["author"])
        double = double_service.mark_done(
            double=double,
            user=find_member(project, options["by"] or options["author"], Role.ANNOTATOR),
            author=author,
            done=not options["undo"],
        )
        is_over = double.revealed_at is not None
        state = (
            _("Both are done; compare_double shows their agreement.") if is_over else _("Saved.")
        )
        return f"{double}: {state}", {"double": double.pk, "revealed": is_over}
