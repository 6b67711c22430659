"""`manage.py recollect_places CAMPAIGN [--dropped] [--for DOLLARS]`: collect places again."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from annotation.corpora.management.base import ServiceCommand, run_here
from annotation.crowd import services
from annotation.crowd.management.amounts import read_dollars
from annotation.crowd.management.finding import find_campaign
from annotation.wording import counted


class Command(ServiceCommand):
    help = "Collect one more assignment for each that was rejected, or left out of labels."

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="its number or token")
        parser.add_argument("--dropped", action="store_true", help="also what labels left out")
        parser.add_argument("--no-rejected", action="store_true", help="not what was rejected")
        parser.add_argument(
            "--for",
            dest="total",
            type=read_dollars,
            help="the total in dollars, with fees; left out, it is shown and nothing is spent",
        )

    def run(self, options: dict[str, Any]) -> tuple[str, Any]:
        campaign, total = find_campaign(options["campaign"]), options["total"]
        which = {"rejected": not options["no_rejected"], "dropped": options["dropped"]}
        price = services.price_recollection(campaign, **which)
        if total is not None and total < price.total:
            raise CommandError(f"It costs ${price.total:,.2f}. Nothing was done.")
        if total is not None:
            job = services.recollect_places(campaign=campaign, user=None, at_most=total, **which)
            run_here(job, f"{campaign} did not get all of its places")
        done = "collected." if total is not None else "not collected. Nothing was spent."
        words = f"{counted(price.number, 'place')} for ${price.total:,.2f}, {done}"
        result = {"places": price.number, "total": f"{price.total:.4f}", "done": total is not None}
        return words, result
