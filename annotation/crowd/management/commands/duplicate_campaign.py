"""`manage.py duplicate_campaign CAMPAIGN [--name TEXT]`: a draft with the same settings."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from annotation.corpora.management.base import ServiceCommand
from annotation.crowd import services
from annotation.crowd.management.finding import find_campaign


class Command(ServiceCommand):
    help = "Create a draft campaign with the settings of another one."

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="number or token of the campaign")
        parser.add_argument(
            "--name", default="", help="name of the draft; default: the old name and (copy)"
        )

    def run(self, options: dict[str, Any]) -> tuple[str, Any]:
        campaign = find_campaign(options["campaign"])
        made = services.duplicate_campaign(campaign=campaign, user=None, name=options["name"])
        return f"Campaign {made.pk}: {made}", {"campaign": made.pk, "name": made.name}
