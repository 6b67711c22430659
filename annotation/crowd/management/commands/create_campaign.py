"""`manage.py create_campaign --project SLUG --set NAME --name TEXT`: draft a campaign."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.utils.translation import gettext as _

from annotation.corpora.management.base import GizaCommand, find_project
from annotation.crowd.campaigns import service as campaigns_service
from annotation.crowd.campaigns.live import describe_cost
from annotation.crowd.campaigns.presets import PRESETS
from annotation.crowd.management.finding import add_settings, read_settings
from annotation.translation import gettext_lazy
from annotation.units.management.finding import find_set


class Command(GizaCommand):
    help = gettext_lazy("Create a draft campaign for a frozen unit set and print its cost.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, help="slug")
        parser.add_argument("--set", required=True, help=_("NAME[@version], frozen"))
        parser.add_argument("--name", required=True, help=_("name of the campaign"))
        parser.add_argument(
            "--preset", default="", choices=["", *PRESETS], help=_("preset settings")
        )
        add_settings(parser)
        parser.add_argument("--json", action="store_true", help=_("print the result as JSON"))

    def handle(self, *args: Any, **options: Any) -> None:
        project = find_project(options["project"])
        made = campaigns_service.create_campaign(
            project=project,
            user=None,
            unit_set=find_set(project, options["set"]),
            preset=options["preset"],
            **{"name": options["name"], **read_settings(project, options)},
        )
        cost = describe_cost(made)
        lines = [_("Campaign {pk}: {made}").format(pk=made.pk, made=made), *cost.lines]
        result = {"campaign": made.pk, **cost.values}
        self.stdout.write(json.dumps(result) if options["json"] else "\n".join(lines))
