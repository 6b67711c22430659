"""What judging costs by the fees of a crowd, and what a further system costs."""

from __future__ import annotations

from decimal import Decimal

from annotation.corpora.models import Example, Import, Project
from annotation.crowd.models import Campaign, ProviderName
from annotation.crowd.providers import get_provider
from annotation.crowd.services.planning import count_judged_units, reward_of
from scoring.planning.prices import Prices, Quote
from scoring.planning.quote import quote_systems

NO_RATE = Decimal(0)


def get_prices(campaign: Campaign, reward: Decimal, judges: int) -> Prices:
    """The fee that the campaign's provider takes for one of so many assignments, as it is."""
    fee = get_provider(campaign).fee(reward, judges)
    return Prices(reward, NO_RATE, NO_RATE, least_fee=fee, units_per_hit=campaign.units_per_hit)


def get_draft_prices(
    project: Project, *, provider: str, reward: Decimal, units_per_hit: int
) -> Prices:
    """The same before there is a campaign; few judges pay the same fee each."""
    draft = Campaign(project=project, provider=ProviderName(provider), units_per_hit=units_per_hit)
    return get_prices(draft, reward, 1)


def quote_system(campaign: Campaign, *, systems: int = 1, kind: str = "") -> Quote:
    """What it costs to have as many further systems judged as the campaign's are; exact.

    A system is taken to have a summary of every example that the campaign is about.
    """
    sizes = count_judged_units(campaign)
    reward, judges = reward_of(campaign, kind), campaign.assignments_per_hit
    hidden = Import.objects.unfinished().filter(project=campaign.project_id)
    gone = set(Example.objects.filter(source__in=hidden.values("pk")).values_list("pk", flat=True))
    chosen = set(campaign.scope.get("examples") or sizes)
    units = [size for pk, size in sizes.items() if pk in chosen and pk not in gone]
    prices = get_prices(campaign, reward, judges)
    return quote_systems(units, systems=systems, judges=judges, prices=prices)
