"""What it costs to add systems to a study whose units are there: nothing is written again."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.errors import InputError
from scoring.planning.plans import Plan
from scoring.planning.prices import Prices, Quote, price_hits
from scoring.translation import gettext as _


def quote_systems(
    units: Sequence[int], *, systems: int = 1, judges: int = 4, prices: Prices | None = None
) -> Quote:
    """Exact, from the number of units of each example that people judge.

    Every summary of a new system takes as many HITs as its example's units need. An example
    without units needs none.
    """
    if systems < 1:
        raise InputError(_("A quote needs at least 1 system."))
    if any(number < 0 for number in units):
        raise InputError(_("The number of units must be 0 or more."))
    prices = prices or Prices()
    hits = sum(prices.hits(number) for number in units)
    judged = sum(number > 0 for number in units)
    return price_hits(prices, judged * systems, hits * systems, judges)


def quote_plan(plan: Plan, *, systems: int, more: int = 1, prices: Prices | None = None) -> Quote:
    """What *more* systems cost under a plan that was made for so many, by its mean of units."""
    if systems < 1 or more < 1:
        raise InputError(_("A quote needs at least 1 system."))
    hits = plan.hits // systems * more
    return price_hits(prices or Prices(), plan.people * more, hits, max(plan.judges, 1))
