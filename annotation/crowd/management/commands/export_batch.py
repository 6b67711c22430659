"""`manage.py export_batch CAMPAIGN [--output FILE]`: HITs as the input of an MTurk batch."""

from __future__ import annotations

import sys
import uuid
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from annotation.corpora.activity.service import record_export
from annotation.corpora.management.base import GizaCommand
from annotation.crowd.campaigns.models import Campaign
from annotation.crowd.offline.service import export_batch_csv
from annotation.translation import gettext_lazy


class Command(GizaCommand):
    help = gettext_lazy("Write a campaign's HITs as the input file of an MTurk batch.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help=_("number or token of the campaign"))
        parser.add_argument("--output", type=Path, help=_("output file; default: standard output"))

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = _get_campaign(options["campaign"])
        lines = (line.encode() for line in export_batch_csv(campaign))
        what = _("the batch of {campaign}").format(campaign=campaign.name)
        record_export(project=campaign.project, what=what, format="csv", target=campaign)
        if options["output"] is None:
            sys.stdout.buffer.writelines(lines)
            return
        with options["output"].open("wb") as out:
            out.writelines(lines)
        hits = campaign.hits.count()
        self.stdout.write(
            _("{campaign}: {hits:,} HITs in {output}.").format(
                campaign=campaign, hits=hits, output=options["output"]
            )
        )


def _get_campaign(name: str) -> Campaign:
    rows = Campaign.objects.filter(pk=int(name)) if name.isdecimal() else _by_token(name)
    found = rows.first()
    if found is None:
        raise CommandError(_("There is no campaign '{name}'.").format(name=name))
    return found


def _by_token(name: str) -> Any:
    try:
        return Campaign.objects.filter(token=uuid.UUID(name))
    except ValueError:
        raise CommandError(
            _("'{name}' is neither a campaign's number nor its token.").format(name=name)
        ) from None
