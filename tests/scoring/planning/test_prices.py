"""What people's work costs."""

from __future__ import annotations

from decimal import Decimal

import pytest

from scoring.planning.plans import Budget, StudySize, find_plans
from scoring.planning.prices import Prices, price_hits
from scoring.planning.priors import load_prior
from scoring.planning.quote import quote_plan, quote_systems


@pytest.mark.parametrize(
    "reward, judges, fee",
    [
        ("0.15", 4, "0.03"),
        ("0.15", 9, "0.03"),
        ("0.15", 10, "0.06"),  # two fifths from ten on
        ("0.02", 4, "0.01"),  # at least a cent
        ("0", 4, "0"),  # who pays nothing is charged nothing
    ],
)
def test_it_knows_the_markets_fee(reward, judges, fee):
    assert Prices(reward=Decimal(reward)).fee(judges) == Decimal(fee)


@pytest.mark.parametrize("units, hits", [(0, 0), (1, 1), (16, 1), (17, 2), (33, 3)])
def test_it_splits_a_summarys_units(units, hits):
    assert Prices().hits(units) == hits


@pytest.mark.parametrize(
    "wrong", [{"reward": Decimal(-1)}, {"reward": 0.15}, {"units_per_hit": 0}, {"many": 0}]
)
def test_it_refuses_prices_that_are_none(wrong):
    with pytest.raises(ValueError, match="decimal numbers|at least 1 unit"):
        Prices(**wrong)


def test_it_prices_the_collection_of_pyrxsum():
    """100 × 10 summaries, 4 answers, 15 cents: 600 dollars before fees, as the paper paid."""
    found = price_hits(Prices(), 1000, 1000, 4)
    assert (found.assignments, found.rewards, found.fees) == (4000, Decimal(600), Decimal(120))
    assert found.total == Decimal(720)


def test_it_quotes_a_system_that_comes_later():
    """Units of 3, 20 and 0: one HIT, two HITs, none."""
    found = quote_systems([3, 20, 0], judges=3)
    assert (found.summaries, found.hits, found.assignments) == (2, 3, 9)
    assert (found.rewards, found.fees, found.hours) == (Decimal("1.35"), Decimal("0.27"), 0.0)
    assert Decimal(found.to_json()["total"]) == Decimal("1.62")
    twice = quote_systems([3, 20, 0], systems=2, judges=3)
    assert (twice.hits, twice.total) == (6, 2 * found.total)


@pytest.mark.parametrize("wrong", [{"systems": 0}, {"judges": 0}, {"units": [-1]}])
def test_it_refuses_a_quote_of_nothing(wrong):
    units = wrong.pop("units", [1])
    with pytest.raises(ValueError, match="at least 1|0 or more"):
        quote_systems(units, **wrong)


def test_a_system_more_costs_its_share_of_a_plan():
    """What a plan for 5 systems costs is 5 times what each does: units are there already."""
    found = find_plans(StudySize(20, 5), load_prior(), budget=Budget(Decimal(200), 20), rounds=10)
    plan = max(found.plans, key=lambda plan: plan.money)
    assert plan.hits > 0
    quote = quote_plan(plan, systems=5)
    assert quote.total * 5 == plan.money
    assert quote.hours == 0
    with pytest.raises(ValueError, match="at least 1 system"):
        quote_plan(plan, systems=5, more=0)
