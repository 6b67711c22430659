"""`manage.py update_campaign CAMPAIGN --option NAME=VALUE`: change a draft's settings."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.utils.translation import gettext as _

from annotation.corpora.management.base import GizaCommand
from annotation.crowd.campaigns import service as campaigns_service
from annotation.crowd.campaigns.live import describe_cost
from annotation.crowd.management.finding import add_settings, find_campaign, read_settings
from annotation.translation import gettext_lazy


class Command(GizaCommand):
    help = gettext_lazy(
        "Change a campaign's settings; after publishing, only those no worker has seen."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help=_("number or token of the campaign"))
        add_settings(parser)
        parser.add_argument("--json", action="store_true", help=_("print the result as JSON"))

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = find_campaign(options["campaign"])
        fields = read_settings(campaign.project, options)
        campaign = campaigns_service.update_campaign(campaign=campaign, user=None, **fields)
        cost = describe_cost(campaign)
        result = {"campaign": campaign.pk, **cost.values}
        self.stdout.write(json.dumps(result) if options["json"] else "\n".join(cost.lines))
