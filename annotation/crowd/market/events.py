"""What happens to assignments, announced to requesters who subscribed to it."""

from __future__ import annotations

from annotation.crowd.market.notifications import announce
from annotation.crowd.models import MarketAssignment


def tell_assignment(assignment: MarketAssignment, event: str) -> None:
    """Belongs into the transaction that changed the assignment."""
    hit = assignment.hit
    announce(hit.hit_type, event, hit_id=hit.hit_id, assignment_id=assignment.assignment_id)
