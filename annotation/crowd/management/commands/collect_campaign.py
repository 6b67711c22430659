"""`manage.py collect_campaign CAMPAIGN [--json]`: fetch answers now."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from annotation.corpora.management.base import GizaCommand
from annotation.crowd import services
from annotation.crowd.management.finding import find_campaign


class Command(GizaCommand):
    help = "Fetch what workers submitted, rather than in the next round."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="its number or token")
        parser.add_argument("--json", action="store_true", help="tell it as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = find_campaign(options["campaign"])
        found = services.collect_campaign(campaign=campaign)
        words = f"{campaign}: {found.new:,} new, {found.decided:,} decided elsewhere, "
        words += f"{found.problems:,} that could not be read in full."
        self.stdout.write(json.dumps(asdict(found)) if options["json"] else words)
