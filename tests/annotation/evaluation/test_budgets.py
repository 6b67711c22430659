"""Plans for a budget: what is asked, what is refused, and what the job finds."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.models import JobState
from annotation.corpora.jobs.service import cancel_job, claim_job, run_job
from annotation.corpora.jobs.work import Work
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError, Invalid
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.planning import service as planning_service
from annotation.evaluation.planning.models import BudgetPlan
from annotation.evaluation.planning.queries import (
    get_plan,
    get_ready_plan,
    list_handful,
    list_plans,
    list_writers,
    measure_project,
    stream_plans,
)
from annotation.evaluation.planning.service import get_asked_prices, run_planning
from annotation.units.sets.models import Unit, UnitSet
from tests import factories
from tests.annotation.evaluation.planned import begin_plan, make_plan
from tests.annotation.evaluation.running import finish


def test_it_finds_plans_within_the_budget(corpus: Project, owner: User):
    plan = make_plan(corpus, owner, money=Decimal(5), hours=0.05)
    assert plan.is_ready
    assert plan.plans
    assert all(Decimal(row["money"]) <= 5 and row["hours"] <= 0.05 for row in plan.plans)
    assert plan.frontier["best"] in {row["key"] for row in plan.plans}
    assert str(plan) == f"Budget {plan.pk}: $5 and 0.05 hours"


def test_it_finds_the_same_plans_again(corpus: Project):
    assert make_plan(corpus).frontier == make_plan(corpus).frontier


def test_it_takes_what_is_not_said_from_the_project(corpus: Project):
    plan = begin_plan(corpus)
    assert (plan.asked["examples"], plan.asked["systems"]) == (3, 2)
    assert plan.asked["sentences"] == 2
    assert plan.asked["is_timed"] is False
    # Five words and three, an SCU for every 4.5.
    assert plan.asked["scus_per_sentence"] == 1


def test_it_plans_for_no_more_examples_than_there_are(corpus: Project):
    assert begin_plan(corpus, examples=500).asked["examples"] == 3


def test_it_goes_by_the_pace_of_the_projects_writers(labelled: LabelSet):
    Unit.objects.filter(set=labelled.unit_set).update(seconds=90)
    known = measure_project(labelled.project)
    assert (known.minutes_per_scu, known.is_timed) == (1.5, True)
    asked = begin_plan(labelled.project).asked
    assert (asked["minutes_per_scu"], asked["is_timed"]) == (1.5, True)
    assert begin_plan(labelled.project, minutes_per_scu=2.0).asked["is_timed"] is False


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"money": -1}, "money: expected \\$0 to"),
        ({"money": "1.005"}, "money: 1.005 is not"),
        ({"money": "much"}, "money: expected dollars"),
        ({"hours": -1.0}, "hours: expected 0 to"),
        ({"reward": Decimal(101)}, "reward: expected"),
        ({"examples": 0}, "examples: expected 1 to 3"),
        ({"systems": 1}, "systems: expected 2"),
        ({"units_per_hit": 17}, "units_per_hit: expected 1 to 16"),
        ({"rounds": 1}, "rounds: expected 2"),
        ({"minutes_per_scu": 601.0}, "minutes_per_scu"),
        ({"provider": "nobody"}, "provider: expected one of marketplace"),
        ({"goal_width": 2.0}, "between 0 and 1"),
        ({"goal_width": 0.1, "goal_difference": 0.1}, "not both"),
    ],
)
def test_it_refuses_what_makes_no_sense(corpus: Project, said: dict[str, Any], words: str):
    with pytest.raises(Invalid, match=words):
        begin_plan(corpus, **said)
    assert not BudgetPlan.objects.exists()


def test_it_needs_a_corpus(project: Project):
    with pytest.raises(DomainError, match="at least 2 systems"):
        begin_plan(project)


def test_it_needs_stus_and_a_judge_for_a_pilot(labelled: LabelSet, stus: UnitSet):
    project = labelled.project
    with pytest.raises(DomainError, match="needs STUs"):
        begin_plan(project, pilot=labelled)
    with pytest.raises(DomainError, match="needs a judge"):
        begin_plan(project, pilot=labelled, stus=stus)
    with pytest.raises(DomainError, match="no run of toy2"):
        begin_plan(project, pilot=labelled, stus=stus, judge="toy2")


@pytest.mark.usefixtures("toys")
def test_it_learns_from_a_pilot(labelled: LabelSet, stus: UnitSet):
    for unit_set in (labelled.unit_set, stus):
        finish(unit_set)
    plan = make_plan(labelled.project, pilot=labelled, stus=stus, judge="toy2")
    assert plan.frontier["prior"] == "Labels v1 of Judged v1"
    assert (plan.frontier["judge"], plan.frontier["order"]) == ("toy2", "easiness")
    labelled.delete()
    plan.refresh_from_db()
    assert (plan.pilot, plan.asked["pilot"]) == (None, "Labels v1 of Judged v1")


def test_it_refuses_stus_of_another_project(corpus: Project, owner: User):
    other = factories.make_set(factories.make_project(owner, "other"), owner)
    with pytest.raises(DomainError, match="another project"):
        begin_plan(corpus, stus=other)


@pytest.mark.parametrize(
    ("provider", "fee"), [("offline", "0"), ("mturk", "0.03"), ("marketplace", None)]
)
def test_it_prices_with_the_providers_fees(corpus: Project, provider: str, fee: str | None):
    prices = get_asked_prices(begin_plan(corpus, provider=provider))
    from annotation.crowd.market.money import fee_of

    expected = fee_of(Decimal("0.15")) if fee is None else Decimal(fee)
    assert prices.fee(4) == expected


def test_it_reckons_once(corpus: Project, monkeypatch: pytest.MonkeyPatch):
    plan = begin_plan(corpus)
    assert plan.job is not None
    claimed = claim_job(job_id=plan.job.pk)
    assert claimed is not None
    first = run_planning(Work(claimed))
    path = "annotation.evaluation.planning.service.find_plans"
    monkeypatch.setattr(path, None)
    assert run_planning(Work(claimed)) == first


def test_it_says_that_the_pilot_is_gone(labelled: LabelSet, stus: UnitSet, owner: User):
    plan = BudgetPlan.objects.create(
        project=labelled.project, asked=begin_plan(labelled.project).asked | {"pilot": "Gone"}
    )
    from annotation.corpora.jobs.service import create_job

    job = create_job(
        project=plan.project, user=owner, kind="plan_budget", title="Plan", params={"plan": plan.pk}
    )
    run_job(job_id=job.pk)
    job.refresh_from_db()
    assert (job.state, "have been deleted" in job.error) == (JobState.FAILED, True)


def test_it_leaves_nothing_behind_when_cancelled(corpus: Project):
    plan = begin_plan(corpus)
    assert plan.job is not None
    cancel_job(job=plan.job)
    assert not list_plans(corpus).exists()


def test_it_deletes_a_plan_that_is_over(corpus: Project, owner: User):
    waiting, ready = begin_plan(corpus), make_plan(corpus)
    with pytest.raises(DomainError, match="still being calculated"):
        planning_service.delete_plan(plan=waiting, user=owner)
    with pytest.raises(DomainError, match="still being calculated"):
        get_ready_plan(corpus, waiting.pk)
    planning_service.delete_plan(plan=ready, user=owner)
    with pytest.raises(DomainError, match="no plan"):
        get_plan(corpus, ready.pk)


def test_it_writes_a_line_for_each_plan(corpus: Project):
    plan = make_plan(corpus)
    lines = list(stream_plans(plan))
    assert lines[0].startswith("key,percentage,examples,people,judges")
    assert len(lines) == 1 + len(plan.plans)


def test_it_lists_who_may_write(project: Project, editor: User, viewer: User):
    assert {row.user for row in list_writers(project)} == {
        *(row.user for row in project.memberships.all())
    } - {viewer}
    assert editor in {row.user for row in list_writers(project)}


def frontier_of(count: int, chosen: str = "", **asked: Any) -> BudgetPlan:
    """Plans p1, p2, … each dearer; every second one serves better than all cheaper ones."""
    said = {"goal_width": None, "goal_difference": None, "power": 0.8} | asked
    better = [number if number % 2 else 0 for number in range(count)]
    rows = [
        {"key": f"p{n}", "correlation": n / 100, "width": 1 - better[n] / 100, "power": None}
        for n in range(count)
    ]
    frontier = {"plans": rows, "best": f"p{count - 1}"}
    return BudgetPlan(asked=said, frontier=frontier, is_ready=True, chosen=chosen)


@pytest.mark.parametrize(
    ("plan", "keys"),
    [
        (frontier_of(8), "p0 p1 p2 p3 p4 p5 p6 p7"),
        # The best, and the middles of four parts of the others.
        (frontier_of(41), "p5 p15 p25 p35 p40"),
        (frontier_of(41, chosen="p3"), "p3 p7 p20 p33 p40"),
        # By width only every second plan is better than those before it.
        (frontier_of(20, goal_width=0.1), "p1 p5 p11 p15 p19"),
        (frontier_of(9, goal_difference=0.1), "p8"),
    ],
)
def test_it_shows_a_handful_first(plan: BudgetPlan, keys: str):
    assert sorted(list_handful(plan), key=lambda key: int(key[1:])) == keys.split()
