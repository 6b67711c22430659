"""What a step of a campaign costs before anybody takes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Count

from annotation.crowd.models import Assignment, Campaign
from annotation.crowd.providers import get_provider
from annotation.crowd.services.bulk import list_top_ups
from annotation.crowd.services.planning import estimate_cost, list_scope


@dataclass(frozen=True, slots=True)
class Price:
    """What a step costs: what workers get, what the provider takes, and both."""

    number: int
    amount: Decimal
    fees: Decimal

    @property
    def total(self) -> Decimal:
        return self.amount + self.fees


def price_top_ups(campaign: Campaign) -> Price:
    awards = list_top_ups(campaign)
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


def price_extension(campaign: Campaign, additional: int, systems: Sequence[int]) -> Price:
    """More places of every HIT that is out, and HITs of summaries that come in."""
    provider, wanted = get_provider(campaign), campaign.assignments_per_hit + additional
    number, amount, fees = 0, Decimal(0), Decimal(0)
    rows = campaign.hits.order_by().values_list("reward", "wanted").annotate(Count("pk"))
    for reward, has, count in rows:
        more = max(wanted - has, 0)
        before = provider.fee(reward, has) * has
        number += more * count
        amount += reward * more * count
        fees += max(provider.fee(reward, wanted) * wanted - before, Decimal(0)) * count
    wider = Campaign.objects.select_related("project", "unit_set").get(pk=campaign.pk)
    wider.assignments_per_hit, wider.bonus_reserve = wanted, Decimal(0)
    if campaign.scope.get("systems"):
        wider.scope = {**campaign.scope, "systems": [*campaign.scope["systems"], *systems]}
    planned = campaign.hits.order_by().values("summary")
    new = estimate_cost(wider, list_scope(wider).exclude(pk__in=planned))
    return Price(number + new.assignments, amount + new.rewards, fees + new.fees)
