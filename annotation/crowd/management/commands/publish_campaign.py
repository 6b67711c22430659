"""`manage.py publish_campaign CAMPAIGN --for DOLLARS [--json]`: put every HIT out."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from decimal import Decimal
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from annotation.corpora.jobs.service import finish_job
from annotation.corpora.management.base import GizaCommand
from annotation.crowd.campaigns import planning, steps
from annotation.crowd.management.finding import find_campaign, read_dollars
from annotation.translation import gettext_lazy


class Command(GizaCommand):
    help = gettext_lazy("Publish a campaign. This spends money, so you must give the total.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help=_("number or token of the campaign"))
        parser.add_argument(
            "--for",
            dest="total",
            type=read_dollars,
            help=_("the total in dollars, to confirm it; without it, the total is only shown"),
        )
        parser.add_argument("--json", action="store_true", help=_("print the result as JSON"))

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = find_campaign(options["campaign"])
        cost = planning.estimate_cost(campaign)
        said: dict[str, Any] = {
            "campaign": campaign.pk,
            "hits": cost.hits,
            "assignments": cost.assignments,
            "total": f"{cost.total:.4f}",
            "warnings": steps.list_warnings(campaign),
        }
        if options["total"] is not None:
            self._publish(campaign, cost.total, options["total"])
            campaign.refresh_from_db()
        said["state"] = campaign.state
        words = _("{campaign}: {hits:,} HITs, ${total:,.2f}, {state}.").format(
            campaign=campaign, hits=cost.hits, total=cost.total, state=campaign.state
        )
        words = "\n".join([words, *said["warnings"]])
        self.stdout.write(json.dumps(said) if options["json"] else words)

    def _publish(self, campaign: Any, total: Decimal, agreed: Decimal) -> None:
        if total != agreed:
            raise CommandError(
                _("It costs ${total:,.2f}, not ${agreed:,.2f}. Nothing was published.").format(
                    total=total, agreed=agreed
                )
            )
        finish_job(job=steps.publish_campaign(campaign=campaign, user=None))
