"""Whose turn it is to fetch a campaign's answers.

`next_collect_at` is when a campaign is due, and while somebody fetches, how long their turn lasts.
They keep moving it on; when they die, it comes due by itself.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.conf import settings
from django.db import Error as DatabaseFault
from django.db import close_old_connections, connection

from annotation import clock
from annotation.crowd.models import Campaign

logger = logging.getLogger(__name__)


def take_turn(campaign: Campaign) -> datetime | None:
    """Claim a campaign that is due; None if another was quicker."""
    turn = _end_of_turn()
    mine = Campaign.objects.filter(pk=campaign.pk, next_collect_at=campaign.next_collect_at)
    return turn if mine.update(next_collect_at=turn) else None


def has_turn(campaign_id: int, turn: datetime) -> bool:
    """Whether a message still stands: one that waited too long was overtaken by another."""
    return Campaign.objects.filter(pk=campaign_id, next_collect_at=turn).exists()


@contextmanager
def keeping_turn(campaign: Campaign, turn: datetime) -> Iterator[None]:
    """Move the end of the turn on for as long as the work takes; then say when it is due again."""
    over, held = threading.Event(), [turn]
    thread = threading.Thread(target=_keep, args=(campaign.pk, held, over), daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        later = clock.now() + timedelta(seconds=settings.COLLECT_SECONDS)
        _move(campaign.pk, held, later)


def _keep(campaign_id: int, held: list[datetime], over: threading.Event) -> None:
    while not over.wait(settings.JOB_LEASE_SECONDS / 3):
        try:
            _move(campaign_id, held, _end_of_turn())
        except DatabaseFault:
            logger.exception("could not extend the lease on campaign %s", campaign_id)
            close_old_connections()
    connection.close()


def _move(campaign_id: int, held: list[datetime], until: datetime) -> None:
    mine = Campaign.objects.filter(pk=campaign_id, next_collect_at=held[0])
    if mine.update(next_collect_at=until):
        held[0] = until


def _end_of_turn() -> datetime:
    return clock.now() + timedelta(seconds=settings.JOB_LEASE_SECONDS)
