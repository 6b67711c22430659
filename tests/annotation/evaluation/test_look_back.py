"""What a plan gave against random choices, and what a further system costs."""

from __future__ import annotations

from decimal import Decimal

import pytest

from annotation.corpora.accounts.models import User
from annotation.crowd.campaigns.models import Campaign
from annotation.crowd.campaigns.planning import price_extension
from annotation.errors import DomainError
from annotation.evaluation.labels.models import LabelSet, SummaryLabels
from annotation.evaluation.planning import taken
from annotation.evaluation.planning.asked import quote_system
from annotation.evaluation.planning.models import BudgetPlan
from annotation.evaluation.planning.queries import get_look_back, list_full_labels
from annotation.units.sets.models import Unit, UnitSet
from tests import factories
from tests.annotation.evaluation.planned import key_of, make_plan
from tests.annotation.evaluation.running import finish


@pytest.fixture(scope="module")
def kept_plan(kept_labelled: LabelSet, kept_stus: UnitSet) -> BudgetPlan:
    owner = kept_labelled.created_by
    made = make_plan(kept_labelled.project, owner, stus=kept_stus, examples=3)
    row = made.plans[0] | {"key": "half", "percentage": 50.0, "examples": 3, "people": 3}
    made.frontier["plans"] = [row | {"judges": 2, "money": "9.00"}]
    made.save()
    return taken.apply_plan(plan=made, user=owner, key="half")


@pytest.fixture
def plan(db: None, kept_plan: BudgetPlan) -> BudgetPlan:
    """Made so; the labels of the full SCUs were there before."""
    return BudgetPlan.objects.get(pk=kept_plan.pk)


def test_it_compares_with_random_choices(plan: BudgetPlan, labelled: LabelSet):
    looked = get_look_back(plan)
    assert looked is not None
    assert (looked.labels, looked.judge) == (labelled, "human")
    assert (looked.found["documents"], looked.found["sentences"]) == (3, 6)
    assert looked.found["written"] == 3
    assert {row["level"] for row in looked.given} == {"system", "summary"}
    assert {row["measure"] for row in looked.given} == {"pearson"}
    assert "different actual coverage" in looked.coverage


@pytest.mark.usefixtures("toys")
def test_it_compares_by_a_judge(plan: BudgetPlan, labelled: LabelSet, stus: UnitSet):
    for unit_set in (labelled.unit_set, stus):
        finish(unit_set)
    looked = get_look_back(plan, labels=labelled, judge="toy2")
    assert looked is not None
    assert looked.judge == "toy2"
    with pytest.raises(DomainError, match="no run of toy"):
        get_look_back(plan, judge="toy")


def test_it_says_nothing_before_there_are_labels(plan: BudgetPlan, labelled: LabelSet):
    SummaryLabels.objects.all().delete()
    assert get_look_back(plan) is None
    Unit.objects.filter(set=labelled.unit_set).update(kind="stu")
    assert not list_full_labels(plan).exists()
    assert get_look_back(plan) is None


def test_it_says_nothing_of_a_plan_that_nobody_took(labelled: LabelSet, stus: UnitSet):
    assert get_look_back(make_plan(labelled.project, stus=stus)) is None


def test_it_quotes_what_a_further_system_will_cost(plan: BudgetPlan, owner: User):
    """Exactly what the campaign asks for it once its summaries are imported."""
    campaign = plan.campaign
    assert campaign is not None
    assert plan.unit_set is not None
    for example in plan.project.examples.all():
        factories.add_unit(plan.unit_set, example, owner, "A dam burst on a Monday.")
    factories.freeze(plan.unit_set, owner)
    campaign = Campaign.objects.select_related("unit_set", "project").get(pk=campaign.pk)
    quote = quote_system(campaign)
    assert (quote.summaries, quote.hits, quote.assignments) == (3, 3, 6)
    assert quote.hours == 0
    # One of the systems that are there stands for a new one.
    system = plan.project.systems.get(name="soup")
    campaign.scope |= {"systems": [plan.project.systems.get(name="lead").pk]}
    campaign.save()
    extension = price_extension(campaign, 0, [system.pk])
    # No HIT is out, so that the extension prices both systems.
    assert extension.total == 2 * quote.total
    assert quote_system(campaign, systems=2).total == 2 * quote.total


def test_it_quotes_by_the_kind_of_the_system(plan: BudgetPlan):
    campaign = plan.campaign
    assert campaign is not None
    campaign.rewards_by_kind = {"abstractive": "0.30"}
    assert quote_system(campaign, kind="abstractive").rewards == 2 * quote_system(campaign).rewards
    assert quote_system(campaign).rewards == Decimal("0.90")


def test_it_finds_a_key(plan: BudgetPlan):
    assert key_of(plan) == "half"
