"""`manage.py export_results CAMPAIGN [--output FILE]`: every assignment with its answers."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from annotation.corpora.management.base import GizaCommand, write_lines
from annotation.crowd.campaigns.recollecting import export_results_csv
from annotation.crowd.management.finding import find_campaign
from annotation.translation import gettext_lazy


class Command(GizaCommand):
    help = gettext_lazy(
        "Export a campaign's assignments and answers as CSV with the columns of an MTurk batch."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help=_("number or token of the campaign"))
        parser.add_argument("--output", type=Path, help=_("output file; default: standard output"))

    def handle(self, *args: Any, **options: Any) -> None:
        lines = export_results_csv(find_campaign(options["campaign"]))
        write_lines(lines, options["output"], self.stdout)
