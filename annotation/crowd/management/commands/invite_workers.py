"""`manage.py invite_workers --project SLUG --uses N`: a link by which workers join."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.corpora.management.base import GizaCommand, find_member, find_project
from annotation.corpora.projects.models import Role
from annotation.crowd.market.workers import invite_workers
from annotation.crowd.work.forms import WorkerInvitationForm
from annotation.translation import gettext_lazy


class Command(GizaCommand):
    help = gettext_lazy("Create a link for workers to join the marketplace. They see only HITs.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, help="slug")
        parser.add_argument("--uses", type=int, default=1, help=_("how many workers can join"))
        parser.add_argument("--days", type=int, default=14, help=_("days that the link is open"))
        parser.add_argument("--note", default="", help=_("note on whom the link is for"))
        parser.add_argument(
            "--by", default="", help=_("e-mail of an owner; default: the only owner")
        )
        parser.add_argument("--json", action="store_true", help=_("print the result as JSON"))

    def handle(self, *args: Any, **options: Any) -> None:
        project = find_project(options["project"])
        form = WorkerInvitationForm({name: options[name] for name in ("uses", "days", "note")})
        if not form.is_valid():
            name, problems = next(iter(form.errors.items()))
            raise CommandError(f"--{name}: {problems[0]}")
        user = find_member(project, options["by"], Role.OWNER)
        made = invite_workers(user=user, project=project, **form.cleaned_data)
        path = reverse("crowd:work_join_invited", args=[made.token])
        link = f"{settings.PUBLIC_URL.rstrip('/')}{path}"
        result = {"id": made.pk, "uses": made.uses_left, "link": link}
        self.stdout.write(json.dumps(result) if options["json"] else link)
