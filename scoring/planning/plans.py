"""Plans for a budget: what each costs, what it is likely to give, and which are worth a thought.

A plan says what share of sentences gets STUs in place of SCUs, how many examples are scored, how
many of them people judge and how many judges each HIT has; all other (unit, summary) pairs go to
the judge. Plans within the budget are simulated (`scoring.planning.simulation`). One is dropped if
another costs no more money and no more hours and gives no less, within what simulation can tell.

All designs are simulated with the same random numbers, so that two of them can be compared study by
study: a plan is better than another if it is so in 95 of 100 simulated studies (the interval of the
difference lies on one side of 0).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.errors import InputError
from scoring.planning.components import Prior
from scoring.planning.mix import count_share
from scoring.planning.prices import MINUTES_PER_SCU, Prices, Quote, price_hits
from scoring.planning.simulation import ROUNDS, Design, Figure, Outcome, Simulator, spread
from scoring.translation import gettext as _

Floats = NDArray[np.float64]

PERCENTAGES = (0.0, 25.0, 50.0, 75.0, 100.0)
EXAMPLE_SHARES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)
PEOPLE_SHARES = (0.0, 0.1, 0.25, 0.5, 0.75, 1.0)
JUDGES = (1, 2, 3, 4)
DIFFERENCE, POWER = 0.05, 0.8
# Differences below these are the simulation's.
TELLS = {"correlation": 0.002, "width": 0.001, "power": 0.01}
PEOPLE, JUDGE, PLAIN, CORRECTED = "people", "judge", "plain", "corrected"


@dataclass(frozen=True, slots=True)
class Budget:
    """What may be spent at most; None is no limit."""

    money: Decimal | None = None
    hours: float | None = None

    def __post_init__(self) -> None:
        if self.money is not None and not isinstance(self.money, Decimal):
            raise InputError(_("Money must be a decimal number."))
        if any(limit is not None and not limit >= 0 for limit in (self.money, self.hours)):
            raise InputError(_("The budget must be 0 or more."))

    def covers(self, money: Decimal, hours: float) -> bool:
        enough_hours = self.hours is None or hours <= self.hours + 1e-9
        return enough_hours and (self.money is None or money <= self.money)


@dataclass(frozen=True, slots=True)
class Goal:
    """The width of a system score's interval, or a difference to tell with a power; one or none."""

    width: float | None = None
    difference: float | None = None
    power: float = POWER

    def __post_init__(self) -> None:
        if self.width is not None and self.difference is not None:
            raise InputError(_("Choose a width or a difference as the goal, not both."))
        if any(value is not None and not 0 < value < 1 for value in (self.width, self.difference)):
            raise InputError(_("Widths and differences must be between 0 and 1, like scores."))
        if not 0 < self.power < 1:
            raise InputError(_("The power must be between 0 and 1."))

    @property
    def figure(self) -> str:
        """Which of a plan's figures decides."""
        if self.width is not None:
            return "width"
        return "power" if self.difference is not None else "correlation"

    def is_met(self, outcome: Outcome) -> bool | None:
        if self.width is not None:
            return outcome.width.value <= self.width
        return outcome.power.value >= self.power if self.difference is not None else None


@dataclass(frozen=True, slots=True)
class StudySize:
    """What there is to score. Sentences of a reference and SCUs of a sentence are means.

    Where they are not given, they are those of the study that the simulation learned from.
    `existing` is the share of sentences that have their SCUs already: these cost no hours.
    """

    examples: int
    systems: int
    sentences: float | None = None
    scus_per_sentence: float | None = None
    minutes_per_scu: float = MINUTES_PER_SCU
    existing: float = 0.0

    def __post_init__(self) -> None:
        if not 0 <= self.existing <= 1:
            raise InputError(_("The share of sentences with SCUs must be between 0 and 1."))
        if self.examples < 1 or self.systems < 2:
            raise InputError(_("A plan needs at least 1 example and 2 systems."))
        given = (self.sentences, self.scus_per_sentence)
        if any(value is not None and not value > 0 for value in given):
            raise InputError(_("The numbers of sentences and SCUs must be more than 0."))
        if not self.minutes_per_scu >= 0:
            raise InputError(_("Minutes of writing must be 0 or more."))


@dataclass(frozen=True, slots=True)
class Plan:
    """`people` of `examples` are judged by people; `people_share` is that share of all pairs.

    `combination` says how people's scores and the judge's are joined: `people` or `judge` alone,
    `plain` or `corrected` (see `scoring.planning.simulation`). `written` is the number of
    sentences with SCUs, the hardest by `order`; `existing` of them have theirs already.

    `adds` is what the plan gives beyond the best one that costs the least money, by figure: the
    difference and its interval of 95 % over simulated studies.
    """

    key: str
    percentage: float
    examples: int
    people: int
    people_share: float
    judges: int
    combination: str
    order: str
    written: int
    hits: int
    assignments: int
    rewards: Decimal
    fees: Decimal
    money: Decimal
    hours: float
    correlation: float
    correlation_low: float
    correlation_high: float
    width: float
    width_low: float
    width_high: float
    power: float
    power_low: float
    power_high: float
    difference: float
    meets_goal: bool | None = None
    existing: int = 0
    adds: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Money as text, so that no digit is lost."""
        found = asdict(self)
        return found | {name: str(found[name]) for name in ("rewards", "fees", "money")}

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> Plan:
        values = {row.name: found[row.name] for row in fields(cls) if row.name in found}
        money = {name: Decimal(found[name]) for name in ("rewards", "fees", "money")}
        return cls(**(values | money))


@dataclass(frozen=True, slots=True)
class Frontier:
    """Plans by money, then hours. `best` is the key of the one to take, if the goal is all.

    That is the cheapest plan that meets the goal. Where none does, or without a goal, it is the
    cheapest that is as good as `top` within noise. `top` has the best expected figure, `base` the
    best of those that cost the least money.
    """

    plans: tuple[Plan, ...]
    best: str
    considered: int
    affordable: int
    prior: str
    judge: str
    order: str
    seed: int
    rounds: int
    budget: Budget = field(default_factory=Budget)
    goal: Goal = field(default_factory=Goal)
    top: str = ""
    base: str = ""

    def plan(self, key: str) -> Plan:
        for found in self.plans:
            if found.key == key:
                return found
        raise InputError(
            _("There is no plan '{key}'. Known: {p}.").format(
                key=key, p=", ".join(p.key for p in self.plans)
            )
        )

    def to_json(self) -> dict[str, Any]:
        money = None if self.budget.money is None else str(self.budget.money)
        return asdict(self) | {
            "plans": [plan.to_json() for plan in self.plans],
            "budget": {"money": money, "hours": self.budget.hours},
        }


def find_plans(
    size: StudySize,
    prior: Prior,
    *,
    budget: Budget | None = None,
    goal: Goal | None = None,
    prices: Prices | None = None,
    percentages: Sequence[float] = PERCENTAGES,
    judges: Sequence[int] = JUDGES,
    rounds: int = ROUNDS,
    seed: int = 0,
) -> Frontier:
    """The frontier of plans within the budget; the same for the same seed."""
    budget, goal = budget or Budget(), goal or Goal()
    desk = _Desk(size, prior, prices or Prices(), goal, rounds, seed)
    designs = list(list_designs(size.examples, percentages, judges))
    priced = [(design, *desk.price(design)) for design in designs]
    affordable = [row for row in priced if budget.covers(row[1].total, row[1].hours)]
    plans = {plan.key: (plan, row[0]) for row in affordable for plan in [desk.plan(*row)]}
    found = [plan for plan, __ in plans.values()]
    kept = sorted(keep_best(found, goal), key=lambda plan: (plan.money, plan.hours, plan.key))
    drawn = {key: desk.simulator.draw(plans[key][1])[goal.figure] for key in (p.key for p in kept)}
    base = find_top([plan for plan in kept if plan.money == kept[0].money], goal)
    adds = {
        plan.key: desk.simulator.compare(plans[plan.key][1], plans[base.key][1]) for plan in kept
    }
    return Frontier(
        tuple(replace(plan, adds=_adds(adds[plan.key])) for plan in kept),
        pick_plan(kept, goal, drawn).key,
        len(designs),
        len(affordable),
        prior.name,
        prior.judge,
        prior.order,
        seed,
        rounds,
        budget,
        goal,
        find_top(kept, goal).key,
        base.key,
    )


def _adds(found: Mapping[str, Figure]) -> dict[str, tuple[float, float, float]]:
    return {name: (each.value, each.low, each.high) for name, each in found.items()}


def list_designs(
    examples: int, percentages: Sequence[float], judges: Sequence[int]
) -> Iterator[Design]:
    """Every combination, each once."""
    sizes = sorted({max(1, round(share * examples)) for share in EXAMPLE_SHARES})
    for percentage in percentages:
        for size in sizes:
            for people in sorted({round(share * size) for share in PEOPLE_SHARES}):
                for number in judges if people else (0,):
                    yield Design(percentage, size, people, number)
                    if 0 < people < size:
                        yield Design(percentage, size, people, number, is_corrected=False)


def keep_best(plans: Sequence[Plan], goal: Goal) -> list[Plan]:
    """Those that no other plan beats: no dearer in money or hours, and no worse."""
    wanted = {"correlation", goal.figure} if goal.figure != "correlation" else {*TELLS} - {"power"}
    names = sorted(wanted)
    signs = np.array([-1.0 if name == "width" else 1.0 for name in names])
    gives = np.array([[getattr(plan, name) for name in names] for plan in plans]) * signs
    margins = np.array([TELLS[name] for name in names])
    # Cheapest first, then best: what is kept is never beaten by what comes later.
    ranked = sorted(
        range(len(plans)),
        key=lambda i: (plans[i].money, plans[i].hours, *(-gives[i]), plans[i].key),
    )
    kept: list[int] = []
    for place in ranked:
        if not any(
            plans[i].hours <= plans[place].hours and (gives[i] >= gives[place] - margins).all()
            for i in kept
        ):
            kept.append(place)
    return [plans[i] for i in kept]


def pick_plan(plans: Sequence[Plan], goal: Goal, drawn: Mapping[str, Floats]) -> Plan:
    """The one that `Frontier.best` names; *drawn* is the goal's figure in every simulated study."""
    if met := [plan for plan in plans if plan.meets_goal]:
        return min(met, key=lambda plan: (plan.money, plan.hours, plan.key))
    top, sign = find_top(plans, goal), _sign(goal)
    near = [plan for plan in plans if not is_better(sign * drawn[top.key], sign * drawn[plan.key])]
    return min(near, key=lambda plan: (plan.money, plan.hours, plan.key))


def find_top(plans: Sequence[Plan], goal: Goal) -> Plan:
    """The plan with the best expected figure; of equals the cheapest."""

    def rank(plan: Plan) -> tuple[float, Decimal, float, str]:
        gives = _sign(goal) * getattr(plan, goal.figure)
        return np.inf if np.isnan(gives) else -gives, plan.money, plan.hours, plan.key

    return min(plans, key=rank)


def is_better(first: Floats, second: Floats) -> bool:
    """Whether the first is higher in 95 of 100 simulated studies, as intervals show it."""
    return spread(first - second).low > 0


def _sign(goal: Goal) -> int:
    return -1 if goal.figure == "width" else 1


class _Desk:
    """Prices and simulates designs of one study."""

    def __init__(
        self, size: StudySize, prior: Prior, prices: Prices, goal: Goal, rounds: int, seed: int
    ) -> None:
        best = prior.best
        self.size, self.prices, self.goal, self.order = size, prices, goal, prior.order
        self.sentences = size.sentences or best.sentences
        per_sentence = size.scus_per_sentence or best.scus[0] / best.sentences
        sets = [each.scaled(self.sentences * per_sentence) for each in (best, *prior.replicates)]
        self.units_at = sets[0].units_at
        self.simulator = Simulator(
            sets,
            examples=size.examples,
            systems=size.systems,
            difference=goal.difference or DIFFERENCE,
            rounds=rounds,
            seed=seed,
        )

    def price(self, design: Design) -> tuple[Quote, int, int]:
        """What it costs, how many sentences have SCUs, and how many of these have them already.

        HITs are counted by the mean number of units.
        """
        scus, stus = self.units_at(design.percentage)
        total = round(self.sentences * design.examples)
        written = total - count_share(total, design.percentage)
        existing = min(written, round(self.size.existing * total))
        summaries = design.people * self.size.systems
        hits = summaries * self.prices.hits(max(1, int(np.ceil(scus + stus - 1e-9))))
        found = price_hits(self.prices, summaries, hits, max(design.judges, 1))
        hours = scus * design.examples * self.size.minutes_per_scu / 60
        hours *= 1 - existing / written if written else 1
        quote = Quote(summaries, hits, found.assignments, found.rewards, found.fees, hours)
        return quote, written, existing

    def plan(self, design: Design, quote: Quote, written: int, existing: int) -> Plan:
        outcome = self.simulator.run(design)
        combination = _combination(design)
        return Plan(
            key=_key(design, combination),
            percentage=design.percentage,
            examples=design.examples,
            people=design.people,
            people_share=design.people / design.examples,
            judges=design.judges,
            combination=combination,
            order=self.order,
            written=written,
            hits=quote.hits,
            assignments=quote.assignments,
            rewards=quote.rewards,
            fees=quote.fees,
            money=quote.total,
            hours=quote.hours,
            **_figures(outcome),
            difference=outcome.difference,
            meets_goal=self.goal.is_met(outcome),
            existing=existing,
        )


def _combination(design: Design) -> str:
    if design.people in (0, design.examples):
        return PEOPLE if design.people else JUDGE
    return CORRECTED if design.is_corrected else PLAIN


def _key(design: Design, combination: str) -> str:
    """Says what the plan is: 50 % STUs, 80 examples, 20 of them by people, 3 judges each."""
    parts = f"{design.percentage:g}-{design.examples}-{design.people}-{design.judges}"
    return f"{parts}-{combination}"


def _figures(outcome: Outcome) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in ("correlation", "width", "power"):
        figure = getattr(outcome, name)
        found |= {name: figure.value, f"{name}_low": figure.low, f"{name}_high": figure.high}
    return found
