"""`manage.py collect_campaign CAMPAIGN [--json]`: fetch answers now."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.utils.translation import gettext as _

from annotation.corpora.management.base import GizaCommand
from annotation.crowd.campaigns import collecting
from annotation.crowd.management.finding import find_campaign
from annotation.translation import gettext_lazy


class Command(GizaCommand):
    help = gettext_lazy("Collect submitted work now instead of in the next round.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help=_("number or token of the campaign"))
        parser.add_argument("--json", action="store_true", help=_("print the result as JSON"))

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = find_campaign(options["campaign"])
        found = collecting.collect_campaign(campaign=campaign)
        words = _("{campaign}: {new:,} new, {decided:,} decided elsewhere, ").format(
            campaign=campaign, new=found.new, decided=found.decided
        )
        words += _("{problems:,} that couldn't be read in full.").format(problems=found.problems)
        self.stdout.write(json.dumps(asdict(found)) if options["json"] else words)
