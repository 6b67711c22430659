"""`manage.py recollect_places CAMPAIGN [--dropped] [--for DOLLARS]`: collect places again."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from annotation.corpora.management.base import ServiceCommand, run_here
from annotation.crowd.campaigns import recollecting
from annotation.crowd.management.finding import find_campaign, read_dollars
from annotation.translation import gettext_lazy
from annotation.wording import counted


class Command(ServiceCommand):
    help = gettext_lazy(
        "Collect one more assignment for each that was rejected or excluded from labels."
    )

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help=_("number or token of the campaign"))
        parser.add_argument(
            "--dropped", action="store_true", help=_("include assignments excluded from labels")
        )
        parser.add_argument(
            "--no-rejected", action="store_true", help=_("don't include rejected assignments")
        )
        parser.add_argument(
            "--for",
            dest="total",
            type=read_dollars,
            help=_("the total in dollars, with fees; without it, the total is only shown"),
        )

    def run(self, options: dict[str, Any]) -> tuple[str, Any]:
        campaign, total = find_campaign(options["campaign"]), options["total"]
        which = {"rejected": not options["no_rejected"], "dropped": options["dropped"]}
        price = recollecting.price_recollection(campaign, **which)
        if total is not None and total < price.total:
            raise CommandError(
                _("It costs ${total:,.2f}. Nothing was spent.").format(total=price.total)
            )
        if total is not None:
            job = recollecting.recollect_places(
                campaign=campaign, user=None, at_most=total, **which
            )
            run_here(
                job, _("Some assignments of {campaign} weren't requested").format(campaign=campaign)
            )
        done = _("requested.") if total is not None else _("not requested. Nothing was spent.")
        words = _("{assignments} for ${total:,.2f}, {done}").format(
            assignments=counted(price.number, "assignment", "assignments"),
            total=price.total,
            done=done,
        )
        result = {"places": price.number, "total": f"{price.total:.4f}", "done": total is not None}
        return words, result
