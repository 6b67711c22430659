"""What a step of a campaign costs before anybody takes it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from decimal import Decimal

from annotation.crowd.models import Assignment, Campaign
from annotation.crowd.providers import get_provider
from annotation.crowd.selectors.sums import recall_wages
from annotation.crowd.services.bulk import list_top_ups
from annotation.crowd.services.planning import Price, price_extension

__all__ = ["Price", "price_bonus", "price_decision", "price_extension", "price_top_ups"]


def price_top_ups(campaign: Campaign, workers: Collection[int] | None = None) -> Price:
    awards = list_top_ups(campaign, workers, wages=recall_wages(campaign))
    provider = get_provider(campaign)
    amount = sum((award.amount for award in awards), Decimal(0))
    fees = sum((provider.bonus_fee(award.amount) for award in awards), Decimal(0))
    return Price(len(awards), amount, fees)


def price_bonus(campaign: Campaign, amount: Decimal, number: int) -> Price:
    fee = get_provider(campaign).bonus_fee(amount)
    return Price(number, amount * number, fee * number)


def price_decision(campaign: Campaign, rows: Sequence[Assignment]) -> Price:
    """What approving these pays; fees are the provider's."""
    provider = get_provider(campaign)
    amount = sum((row.hit.reward for row in rows), Decimal(0))
    fees = sum((provider.fee(row.hit.reward, row.hit.wanted) for row in rows), Decimal(0))
    return Price(len(rows), amount, fees)
