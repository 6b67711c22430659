"""Celery's door to the fetching of answers."""

from __future__ import annotations

from datetime import datetime

from celery import shared_task

from annotation.corpora.activity.models import Door
from annotation.crowd.campaigns import collecting
from annotation.crowd.campaigns.models import Campaign
from annotation.doors import through


@shared_task(name="crowd.collect_campaign", ignore_result=True)
def collect_campaign(campaign_id: int, turn: str) -> None:
    campaign = Campaign.objects.filter(pk=campaign_id).select_related("project").first()
    if campaign is not None:
        with through(Door.JOB):
            collecting.collect_in_turn(campaign=campaign, turn=datetime.fromisoformat(turn))
