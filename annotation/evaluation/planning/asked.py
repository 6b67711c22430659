"""What judging costs by the fees of a crowd, and what a further system costs.

- What a plan for a budget is asked, and whether all of it makes sense together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from django.utils.translation import gettext as _

from annotation.corpora.corpus.models import Example
from annotation.corpora.imports.models import Import
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import Campaign, ProviderName
from annotation.crowd.campaigns.planning import count_judged_units, reward_of
from annotation.crowd.providers import get_provider
from annotation.errors import DomainError, Invalid
from annotation.evaluation.planning.queries import Measured
from scoring.errors import InputError
from scoring.planning.plans import POWER, Goal
from scoring.planning.prices import Prices, Quote
from scoring.planning.quote import quote_systems
from scoring.planning.simulation import ROUNDS

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


MOST_MONEY, MOST_HOURS = Decimal("99999999.99"), 100_000.0
MOST_MINUTES, MOST_REWARD = 600.0, Decimal(100)
MOST_UNITS, MOST_ROUNDS, MOST_SEED = 16, 1000, 2**32 - 1
MOST_SYSTEMS = 1000
USUAL = Prices()


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Limits, goal and prices; examples, systems and pace are the project's where none are said."""

    money: Decimal | None = None
    hours: float | None = None
    goal_width: float | None = None
    goal_difference: float | None = None
    power: float = POWER
    examples: int | None = None
    systems: int | None = None
    minutes_per_scu: float | None = None
    provider: str = ProviderName.MARKETPLACE
    reward: Decimal = USUAL.reward
    units_per_hit: int = USUAL.units_per_hit
    rounds: int = ROUNDS
    seed: int = 0


def check_asked(known: Measured, asked: Asked) -> dict[str, Any]:
    """As it is stored: money is text, so that no digit is lost."""
    if not known.examples or known.systems < 2 or not known.sentences:
        raise DomainError(
            _("A plan needs a corpus with references and at least 2 systems."),
            _("Import the corpus first."),
        )
    said = asdict(asked) | _fill_in(known, asked)
    _check_ranges(known, said)
    money = said["money"]
    said["money"] = None if money is None else _check_money("money", money, MOST_MONEY)
    said["reward"] = _check_money("reward", said["reward"], MOST_REWARD)
    if said["provider"] not in ProviderName.values:
        raise Invalid(
            _("provider: expected one of {values}.").format(values=", ".join(ProviderName.values))
        )
    read_goal(said)
    measured = {
        "sentences": known.sentences,
        "scus_per_sentence": known.scus_per_sentence,
        "is_timed": known.is_timed and said["minutes_per_scu"] == known.minutes_per_scu,
    }
    return said | measured


def _fill_in(known: Measured, asked: Asked) -> dict[str, Any]:
    """What is left out is as the project is."""
    examples, systems, minutes = asked.examples, asked.systems, asked.minutes_per_scu
    return {
        "examples": known.examples if examples is None else min(examples, known.examples),
        "systems": known.systems if systems is None else systems,
        "minutes_per_scu": known.minutes_per_scu if minutes is None else minutes,
    }


def _check_ranges(known: Measured, said: Mapping[str, Any]) -> None:
    for name, least, most in (
        ("hours", 0, MOST_HOURS),
        ("examples", 1, known.examples),
        ("systems", 2, MOST_SYSTEMS),
        ("minutes_per_scu", 0, MOST_MINUTES),
        ("units_per_hit", 1, MOST_UNITS),
        ("rounds", 2, MOST_ROUNDS),
        ("seed", 0, MOST_SEED),
    ):
        value = said[name]
        if value is not None and not least <= value <= most:
            raise Invalid(
                _("{name}: expected {least:,g} to {most:,g}, not {value:,g}.").format(
                    name=name, least=least, most=most, value=value
                )
            )


def _check_money(name: str, value: Any, most: Decimal) -> str:
    try:
        amount = Decimal(str(value))
    except InvalidOperation:
        raise Invalid(
            _("{name}: expected dollars such as 150, not {value!r}.").format(name=name, value=value)
        ) from None
    if not amount.is_finite() or not 0 <= amount <= most:
        raise Invalid(
            _("{name}: expected $0 to ${most:,}, not {value}.").format(
                name=name, most=most, value=value
            )
        )
    if amount != amount.quantize(Decimal("0.01")):
        raise Invalid(_("{name}: {value} is not whole cents.").format(name=name, value=value))
    return str(amount)


def read_goal(asked: Mapping[str, Any]) -> Goal:
    try:
        return Goal(asked["goal_width"], asked["goal_difference"], asked["power"])
    except InputError as error:
        raise Invalid(str(error)) from None
