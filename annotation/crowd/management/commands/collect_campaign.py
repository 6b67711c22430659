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
    help = "Collect submitted work now instead of in the next round."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="number or token of the campaign")
        parser.add_argument("--json", action="store_true", help="print the result as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = find_campaign(options["campaign"])
        found = services.collect_campaign(campaign=campaign)
        words = f"{campaign}: {found.new:,} new, {found.decided:,} decided elsewhere, "
        words += f"{found.problems:,} that couldn't be read in full."
        self.stdout.write(json.dumps(asdict(found)) if options["json"] else words)
