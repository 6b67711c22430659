"""`manage.py collect_campaign CAMPAIGN [--json]`: fetch answers now."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.crowd import services
from annotation.crowd.management.finding import find_campaign
from annotation.errors import DomainError


class Command(BaseCommand):
    help = "Fetch what workers submitted, rather than in the next round."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="its number or token")
        parser.add_argument("--json", action="store_true", help="tell it as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = find_campaign(options["campaign"])
        try:
            found = services.collect_campaign(campaign=campaign)
        except DomainError as error:
            raise CommandError(f"{error.message} {error.mend}") from None
        words = f"{campaign}: {found.new:,} new, {found.decided:,} decided elsewhere, "
        words += f"{found.problems:,} that could not be read in full."
        self.stdout.write(json.dumps(asdict(found)) if options["json"] else words)
