"""`manage.py duplicate_campaign CAMPAIGN [--name TEXT]`: a draft with the same settings."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.utils.translation import gettext as _

from annotation.corpora.management.base import ServiceCommand
from annotation.crowd.campaigns import service as campaigns_service
from annotation.crowd.management.finding import find_campaign
from annotation.translation import gettext_lazy


class Command(ServiceCommand):
    help = gettext_lazy("Create a draft campaign with the settings of another one.")

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help=_("number or token of the campaign"))
        parser.add_argument(
            "--name", default="", help=_("name of the draft; default: the old name and (copy)")
        )

    def run(self, options: dict[str, Any]) -> tuple[str, Any]:
        campaign = find_campaign(options["campaign"])
        made = campaigns_service.duplicate_campaign(
            campaign=campaign, user=None, name=options["name"]
        )
        return _("Campaign {pk}: {made}").format(pk=made.pk, made=made), {
            "campaign": made.pk,
            "name": made.name,
        }
