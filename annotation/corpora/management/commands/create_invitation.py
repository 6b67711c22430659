"""`manage.py create_invitation --project SLUG --role ROLE`: a link that lets one person in."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.corpora.management.base import GizaCommand, find_member, find_project
from annotation.corpora.projects import service as projects_service
from annotation.corpora.projects.models import Role
from annotation.translation import gettext_lazy


class Command(GizaCommand):
    help = gettext_lazy("Create an invitation link to a project. It works once.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, help="slug")
        parser.add_argument(
            "--role",
            choices=Role.values,
            default=Role.ANNOTATOR.value,
            help=_("role of the new member: viewer, annotator, editor or owner"),
        )
        parser.add_argument("--note", default="", help=_("who it is for (only owners see it)"))
        parser.add_argument(
            "--by", default="", help=_("e-mail address of an owner (default: the only one)")
        )
        parser.add_argument("--json", action="store_true", help=_("print the result as JSON"))

    def handle(self, *args: Any, **options: Any) -> None:
        project = find_project(options["project"])
        made = projects_service.create_invitation(
            project=project,
            user=find_member(project, options["by"], Role.OWNER),
            role=Role(options["role"]),
            note=options["note"],
        )
        path = reverse("corpora:invitation", args=[made.token])
        link = f"{settings.PUBLIC_URL.rstrip('/')}{path}"
        result = {"id": made.pk, "role": made.role, "link": link}
        self.stdout.write(json.dumps(result) if options["json"] else link)
