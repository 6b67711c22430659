"""`manage.py record_preview CAMPAIGN --seconds N --statements N`: a timed try of one HIT."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.utils.translation import gettext as _

from annotation.corpora.management.base import GizaCommand
from annotation.crowd.campaigns import planning
from annotation.crowd.campaigns import service as campaigns_service
from annotation.crowd.management.finding import find_campaign
from annotation.translation import gettext_lazy


class Command(GizaCommand):
    help = gettext_lazy("Record how long a HIT took and print the expected hourly wage.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help=_("number or token of the campaign"))
        parser.add_argument("--seconds", type=float, required=True, help=_("seconds that it took"))
        parser.add_argument(
            "--statements", type=int, required=True, help=_("statements in the HIT")
        )

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = find_campaign(options["campaign"])
        seconds, statements = options["seconds"], options["statements"]
        campaigns_service.record_preview(
            campaign=campaign, user=None, seconds=seconds, statements=statements
        )
        campaign.refresh_from_db()
        wage = planning.expected_wage(campaign, planning.estimate_cost(campaign))
        known = (
            _("${wage:,.2f} per hour").format(wage=wage)
            if wage is not None
            else _("no expected wage yet")
        )
        self.stdout.write(
            _("{campaign}: {seconds:.1f} s per statement, {known}.").format(
                campaign=campaign, seconds=seconds / statements, known=known
            )
        )
