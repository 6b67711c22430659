"""What the clock does in the marketplace. Every worker runs it; each step is safe to run twice."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.core.cache import cache
from django.db import transaction

from annotation import clock
from annotation.corpora.jobs.kinds import DELIVERIES, SWEEPS
from annotation.crowd.market import money
from annotation.crowd.market.decisions import approve_overdue
from annotation.crowd.market.deliveries import announce_by_clock, deliver_due, drop_old_events
from annotation.crowd.market.models_work import MarketHit
from annotation.crowd.market.operations.hits import dispose
from annotation.crowd.market.review_policies import apply_policies
from annotation.crowd.market.rows import patient
from annotation.crowd.market.validation import drop_stale_tokens
from annotation.crowd.market.work import abandon_overdue

DISPOSED_AFTER = timedelta(days=120)
HOUR = 3600
SWEEP_SIZE = 200


def sweep_market() -> None:
    now = clock.now()
    abandon_overdue(now)
    apply_policies(now)
    approve_overdue(now)
    money.release_expired(now)
    announce_by_clock(now)
    if cache.add("market:hourly", 1, HOUR):
        drop_stale_tokens()
        drop_old_events(now)
        dispose_old(now)


def dispose_old(now: datetime) -> None:
    """HITs that were ready for review four months ago, and of which nothing is left to decide."""
    old = MarketHit.objects.reviewable(now).filter(
        expires_at__lte=now - DISPOSED_AFTER, submitted=0
    )
    for hit in old.order_by("expires_at")[:SWEEP_SIZE]:
        _dispose(hit, now)


@patient
@transaction.atomic
def _dispose(hit: MarketHit, now: datetime) -> None:
    locked = money.lock(hit)
    if locked.status(now) in ("Reviewable", "Reviewing") and not locked.submitted:
        dispose(locked, now)


SWEEPS.append(sweep_market)
DELIVERIES.append(deliver_due)
