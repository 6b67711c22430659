"""Plans for a budget."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal
from typing import cast

import numpy as np
import pytest

from scoring.planning.components import JUDGE, PEOPLE, Components
from scoring.planning.plans import (
    Budget,
    Goal,
    Plan,
    StudySize,
    find_plans,
    find_top,
    keep_best,
    list_designs,
    pick_plan,
)
from scoring.planning.prices import Prices
from scoring.planning.priors import load_prior
from scoring.planning.simulation import Design, Simulator, Z
from tests.scoring.planning.toys import plan_of

SIZE = StudySize(40, 6)


def components(*, judge_system=0.0, stu_system=0.0, noise=0.0, residual=0.04, document=0.01):
    """Scores with known components; the judge and STUs err by system as told, and no other way."""
    system = np.full((2, 3, 3), 0.0025)
    system[:, JUDGE, JUDGE] += judge_system
    system[1, PEOPLE, PEOPLE] += stu_system
    within = np.ones((2, 3, 3))
    return Components(
        system,
        document * within,
        residual * within,
        (10.0, 0.0),
        (0.0, 10.0),
        4.0,
        noise,
        0.0,
        (0.0, 100.0),
    )


def simulate(design, *, examples=100, systems=20, difference=0.05, rounds=2000, **parts):
    simulator = Simulator(
        [components(**parts)],
        examples=examples,
        systems=systems,
        difference=difference,
        rounds=rounds,
    )
    return simulator.run(design)


def test_full_human_scoring_is_itself():
    found = simulate(Design(0, 100, 100, 4))
    assert found.correlation.value == pytest.approx(1)
    # Only the choice of documents is left: 2 · 1.96 · √((.04 + .01) / 100).
    assert found.width.value == pytest.approx(2 * Z * np.sqrt(0.05 / 100), rel=0.03)
    # Two systems on the same documents: √(2 · .04 / 100) is the error of their difference.
    expected = 1 - _below(Z - 0.05 / np.sqrt(2 * 0.04 / 100))
    assert found.power.value == pytest.approx(expected, abs=0.02)


def test_fewer_examples_tell_less():
    wide, narrow = (simulate(Design(0, size, size, 4)) for size in (25, 100))
    assert wide.width.value == pytest.approx(2 * narrow.width.value, rel=0.05)
    assert wide.correlation.value < narrow.correlation.value
    assert wide.power.value < narrow.power.value


def test_more_examples_do_not_cure_a_judge_who_favours_systems():
    found = simulate(Design(0, 10000, 0, 0), examples=10000, judge_system=0.0004)
    assert found.width.value == pytest.approx(2 * Z * np.sqrt(0.0004 + 0.05 / 10000), rel=0.05)
    assert found.correlation.value == pytest.approx(np.sqrt(0.0025 / 0.0029), abs=0.02)


def test_people_cure_him_and_not_the_stus():
    design = Design(0, 10000, 2000, 4)
    corrected, plain = (
        simulate(replace(design, is_corrected=side), examples=10000, judge_system=0.0004)
        for side in (True, False)
    )
    # The plain mean keeps four fifths of the judge's bias.
    assert plain.width.value == pytest.approx(2 * Z * np.sqrt(0.64 * 0.0004 + 5e-6), rel=0.05)
    assert corrected.width.value < 0.4 * plain.width.value
    stus = simulate(replace(design, percentage=100), examples=10000, stu_system=0.0004)
    assert stus.width.value == pytest.approx(2 * Z * np.sqrt(0.0004), rel=0.1)


def test_a_perfect_judge_is_as_good_as_people():
    """His scores are people's: with a few corrected by people, all examples still count."""
    full, few = (simulate(Design(0, 100, people, 4)) for people in (100, 10))
    assert few.width.value == pytest.approx(full.width.value, rel=0.02)
    assert few.correlation.value == pytest.approx(1)


def test_more_judges_leave_less_noise():
    one, four = (simulate(Design(0, 100, 100, judges), noise=0.5) for judges in (1, 4))
    expected = 2 * Z * np.sqrt((0.05 + 0.5 / 10 / 4) / 100)
    assert four.width.value == pytest.approx(expected, rel=0.04)
    assert one.width.value > four.width.value
    assert one.correlation.value < four.correlation.value


@pytest.mark.parametrize(
    "design", [Design(0, 101, 1, 1), Design(0, 10, 11, 1), Design(0, 10, 5, 0), Design(0, 0, 0, 0)]
)
def test_it_refuses_a_design_that_cannot_be(design):
    with pytest.raises(ValueError, match="can't be judged by people|at least 1 judge"):
        simulate(design, rounds=2)


def _below(z):
    from scipy.stats import norm

    return norm.cdf(z)


def find_some(money, hours, *, rounds=20, **options):
    """Among fewer designs than there are, which is enough to choose from."""
    return find_plans(
        SIZE,
        load_prior(),
        budget=Budget(Decimal(money), hours),
        percentages=(0.0, 50.0, 100.0),
        judges=(1, 3),
        rounds=rounds,
        **options,
    )


@pytest.fixture(scope="module")
def frontier():
    return find_some(150, 2.0, goal=Goal(width=0.15))


def test_it_keeps_within_the_budget(frontier):
    assert frontier.plans
    assert all(plan.money <= 150 and plan.hours <= 2 for plan in frontier.plans)
    assert 0 < len(frontier.plans) < frontier.affordable < frontier.considered


def test_it_prices_every_plan_exactly(frontier):
    """40 examples with 10.56 units fit one HIT each: 15 cents and 3 of fee for each judge."""
    for plan in frontier.plans:
        assert plan.hits == plan.people * SIZE.systems
        assert plan.assignments == plan.hits * plan.judges
        assert plan.money == plan.assignments * Decimal("0.18") == plan.rewards + plan.fees


def test_no_plan_beats_another(frontier):
    for one in frontier.plans:
        for two in frontier.plans:
            if one != two and one.money <= two.money and one.hours <= two.hours:
                assert two.correlation > one.correlation or two.width < one.width


def test_it_names_the_cheapest_plan_that_meets_the_goal(frontier):
    met = [plan for plan in frontier.plans if plan.meets_goal]
    assert met
    best = frontier.plan(frontier.best)
    assert best.width <= 0.15
    assert (best.money, best.hours) == min((plan.money, plan.hours) for plan in met)


def test_its_intervals_hold_their_values(frontier):
    for plan in frontier.plans:
        for name in ("correlation", "width", "power"):
            low, value, high = (getattr(plan, name + end) for end in ("_low", "", "_high"))
            assert low <= value <= high


def test_it_is_the_same_for_the_same_seed(frontier):
    assert find_some(150, 2.0, goal=Goal(width=0.15)) == frontier
    other = find_some(150, 2.0, goal=Goal(width=0.15), seed=1)
    assert other.plans != frontier.plans


def test_a_plan_comes_back_the_same_from_json(frontier):
    found = json.loads(json.dumps(frontier.to_json()))
    assert found["budget"] == {"money": "150", "hours": 2.0}
    read = [Plan.from_json(row) for row in found["plans"]]
    assert [row.to_json() for row in read] == found["plans"]
    old = {name: value for name, value in found["plans"][0].items() if name != "adds"}
    assert Plan.from_json(old).adds == {}


def test_nothing_buys_stus_and_the_judge():
    found = find_plans(SIZE, load_prior(), budget=Budget(Decimal(0), 0.0), rounds=10)
    assert {(plan.percentage, plan.people) for plan in found.plans} == {(100.0, 0)}
    assert found.plans[-1].examples == 40


def test_more_money_never_gives_less():
    """The best correlation within a larger budget is no lower, but for what simulation tells."""
    best = [max(plan.correlation for plan in find_some(money, 3.0).plans) for money in (0, 50, 200)]
    assert best == sorted(best)
    assert best[-1] > best[0] + 0.01


def test_hours_follow_what_is_written():
    """40 examples · 10.56 SCUs · half a minute: 3.52 hours for all of them."""
    found = find_plans(SIZE, load_prior(), percentages=(0,), rounds=10)
    [hours] = {plan.hours for plan in found.plans if plan.examples == 40}
    assert hours == pytest.approx(40 * 10.56 * 0.5 / 60)
    [written] = {plan.written for plan in found.plans if plan.examples == 40}
    assert written == round(40 * 3.68)


def test_long_references_take_more_hits():
    size = StudySize(10, 3, sentences=5, scus_per_sentence=4)
    found = find_plans(size, load_prior(), percentages=(0,), judges=(2,), rounds=10)
    plan = max(found.plans, key=lambda plan: plan.people)
    assert plan.hits == plan.people * 3 * 2  # 20 units, 16 a HIT
    prices = Prices(reward=Decimal("0.30"), units_per_hit=20)
    cheaper = find_plans(
        size, load_prior(), prices=prices, percentages=(0,), judges=(2,), rounds=10
    )
    plan = max(cheaper.plans, key=lambda plan: plan.people)
    assert plan.money == plan.people * 3 * 2 * Decimal("0.36")


def test_it_lists_every_design_once():
    found = list(list_designs(10, (0.0, 50.0), (1, 3)))
    assert len(found) == len(set(found))
    assert Design(50.0, 10, 0, 0) in found
    assert Design(0.0, 10, 10, 3) in found
    assert Design(0.0, 10, 5, 1, is_corrected=False) in found
    assert max(design.people for design in found) == 10


def test_it_drops_what_another_beats():
    plans = [
        plan_of("cheap", 0, 0, 0.90),
        plan_of("dear and no better", 10, 0, 0.901),
        plan_of("dear and better", 10, 0, 0.95),
        plan_of("long and better", 0, 5, 0.95),
        plan_of("long and worse", 0, 6, 0.94),
        plan_of("narrow", 10, 0, 0.90, width=0.05),
    ]
    kept = {found.key for found in keep_best(plans, Goal(width=0.1))}
    assert kept == {"cheap", "dear and better", "long and better", "narrow"}
    # Where a difference is the goal, widths do not count, and power does.
    kept = {found.key for found in keep_best(plans, Goal(difference=0.05))}
    assert kept == {"cheap", "dear and better", "long and better"}


@pytest.mark.parametrize(
    "goal, expected",
    [
        (Goal(), "dear"),
        (Goal(width=0.08), "narrow"),
        (Goal(difference=0.05), "strong"),
    ],
)
def test_it_picks_the_nearest_where_none_meets_the_goal(goal, expected):
    plans = [
        plan_of("cheap", 0, 0, 0.8),
        plan_of("dear", 9, 0, 0.99),
        plan_of("narrow", 9, 0, 0.8, width=0.09),
        plan_of("strong", 9, 0, 0.8, power=0.7),
    ]
    drawn = {plan.key: np.full(50, getattr(plan, goal.figure)) for plan in plans}
    assert pick_plan(plans, goal, drawn).key == expected


def test_it_picks_the_cheapest_that_the_best_does_not_beat():
    """In every simulated study but a few the dear plan is better, or it is not."""
    plans = [
        plan_of("free", 0, 0, 0.95),
        plan_of("fair", 5, 0, 0.96),
        plan_of("dear", 150, 0, 0.97),
    ]
    noise = np.random.default_rng(0).normal(0, 0.02, 400)
    within = {plan.key: plan.correlation + place * noise for place, plan in enumerate(plans)}
    assert find_top(plans, Goal()).key == "dear"
    assert pick_plan(plans, Goal(), within).key == "free"
    sure = {plan.key: plan.correlation + place * noise / 10 for place, plan in enumerate(plans)}
    assert pick_plan(plans, Goal(), sure).key == "dear"


def test_it_says_what_money_adds():
    found = find_some(150, 2.0)
    base, top = found.plan(found.base), found.plan(found.top)
    least = min(plan.money for plan in found.plans)
    assert base.money == least
    assert base.adds["correlation"] == (0, 0, 0)
    assert top.correlation == max(plan.correlation for plan in found.plans)
    value, low, high = top.adds["correlation"]
    assert value == pytest.approx(top.correlation - base.correlation)
    assert low < value < high
    # The same studies are compared: the difference is known better than either plan.
    assert high - low < top.correlation_high - base.correlation_low
    best = found.plan(found.best)
    assert best.money <= top.money


def test_sentences_that_are_written_cost_no_hours():
    plain, half, whole = (
        find_plans(StudySize(40, 6, existing=share), load_prior(), percentages=(0, 50), rounds=10)
        for share in (0.0, 0.5, 1.0)
    )
    hours = [max(plan.hours for plan in found.plans) for found in (plain, half, whole)]
    assert hours[1] == pytest.approx(hours[0] / 2, rel=0.01)
    assert hours[2] == 0
    assert all(plan.existing == plan.written for plan in whole.plans)
    assert {plan.existing for plan in plain.plans} == {0}
    with pytest.raises(ValueError, match="between 0 and 1"):
        StudySize(40, 6, existing=1.1)


def test_it_picks_the_cheapest_that_meets_the_goal():
    plans = [
        plan_of("a", 5, 1, 0.9, met=True),
        plan_of("b", 4, 9, 0.9, met=True),
        plan_of("c", 0, 0, 0.9),
    ]
    assert pick_plan(plans, Goal(width=0.2), {}).key == "b"


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: Budget(money=cast(Decimal, 5.0)), "a decimal number"),
        (lambda: Budget(hours=-1), "0 or more"),
        (lambda: Goal(width=0.1, difference=0.1), "not both"),
        (lambda: Goal(width=0), "between 0 and 1"),
        (lambda: Goal(difference=0.1, power=1), "between"),
        (lambda: StudySize(0, 2), "at least 1 example and 2 systems"),
        (lambda: StudySize(5, 1), "at least 1 example and 2 systems"),
        (lambda: StudySize(5, 2, sentences=0), "more than 0"),
        (lambda: StudySize(5, 2, minutes_per_scu=-1), "0 or more"),
    ],
)
def test_it_refuses_what_is_no_plan(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_it_lists_the_plans_it_has(frontier):
    with pytest.raises(ValueError, match=r"'x'\. Known: 100-"):
        frontier.plan("x")


def test_simulation_agrees_with_what_the_published_judge_gave():
    """The embedded judge, held out, had r = .955 on REALSumm, and .992 on PyrXSum."""
    for name, systems, expected in (("realsumm", 25, 0.955), ("pyrxsum", 10, 0.992)):
        prior = load_prior(name)
        simulator = Simulator(
            [prior.best, *prior.replicates], examples=100, systems=systems, rounds=200
        )
        found = simulator.run(Design(0, 100, 0, 0)).correlation
        assert found.value == pytest.approx(expected, abs=0.015)
        assert found.low < expected < found.high
