"""`manage.py share_report REPORT --project SLUG [--undo]`: a link for readers."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.corpora.management.base import GizaCommand, find_project
from annotation.evaluation.reports import service as reports_service
from annotation.evaluation.reports.models import Report
from annotation.translation import gettext_lazy


class Command(GizaCommand):
    help = gettext_lazy("Create a link with which anyone can read a report without an account.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("report", type=int, help=_("its number"))
        parser.add_argument("--project", required=True, help="slug")
        parser.add_argument("--undo", action="store_true", help=_("revoke the link"))

    def handle(self, *args: Any, **options: Any) -> None:
        project = find_project(options["project"])
        found = Report.objects.filter(project=project, pk=options["report"]).first()
        if found is None:
            raise CommandError(
                _("{slug} has no report {report}.").format(
                    slug=project.slug, report=options["report"]
                )
            )
        shared = reports_service.share_report(report=found, user=None, shared=not options["undo"])
        if shared.share_token is None:
            self.stdout.write(_("{shared} is no longer shared.").format(shared=shared))
            return
        path = reverse("evaluation:shared_report", args=[shared.share_token])
        self.stdout.write(f"{settings.PUBLIC_URL.rstrip('/')}{path}")
