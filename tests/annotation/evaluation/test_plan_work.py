"""A plan made so: sentences assigned, a draft campaign, and both taken back."""

from __future__ import annotations

from decimal import Decimal

import pytest

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Sentence
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import Campaign, CampaignState
from annotation.crowd.campaigns.planning import estimate_cost
from annotation.crowd.campaigns.steps import list_obstacles, publish_campaign
from annotation.errors import DomainError, Invalid, NotFound
from annotation.evaluation.planning import service as planning_service
from annotation.evaluation.planning import taken
from annotation.evaluation.planning.models import BudgetPlan
from annotation.evaluation.planning.queries import get_plan_progress
from annotation.evaluation.planning.taken import choose_sentences
from annotation.units.sets import service as sets_service
from annotation.units.sets.models import Contributor, Unit, UnitSet
from annotation.units.studio.models import Assignment
from annotation.units.stus.models import SentencePlan
from scoring.planning.plans import Plan
from tests import factories
from tests.annotation.evaluation.planned import key_of, make_plan, make_stus


@pytest.fixture(scope="module")
def kept_stus(kept_corpus: Project) -> UnitSet:
    return make_stus(kept_corpus, User.objects.get(email="owner@example.org"))


@pytest.fixture(scope="module")
def kept_plan(kept_stus: UnitSet) -> BudgetPlan:
    owner = User.objects.get(email="owner@example.org")
    made = make_plan(kept_stus.project, owner, stus=kept_stus)
    row = made.plans[0] | {
        "key": "half",
        "percentage": 50.0,
        "examples": 3,
        "people": 2,
        "judges": 3,
        "written": 3,
        "money": "3.60",
    }
    made.frontier["plans"] = [row]
    made.save()
    return made


@pytest.fixture
def plan(db: None, kept_plan: BudgetPlan) -> BudgetPlan:
    """Half of the six sentences are written; people judge two of the three examples."""
    return BudgetPlan.objects.get(pk=kept_plan.pk)


def scus(unit_set: UnitSet | None) -> list[str]:
    """The sentences that people write, as example and place."""
    rows = SentencePlan.objects.filter(set=unit_set, is_human=True)
    named = rows.values_list("sentence__reference__example__key", "sentence__position")
    return sorted(f"{key}.{place}" for key, place in named)


def test_it_assigns_the_hardest_sentences(plan: BudgetPlan, owner: User, annotator: User):
    made = taken.apply_plan(plan=plan, user=owner, key="half", author=annotator)
    assert made.unit_set is not None
    assert (made.unit_set.name, made.unit_set.state) == (f"Budget {plan.pk}", "draft")
    # The first sentence of each reference was foretold to be the hard one.
    assert scus(made.unit_set) == ["e1.0", "e2.0", "e3.0"]
    rows = Assignment.objects.filter(set=made.unit_set).order_by("-priority")
    assert [row.example.key for row in rows] == ["e3", "e2", "e1"]
    assert {row.author for row in rows} == {annotator}
    stand_ins = Unit.objects.filter(set=made.unit_set)
    assert {unit.text for unit in stand_ins} == {"Nobody was hurt"}
    assert SentencePlan.objects.filter(set=made.unit_set).first().model == "giza 1"  # type: ignore[union-attr]


@pytest.fixture
def written(plan: BudgetPlan, owner: User) -> UnitSet:
    """SCUs of both sentences of e1, and of the second of e2."""
    made = factories.make_set(plan.project, owner, "Written")
    rows = Sentence.objects.filter(reference__example__project=plan.project)
    for row in rows.select_related("reference__example"):
        example = row.reference.example
        if (example.key, row.position) in {("e1", 0), ("e1", 1), ("e2", 1)}:
            text = row.reference.text[row.start : row.end]
            unit = factories.add_unit(made, example, owner, text)
            Contributor.objects.create(
                unit=unit, reference=row.reference, sentence=row, start=row.start, end=row.end
            )
    return made


def test_scus_that_are_there_cost_no_hours(written: UnitSet, kept_stus: UnitSet, owner: User):
    plain = make_plan(written.project, owner, stus=kept_stus)
    made = make_plan(written.project, owner, stus=kept_stus, scus=written)
    assert (made.asked["scus"], made.asked["existing"]) == ("Written v1", 3)
    assert made.asked["existing_share"] == pytest.approx(0.5)
    most = [max(row["hours"] for row in found.plans) for found in (plain, made)]
    assert most[1] < most[0]
    assert any(row["existing"] for row in made.plans)


def test_a_plan_starts_from_the_scus_that_are_there(
    plan: BudgetPlan, written: UnitSet, owner: User
):
    BudgetPlan.objects.filter(pk=plan.pk).update(scus=written)
    plan.refresh_from_db()
    made = taken.apply_plan(plan=plan, user=owner, key="half")
    assert made.unit_set is not None
    # What is written comes before what is hard: three of six sentences have SCUs.
    assert scus(made.unit_set) == ["e1.0", "e1.1", "e2.1"]
    copied = Unit.objects.filter(set=made.unit_set, kind="scu")
    assert copied.count() == made.work["copied"] == 3
    assert all(unit.contributors.exists() for unit in copied)
    states = Assignment.objects.filter(set=made.unit_set)
    assert dict(states.values_list("example__key", "state")) == {
        "e1": "written",
        "e2": "written",
        "e3": "spared",
    }
    progress = get_plan_progress(made)
    assert progress is not None
    assert (progress.written, progress.unwritten) == (3, 0)
    taken.undo_plan(plan=made, user=owner)
    assert not UnitSet.objects.filter(name=f"Budget {plan.pk}").exists()
    assert Unit.objects.filter(set=written, is_deleted=False).count() == 3


def test_a_plan_is_not_taken_back_once_its_copies_are_changed(
    plan: BudgetPlan, written: UnitSet, owner: User
):
    BudgetPlan.objects.filter(pk=plan.pk).update(scus=written)
    plan.refresh_from_db()
    made = taken.apply_plan(plan=plan, user=owner, key="half")
    assert made.unit_set is not None
    example = made.project.examples.get(key="e1")
    factories.add_unit(made.unit_set, example, owner, "One more fact.")
    with pytest.raises(DomainError, match="have already been written"):
        taken.undo_plan(plan=made, user=owner)


def test_a_plan_whose_scus_were_deleted_is_not_taken(
    plan: BudgetPlan, written: UnitSet, owner: User
):
    plan.asked |= {"scus": str(written)}
    plan.scus = written
    plan.save()
    sets_service.delete_set(unit_set=written, user=owner)
    plan = BudgetPlan.objects.get(pk=plan.pk)
    assert plan.scus is None
    with pytest.raises(DomainError, match="have been deleted"):
        taken.apply_plan(plan=plan, user=owner, key="half")


def test_it_drafts_a_campaign(plan: BudgetPlan, owner: User):
    made = taken.apply_plan(plan=plan, user=owner, key="half", name="Spring")
    campaign = made.campaign
    assert campaign is not None
    assert (campaign.name, campaign.state) == ("Spring", CampaignState.DRAFT)
    assert (campaign.assignments_per_hit, campaign.reward) == (3, Decimal("0.15"))
    assert campaign.scope == {"examples": made.work["people"]}
    assert len(made.work["people"]) == 2
    assert len(made.work["examples"]) == 3
    assert (made.chosen, made.chosen_by) == ("half", owner)
    # Two examples of two systems, three judges; SCUs that are to come are counted.
    cost = estimate_cost(campaign)
    assert (cost.summaries, cost.hits, cost.assignments) == (4, 4, 12)
    assert cost.statements == 4 * 2
    assert campaign.budget >= cost.total


def test_it_keeps_within_the_users_own_money(plan: BudgetPlan, owner: User):
    plan.asked["money"] = "1.00"
    plan.frontier["plans"][0]["money"] = "0.50"
    plan.save()
    campaign = taken.apply_plan(plan=plan, user=owner, key="half").campaign
    assert campaign is not None
    assert campaign.budget == Decimal("0.50")


def test_it_is_not_published_before_the_set_is_frozen(plan: BudgetPlan, owner: User):
    made = taken.apply_plan(plan=plan, user=owner, key="half", name="Spring")
    assert made.campaign is not None
    assert made.unit_set is not None
    obstacles = list_obstacles(made.campaign)
    assert [words[:22] for words in obstacles] == ["Spring v1 isn't frozen"]
    with pytest.raises(DomainError, match="isn't frozen"):
        publish_campaign(campaign=made.campaign, user=owner)
    for example in made.project.examples.all():
        factories.add_unit(made.unit_set, example, owner, "A dam burst on a Monday.")
    factories.freeze(made.unit_set, owner)
    campaign = Campaign.objects.get(pk=made.campaign.pk)
    assert "frozen" not in " ".join(list_obstacles(campaign))
    # SCUs and stand-ins are judged, both.
    assert estimate_cost(campaign).statements == 4 * 2


def test_it_asks_nobody_where_the_judge_alone_scores(plan: BudgetPlan, owner: User):
    plan.frontier["plans"][0] |= {"people": 0, "judges": 0}
    plan.save()
    made = taken.apply_plan(plan=plan, user=owner, key="half")
    assert (made.campaign, bool(made.unit_set)) == (None, True)


def test_it_draws_examples_by_lot(plan: BudgetPlan, corpus: Project, stus: UnitSet):
    row = plan.frontier["plans"][0] | {"examples": 2, "people": 1}
    small = Plan.from_json(row)
    work, ids = choose_sentences(corpus, small, stus, seed=0)
    again, _ = choose_sentences(corpus, small, stus, seed=0)
    assert work == again
    assert (len(work.examples), len(work.people), len(ids)) == (2, 1, 2)
    assert set(work.people) <= set(work.examples)


def test_it_draws_sentences_by_lot_where_nothing_is_foretold(
    plan: BudgetPlan, corpus: Project, stus: UnitSet
):
    SentencePlan.objects.filter(set=stus).delete()
    chosen = Plan.from_json(plan.plans[0])
    drawn = {tuple(sorted(choose_sentences(corpus, chosen, stus, seed)[1])) for seed in range(6)}
    assert {len(row) for row in drawn} == {3}
    assert len(drawn) > 1


def test_it_is_made_once(plan: BudgetPlan, owner: User):
    taken.apply_plan(plan=plan, user=owner, key="half")
    with pytest.raises(DomainError, match="already"):
        taken.apply_plan(plan=plan, user=owner, key="half", name="Again")
    assert not UnitSet.objects.filter(name="Again").exists()
    with pytest.raises(DomainError, match="has a plan in use"):
        planning_service.delete_plan(plan=plan, user=owner)


def test_it_makes_all_or_nothing(plan: BudgetPlan, owner: User, stus: UnitSet):
    campaign = factories.make_set(plan.project, owner, "Taken")
    assert campaign
    with pytest.raises(DomainError, match="'Taken'"):
        taken.apply_plan(plan=plan, user=owner, key="half", name="Taken")
    plan.refresh_from_db()
    assert (plan.chosen, plan.unit_set, plan.campaign) == ("", None, None)


def test_it_refuses_a_plan_that_is_not_there(plan: BudgetPlan, owner: User, viewer: User):
    with pytest.raises(NotFound, match="No plan is called 'other'"):
        taken.apply_plan(plan=plan, user=owner, key="other")
    with pytest.raises(Invalid, match="1 to 80"):
        taken.apply_plan(plan=plan, user=owner, key="half", name="x" * 81)
    with pytest.raises(DomainError, match="allowed to write"):
        taken.apply_plan(plan=plan, user=owner, key="half", author=viewer)
    plan.is_ready = False
    with pytest.raises(DomainError, match="still being calculated"):
        taken.apply_plan(plan=plan, user=owner, key="half")


def test_it_needs_stus(corpus: Project, owner: User):
    plan = make_plan(corpus, owner)
    with pytest.raises(DomainError, match="no STUs are chosen"):
        taken.apply_plan(plan=plan, user=owner, key=key_of(plan))
    stus = make_stus(corpus, owner)
    made = taken.apply_plan(plan=plan, user=owner, key=key_of(plan), stus=stus)
    assert made.stus == stus


def test_it_is_taken_back(plan: BudgetPlan, owner: User):
    made = taken.apply_plan(plan=plan, user=owner, key="half")
    taken.undo_plan(plan=made, user=owner)
    assert not plan.project.campaigns.exists()
    assert not UnitSet.objects.filter(name=f"Budget {plan.pk}").exists()
    assert (made.chosen, made.work, made.unit_set, made.campaign) == ("", {}, None, None)
    with pytest.raises(DomainError, match="no plan in use"):
        taken.undo_plan(plan=made, user=owner)


def test_it_stays_once_somebody_has_written(plan: BudgetPlan, owner: User):
    made = taken.apply_plan(plan=plan, user=owner, key="half")
    assert made.unit_set is not None
    example = made.project.examples.earliest("pk")
    factories.add_unit(made.unit_set, example, owner, "A dam burst.")
    with pytest.raises(DomainError, match="have already been written"):
        taken.undo_plan(plan=made, user=owner)


def test_it_stays_once_it_is_published(plan: BudgetPlan, owner: User):
    made = taken.apply_plan(plan=plan, user=owner, key="half")
    Campaign.objects.update(state=CampaignState.LIVE)
    with pytest.raises(DomainError, match="is published"):
        taken.undo_plan(plan=made, user=owner)


def test_it_keeps_a_set_that_a_draft_is_about(plan: BudgetPlan, owner: User):
    made = taken.apply_plan(plan=plan, user=owner, key="half")
    assert made.unit_set is not None
    with pytest.raises(DomainError, match="draft campaign Budget 1"):
        sets_service.delete_set(unit_set=made.unit_set, user=owner)
    Campaign.objects.all().delete()
    sets_service.delete_set(unit_set=made.unit_set, user=owner)
    plan.refresh_from_db()
    assert (plan.chosen, plan.unit_set) == ("", None)


def test_it_goes_with_its_project(plan: BudgetPlan, owner: User):
    from annotation.corpora.projects.service import delete_project

    taken.apply_plan(plan=plan, user=owner, key="half")
    delete_project(project=plan.project)
    assert not BudgetPlan.objects.exists()
