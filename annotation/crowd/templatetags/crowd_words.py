"""How pages about campaigns put money, states and times into words."""

from __future__ import annotations

from decimal import Decimal

from django import template

from annotation.crowd.campaigns.live import STATES
from annotation.crowd.campaigns.models import AssignmentState, Campaign, CampaignState, Intent
from annotation.crowd.review.queries import count_unread

register = template.Library()

CENT = Decimal("0.01")
_BADGES = {
    CampaignState.DRAFT: ("", "○"),
    CampaignState.PUBLISHING: ("badge--live", "◔"),
    CampaignState.LIVE: ("badge--live", "●"),
    CampaignState.PAUSED: ("badge--wait", "◫"),
    CampaignState.ENDED: ("badge--good", "■"),
    AssignmentState.SUBMITTED: ("badge--wait", "○"),
    AssignmentState.APPROVED: ("badge--good", "✓"),
    AssignmentState.REJECTED: ("badge--bad", "✕"),
}


@register.simple_tag
def unread_count(campaign: Campaign) -> int:
    return count_unread(campaign)


@register.filter
def dollars(amount: Decimal | None) -> str:
    """To the cent; finer only where an amount is finer."""
    if amount is None:
        return "–"
    value = Decimal(amount)
    is_fine = value != value.quantize(CENT)
    return f"${value:,.4f}" if is_fine else f"${value:,.2f}"


@register.filter
def plain_amount(amount: Decimal) -> str:
    """As a form sends it back, to be compared."""
    return f"{amount:.4f}"


@register.filter
def state_badge(state: str) -> str:
    return _BADGES.get(state, ("", ""))[0]  # type: ignore[call-overload]


@register.filter
def state_mark(state: str) -> str:
    return _BADGES.get(state, ("", ""))[1]  # type: ignore[call-overload]


@register.filter
def square_words(state: str) -> str:
    return STATES[state]


@register.filter
def percent_of(part: Decimal | float, whole: Decimal | float) -> int:
    """For the length of a bar, from 0 to 100."""
    return max(0, min(100, round(100 * float(part) / float(whole)))) if whole else 0


@register.filter
def outcome_of(entry: Intent) -> str:
    """done, void or open."""
    settlement = getattr(entry, "settlement", None)
    return settlement.outcome if settlement else "open"


@register.filter
def hourly(reward: Decimal, seconds: float | None) -> Decimal | None:
    """What this pays in an hour at this pace."""
    return (reward * 3600 / Decimal(seconds)).quantize(CENT) if seconds else None
