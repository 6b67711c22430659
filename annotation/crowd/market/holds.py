"""Money held for places of a HIT: more when places are added, less when nobody can take them."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import F

from annotation import clock
from annotation.crowd.market import money
from annotation.crowd.market.patience import patient
from annotation.crowd.models import MarketHit

SWEEP_SIZE = 200


def open_places(hit: MarketHit) -> int:
    """Places for which money must be there: taken and not decided, or free to be taken."""
    return hit.available + hit.pending + hit.submitted


def lock(hit: MarketHit) -> MarketHit:
    """The HIT as it is now, ours until the transaction ends."""
    rows = MarketHit.objects.select_related("hit_type").select_for_update(of=("self",))
    found: MarketHit = rows.get(pk=hit.pk)
    return found


def hold_places(hit: MarketHit, wanted: int) -> None:
    """Hold money for `wanted` places in all; the HIT must be locked."""
    missing = wanted - hit.held_places
    if missing <= 0:
        return
    MarketHit.objects.filter(pk=hit.pk).update(held_places=wanted)
    money.hold(hit.requester_id, missing * hit.place_cost)


def release_unused(hit: MarketHit, now: datetime) -> None:
    """Give back what is held for places that can't be taken any more; the HIT must be locked."""
    if hit.expires_at > now and not hit.is_deleted:
        return
    needed = hit.pending + hit.submitted
    if hit.held_places > needed:
        MarketHit.objects.filter(pk=hit.pk).update(held_places=needed)
        money.release(hit.requester_id, (hit.held_places - needed) * hit.place_cost)


def release_expired(now: datetime) -> None:
    """The sweep: HITs that ran out and hold more than is out."""
    # The first condition is that of the index, so that only such HITs are looked at.
    held = MarketHit.objects.filter(held_places__gt=0, expires_at__lte=now)
    idle = held.filter(held_places__gt=F("pending") + F("submitted"))
    for hit in idle.order_by("expires_at")[:SWEEP_SIZE]:
        _release(hit)


@patient
@transaction.atomic
def _release(hit: MarketHit) -> None:
    release_unused(lock(hit), clock.now())
