"""`python -m scoring plan --money 150 --hours 6 …`: plans for a budget."""

from __future__ import annotations

import argparse
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from scoring.cli.priors import find_orders
from scoring.easiness.regressors import DEFAULT
from scoring.io.answers import load_answers
from scoring.planning.components import Prior, Votes, measure_prior
from scoring.planning.plans import JUDGES, POWER, Budget, Goal, StudySize, find_plans
from scoring.planning.prices import (
    FEE_RATE,
    FEE_RATE_OF_MANY,
    MINUTES_PER_SCU,
    REWARD,
    UNITS_PER_HIT,
    Prices,
)
from scoring.planning.priors import load_prior
from scoring.planning.quote import quote_plan
from scoring.planning.simulation import ROUNDS
from scoring.planning.study import FOLDS, HUMAN, read_study
from scoring.planning.votes import measure_votes

NAME = "plan"
HELP = "Find the best plans for a budget of money and hours."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--examples", type=int, required=True)
    parser.add_argument("--systems", type=int, required=True)
    parser.add_argument("--money", type=_money, help="money for HITs, including fees")
    parser.add_argument("--hours", type=float, help="hours of authors for writing SCUs")
    parser.add_argument("--goal-width", type=float, help="width of a system score's interval")
    parser.add_argument(
        "--goal-difference", type=float, help="difference between systems to detect"
    )
    parser.add_argument("--power", type=float, default=POWER, help="power to detect it")
    parser.add_argument("--sentences", type=float, help="sentences per reference, on average")
    parser.add_argument("--scus", type=float, help="SCUs per sentence, on average")
    parser.add_argument("--minutes-per-scu", type=float, default=MINUTES_PER_SCU)
    parser.add_argument("--reward", type=_money, default=REWARD, help="per assignment")
    parser.add_argument("--fee", type=_money, default=FEE_RATE, help="fee as a share of the reward")
    parser.add_argument("--units-per-hit", type=int, default=UNITS_PER_HIT)
    parser.add_argument(
        "--judges", type=int, nargs="+", default=list(JUDGES), help="judges per HIT"
    )
    parser.add_argument("--pilot", type=Path, help="folder of a labelled pilot study")
    parser.add_argument("--answers", type=Path, help="raw crowd answers of the pilot")
    parser.add_argument("--judge", default="embedded", help="the pilot's judge, as for `score`")
    parser.add_argument("--prior", default="", help="if there is no pilot: realsumm or pyrxsum")
    parser.add_argument(
        "--order", default=DEFAULT, help="order in which sentences are replaced, or random"
    )
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--seed", type=int, default=0)


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    size = StudySize(
        arguments.examples,
        arguments.systems,
        arguments.sentences,
        arguments.scus,
        arguments.minutes_per_scu,
    )
    prices = Prices(
        arguments.reward,
        arguments.fee,
        max(arguments.fee, FEE_RATE_OF_MANY),
        units_per_hit=arguments.units_per_hit,
    )
    prior = _pilot(arguments) if arguments.pilot else _bundled(arguments)
    found = find_plans(
        size,
        prior,
        budget=Budget(arguments.money, arguments.hours),
        goal=Goal(arguments.goal_width, arguments.goal_difference, arguments.power),
        prices=prices,
        judges=arguments.judges,
        rounds=arguments.rounds,
        seed=arguments.seed,
    )
    quote = quote_plan(found.plan(found.best), systems=size.systems, prices=prices)
    return found.to_json() | {"next_system": quote.to_json()}


def _bundled(arguments: argparse.Namespace) -> Prior:
    return load_prior(arguments.prior, arguments.order, sentences=arguments.sentences)


def _pilot(arguments: argparse.Namespace) -> Prior:
    human, judged = (
        read_study(arguments.pilot, judge=judge, seed=arguments.seed)
        for judge in (HUMAN, arguments.judge)
    )
    folds = sorted(arguments.pilot.glob(FOLDS))
    return measure_prior(
        human,
        judged,
        find_orders(arguments.order, human, folds, arguments.seed),
        _votes(arguments),
        order=arguments.order,
        seed=arguments.seed,
    )


def _votes(arguments: argparse.Namespace) -> Votes:
    """The pilot's own, or the bundled ones."""
    if arguments.answers:
        return measure_votes(load_answers(arguments.answers))
    best = load_prior().best
    return Votes(best.vote, best.tied)


def _money(text: str) -> Decimal:
    try:
        found = Decimal(text)
    except InvalidOperation:
        raise argparse.ArgumentTypeError(f"'{text}' is not an amount.") from None
    if not found.is_finite():
        raise argparse.ArgumentTypeError(f"'{text}' is not an amount.")
    return found


ROW = "{mark} {percentage:>4g} {examples:>8} {people:>6} {judges:>6} {combination:<9} "
FIGURES = "{money:>9} {hours:>6.1f}  {correlation}  {width}  {power}"
HEAD = (
    "  STUs examples people judges scored by     money  hours  "
    "correlation          width                power"
)


def show(found: dict[str, Any]) -> str:
    learned = (
        f"Simulated from {found['prior']} ({found['order']} order, judge {found['judge']}); "
        f"{found['affordable']:,} of {found['considered']:,} plans are within the budget, "
        f"{len(found['plans']):,} to consider. * is recommended: the cheapest that meets the "
        "goal, or that the best expected plan (^) doesn't beat in 95 of 100 simulated studies."
    )
    marks = {found["top"]: "^", found["best"]: "*"}
    rows = [_row(plan, marks.get(plan["key"], " ")) for plan in found["plans"]]
    later = (
        "One more system, later: {hits:,} HITs, {assignments:,} assignments, {money:.2f} in total."
    )
    quote = found["next_system"]
    return "\n".join([learned, HEAD, *rows, later.format(money=Decimal(quote["total"]), **quote)])


def _row(plan: dict[str, Any], mark: str) -> str:
    figures = {name: _figure(plan, name) for name in ("correlation", "width", "power")}
    money = f"{Decimal(plan['money']):.2f}"
    return (ROW + FIGURES).format(**(plan | figures | {"mark": mark, "money": money}))


def _figure(plan: dict[str, Any], name: str) -> str:
    return f"{plan[name]:.3f} ({plan[name + '_low']:.3f}–{plan[name + '_high']:.3f})"
