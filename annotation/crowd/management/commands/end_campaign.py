"""`manage.py end_campaign CAMPAIGN`: close every HIT for good."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from annotation.corpora.jobs.models import JobState
from annotation.corpora.jobs.service import finish_job
from annotation.corpora.management.base import GizaCommand
from annotation.crowd.campaigns import steps
from annotation.crowd.management.finding import find_campaign
from annotation.translation import gettext_lazy


class Command(GizaCommand):
    help = gettext_lazy(
        "End a campaign and close all its HITs. Submitted work can still be decided."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help=_("number or token of the campaign"))

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = find_campaign(options["campaign"])
        job = steps.end_campaign(campaign=campaign, user=None)
        finish_job(job=job)
        if job.state != JobState.DONE:
            raise CommandError(
                _("{campaign} couldn't be ended: {error}").format(
                    campaign=campaign, error=job.error
                )
            )
        self.stdout.write(_("{campaign} has ended.").format(campaign=campaign))
