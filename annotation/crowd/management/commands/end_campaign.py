"""`manage.py end_campaign CAMPAIGN`: close every HIT for good."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from annotation.corpora.management.base import GizaCommand
from annotation.corpora.models import JobState
from annotation.corpora.services.jobs import finish_job
from annotation.crowd import services
from annotation.crowd.management.finding import find_campaign


class Command(GizaCommand):
    help = "End a campaign and close all its HITs. Submitted work can still be decided."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="number or token of the campaign")

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = find_campaign(options["campaign"])
        job = services.end_campaign(campaign=campaign, user=None)
        finish_job(job=job)
        if job.state != JobState.DONE:
            raise CommandError(f"{campaign} couldn't be ended: {job.error}")
        self.stdout.write(f"{campaign} has ended.")
