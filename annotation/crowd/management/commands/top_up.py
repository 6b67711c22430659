"""`manage.py top_up CAMPAIGN [--for DOLLARS]`: bring every worker to the wage floor."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from annotation.corpora.management.base import GizaCommand
from annotation.crowd.campaigns.live import price_top_ups
from annotation.crowd.management.finding import find_campaign, read_dollars
from annotation.crowd.review import bulk
from annotation.translation import gettext_lazy
from annotation.wording import counted


class Command(GizaCommand):
    help = gettext_lazy(
        "Bring workers below a campaign's wage floor up to it, with one bonus each."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help=_("number or token of the campaign"))
        parser.add_argument(
            "--for",
            dest="total",
            type=read_dollars,
            help=_("the bonuses in dollars, without fees; without it, the total is only shown"),
        )
        parser.add_argument("--json", action="store_true", help=_("print the result as JSON"))

    def handle(self, *args: Any, **options: Any) -> None:
        campaign, total = find_campaign(options["campaign"]), options["total"]
        price = price_top_ups(campaign)
        if total is not None and total != price.amount:
            raise CommandError(
                _("It costs ${amount:,.2f}, not ${total:,.2f}. Nothing was paid.").format(
                    amount=price.amount, total=total
                )
            )
        if total is not None:
            bulk.top_up(campaign=campaign, user=None)
        result = {
            "workers": price.number,
            "amount": f"{price.amount:.2f}",
            "fees": f"{price.fees:.4f}",
            "paid": total is not None,
        }
        words = _("{workers}, ${amount:,.2f} and ${fees:,.2f} ").format(
            workers=counted(price.number, "worker", "workers"), amount=price.amount, fees=price.fees
        )
        words += _("in fees, paid.") if total is not None else _("in fees. Nothing was paid.")
        self.stdout.write(json.dumps(result) if options["json"] else words)
