"""Pages of budgets and plans, as those who read them and those who take one."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.imports.models import Import, KeptFile
from annotation.corpora.jobs.service import run_job
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import Campaign, CampaignState
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.planning import taken
from annotation.evaluation.planning.models import BudgetPlan
from annotation.evaluation.templatetags.gold_words import signed
from annotation.units.sets.models import Unit, UnitSet
from annotation.units.stus.models import SentencePlan
from tests import factories
from tests.annotation.corpora.pages import Page, page_of
from tests.annotation.crowd.working import make_worker
from tests.annotation.evaluation.plan_permissions import filled
from tests.annotation.evaluation.planned import begin_plan, key_of, make_plan
from tests.annotation.units.writing import act

HERE = "/p/study/plans/"


def get(client: Client, path: str = "", **query: str) -> Page:
    return page_of(client.get(f"{HERE}{path}", query))


@pytest.fixture(scope="module")
def kept_plan(kept_labelled: LabelSet, kept_stus: UnitSet) -> BudgetPlan:
    return make_plan(kept_labelled.project, kept_labelled.created_by, stus=kept_stus)


@pytest.fixture
def plan(db: None, kept_plan: BudgetPlan) -> BudgetPlan:
    return BudgetPlan.objects.get(pk=kept_plan.pk)


def test_it_asks_for_a_corpus_first(project: Project, as_owner: Client) -> None:
    assert "Import a corpus first" in get(as_owner).text


def test_it_offers_the_first_budget_to_those_who_may(
    corpus: Project, as_owner: Client, as_viewer: Client
) -> None:
    assert f"{HERE}new/" in get(as_owner).links
    assert "Only owners and editors" in get(as_viewer).text
    assert HERE in page_of(as_viewer.get("/p/study/")).links


def test_it_says_what_is_known_of_the_project(corpus: Project, as_owner: Client) -> None:
    page = get(as_owner, "new/")
    assert "assumed; no timings yet" in page.text
    assert "There are no STUs yet." in page.text
    assert 'name="money" value="150.00"' in page.html
    assert 'name="hours" value="6"' in page.html


def test_it_finds_plans_and_shows_them(labelled: LabelSet, stus: UnitSet, as_owner: Client) -> None:
    response = as_owner.post(f"{HERE}new/", {**filled(), "stus": stus.pk})
    made = BudgetPlan.objects.get()
    assert response["Location"] == f"{HERE}{made.pk}/"
    waiting = get(as_owner, f"{made.pk}/")
    assert "Waiting for a worker" in waiting.text
    assert f"/p/study/jobs/{made.job_id}/cancel/" in waiting.actions
    run_job(job_id=made.job_id or 0)
    text = get(as_owner, f"{made.pk}/").text
    assert "$150 and 6 hours of writing" in text
    assert "◆ recommended" in text
    assert "Gain from spending" in text
    assert "predicted to be hardest" in text or "for all" in text
    assert "there is no pilot" in text


def test_it_says_why_a_plan_is_recommended(stus: UnitSet, as_owner: Client) -> None:
    made = make_plan(stus.project, stus=stus)
    found = made.frontier
    numbers = {row["key"]: number for number, row in enumerate(made.plans, 1)}
    html = as_owner.get(f"{HERE}{made.pk}/").content.decode()
    assert 'id="why"' in html
    assert f"Plan {numbers[found['best']]}</strong>" in html
    marked = html.count("▲ best expected")
    assert bool(marked) == (found["top"] != found["best"])
    top = made.plans[numbers[found["top"]] - 1]
    value, low, high = top["adds"]["correlation"]
    if top["key"] != found["base"]:
        assert signed(value) in html
        assert f"{signed(low)} to {signed(high)}" in html
        assert ("is not significant" in html) == (low <= 0)


def test_it_names_scus_that_are_no_set_yet(corpus: Project, owner: User, as_owner: Client) -> None:
    assert 'id="waiting-scus"' not in get(as_owner, "new/").html
    source = Import.objects.get(project=corpus)
    KeptFile.objects.create(source=source, name="SCUs.txt", data=b"The dam burst.\n")
    page = get(as_owner, "new/")
    assert 'id="waiting-scus"' in page.html
    assert "/p/study/units/" in page.links
    made = factories.make_set(corpus, owner, "SCUs")
    factories.add_unit(made, corpus.examples.get(key="e1"), owner, "The dam burst.")
    assert 'id="waiting-scus"' not in get(as_owner, "new/").html


def test_it_starts_from_the_scus_that_are_there(
    labelled: LabelSet, stus: UnitSet, as_owner: Client
) -> None:
    scus = labelled.unit_set
    html = as_owner.get(f"{HERE}new/").content.decode()
    assert re.search(r'id="known-scus">9 <small', html)
    assert f'<option value="{scus.pk}" selected>{scus}</option>' in html
    as_owner.post(f"{HERE}new/", {**filled(), "stus": stus.pk, "scus": scus.pk})
    made = BudgetPlan.objects.get()
    assert (made.scus, made.asked["scus"]) == (scus, str(scus))
    assert made.asked["existing"] > 0


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"goal": "width", "goal_width": ""}, "Enter a value."),
        ({"money": "-1"}, "greater than or equal to 0"),
        ({"reward": "0.155"}, "2 decimal places"),
        ({"goal": "luck"}, "is not one of the available choices"),
        ({"systems": 1}, "greater than or equal to 2"),
    ],
)
def test_it_says_what_is_wrong(
    corpus: Project, as_owner: Client, changes: dict[str, str], words: str
) -> None:
    page = page_of(as_owner.post(f"{HERE}new/", {**filled(), **changes}), 422)
    assert words in page.text
    assert not BudgetPlan.objects.exists()


def test_it_says_what_the_service_refuses(labelled: LabelSet, as_owner: Client) -> None:
    sent = {**filled(), "pilot": f"labels-{labelled.pk}"}
    page = page_of(as_owner.post(f"{HERE}new/", sent), 422)
    assert "A pilot needs STUs." in page.text


def test_it_asks_again_with_other_words(plan: BudgetPlan, as_owner: Client) -> None:
    plan.asked |= {"money": "80.00", "goal_width": 0.2, "reward": "0.20"}
    plan.save()
    html = get(as_owner, "new/", again=str(plan.pk)).html
    assert 'name="money" value="80.00"' in html
    assert 'value="width" checked' in html
    assert 'name="goal_width" value="0.2"' in html
    assert f'value="{plan.stus_id}" selected' in html
    assert 'name="hours" value="9"' in get(as_owner, "new/", again="7", hours="9").html
    assert 'value="150.00"' in get(as_owner, "new/", again="none").html


def test_it_shows_the_plan_that_is_looked_at(plan: BudgetPlan, as_viewer: Client) -> None:
    rows = plan.plans
    last = rows[-1]["key"]
    page = get(as_viewer, f"{plan.pk}/", plan=last, figure="power")
    assert f"Plan {len(rows)}" in page.text
    assert "Power by cost" in page.text
    assert 'aria-current="true"' in page.html
    # A viewer sees everything and takes nothing.
    assert "Use this plan" not in page.text
    odd = get(as_viewer, f"{plan.pk}/", plan="nonsense", figure="nonsense")
    assert "Correlation by cost" in odd.text
    assert "two systems that truly differ by 0.05" in odd.text
    assert "this one is assumed" in odd.text


def test_it_folds_all_but_a_handful(plan: BudgetPlan, as_viewer: Client) -> None:
    rows = plan.frontier["plans"]
    more = [{**rows[0], "key": f"more-{number}"} for number in range(20)]
    plan.frontier = {**plan.frontier, "plans": [*rows, *more]}
    plan.save()
    page = get(as_viewer, f"{plan.pk}/")
    assert f"Show all {len(rows) + 20}" in page.text
    handful, _, every = page.html.partition('id="all-plans"')
    assert handful.count("<tr data-row") <= 5
    assert every.count("<tr data-row") == len(rows) + 20
    assert every.startswith(' class="plans-fold apart"><summary')
    # What is looked at is never folded away.
    page = get(as_viewer, f"{plan.pk}/", plan="more-7")
    assert 'id="all-plans" class="plans-fold apart" open>' in page.html


def test_it_shows_the_goal(corpus: Project, owner: User, as_viewer: Client) -> None:
    wide = make_plan(corpus, owner, goal_width=0.9)
    text = get(as_viewer, f"{wide.pk}/").text
    assert "your goal" in text
    assert "✓ met" in text
    told = make_plan(corpus, owner, goal_difference=0.2, power=0.5, money=None, hours=None)
    page = get(as_viewer, f"{told.pk}/")
    assert "a difference of 0.2 detected 50 % of the time" in page.text
    assert "Any budget" in page.text
    assert "no limit" in page.text


def test_it_makes_it_so(plan: BudgetPlan, as_owner: Client, owner: User) -> None:
    key = key_of(plan)
    page = get(as_owner, f"{plan.pk}/", plan=key)
    assert "Use this plan" in page.text
    writer = plan.project.memberships.get(user=owner).pk
    sent = {"key": key, "name": "Spring", "author": writer}
    response = as_owner.post(f"{HERE}{plan.pk}/apply/", sent)
    assert response["Location"] == f"{HERE}{plan.pk}/"
    plan.refresh_from_db()
    assert (plan.chosen, str(plan.unit_set), str(plan.campaign)) == (key, "Spring v1", "Spring")
    text = get(as_owner, f"{plan.pk}/").text
    assert "✓ In use" in text
    assert "it can be published once the set is frozen" in text
    assert "Simulation with existing labels" in text
    assert "not a result of your study" in text
    assert "Undo plan" in text
    listed = get(as_owner)
    assert f"/p/study/units/{plan.unit_set_id}/" in listed.links
    assert f"/p/study/crowd/{plan.campaign_id}/" in listed.links
    overview = page_of(as_owner.get("/p/study/")).text
    assert "% SCU" in overview


def test_it_counts_what_really_happened(
    plan: BudgetPlan, owner: User, editor: User, as_owner: Client
) -> None:
    made = taken.apply_plan(plan=plan, user=owner, key=key_of(plan), author=editor)
    unit_set = made.unit_set
    assert unit_set is not None
    rows = SentencePlan.objects.filter(set=unit_set, is_human=True)
    human = rows.count()
    text = get(as_owner, f"{plan.pk}/").text
    assert f"Written by people 0 of {human} sentence" in text
    assert "Judged by people 0 of " in text
    assert f"{human} of {human} sentences are still to be written" in text
    sentence = rows[0].sentence
    span = {"reference": sentence.reference_id, "start": sentence.start, "end": sentence.end}
    change = {"action": "create", "text": "It burst.", "spans": [span]}
    act(unit_set, sentence.reference.example, editor, change)
    assert f"Written by people 1 of {human} sentence" in get(as_owner, f"{plan.pk}/").text
    factories.freeze(unit_set, owner)
    text = get(as_owner, f"{plan.pk}/").text
    assert "is a draft" in text
    assert "it can be published now that the set is frozen" in text
    assert made.campaign is not None
    Campaign.objects.filter(pk=made.campaign.pk).update(state=CampaignState.LIVE)
    text = get(as_owner, f"{plan.pk}/").text
    assert "is live, with a budget of" in text
    assert "it can be published" not in text


def test_it_says_why_a_plan_is_not_taken(plan: BudgetPlan, as_owner: Client) -> None:
    sent = {"key": key_of(plan), "name": "Judged"}
    page = page_of(as_owner.post(f"{HERE}{plan.pk}/apply/", sent), 422)
    assert "'Judged'" in page.text
    empty = page_of(as_owner.post(f"{HERE}{plan.pk}/apply/", {"key": "none"}), 422)
    assert "This field is required." in empty.text


def test_it_asks_for_stus_before_a_plan_is_taken(
    corpus: Project, owner: User, as_owner: Client
) -> None:
    plan = make_plan(corpus, owner)
    page = get(as_owner, f"{plan.pk}/")
    assert "Extract STUs first" in page.text
    assert f"{HERE}{plan.pk}/apply/" not in page.actions


def test_it_lets_stus_be_chosen_late(labelled: LabelSet, stus: UnitSet, as_owner: Client) -> None:
    plan = make_plan(labelled.project)
    assert "STUs to use" in get(as_owner, f"{plan.pk}/").text
    sent = {"key": key_of(plan), "name": "Late", "stus": stus.pk}
    as_owner.post(f"{HERE}{plan.pk}/apply/", sent)
    plan.refresh_from_db()
    assert plan.stus == stus


def test_it_offers_no_stand_ins_as_stus(
    plan: BudgetPlan, owner: User, as_owner: Client, stus: UnitSet
) -> None:
    made = taken.apply_plan(plan=plan, user=owner, key=key_of(plan))
    assert made.unit_set is not None
    SentencePlan.objects.filter(set=made.unit_set).update(is_human=False)
    html = get(as_owner, "new/").html
    assert f'value="{stus.pk}" selected' in html
    assert f'<option value="{made.unit_set.pk}"' not in html


def test_it_is_taken_back(plan: BudgetPlan, owner: User, as_owner: Client) -> None:
    taken.apply_plan(plan=plan, user=owner, key=key_of(plan))
    as_owner.post(f"{HERE}{plan.pk}/undo/")
    plan.refresh_from_db()
    assert plan.chosen == ""
    as_owner.post(f"{HERE}{plan.pk}/delete/")
    assert not BudgetPlan.objects.exists()


def test_it_tells_that_the_job_failed(corpus: Project, as_owner: Client) -> None:
    plan = begin_plan(corpus)
    assert plan.job is not None
    plan.job.state, plan.job.error = "failed", "No luck."
    plan.job.save()
    assert "No luck." in get(as_owner, f"{plan.pk}/").text
    assert "✕ Failed" in get(as_owner).text


def test_it_gives_the_plans_as_csv(plan: BudgetPlan, as_viewer: Client) -> None:
    response = as_viewer.get(f"{HERE}{plan.pk}/plans.csv")
    text = b"".join(response).decode()
    assert response["Content-Disposition"] == f'attachment; filename="plans-{plan.pk}.csv"'
    assert text.count("\n") == 1 + len(plan.plans)


def test_it_quotes_a_further_system(plan: BudgetPlan, owner: User, as_viewer: Client) -> None:
    assert "No campaign yet" not in get(as_viewer, "quote/").text
    made = taken.apply_plan(plan=plan, user=owner, key=key_of(plan), name="Spring")
    assert made.campaign is not None
    text = get(as_viewer, "quote/", campaign=str(made.campaign.pk), systems="2").text
    assert "for 2 systems" in text
    assert "Spring v1 is not frozen" in text
    wrong = get(as_viewer, "quote/", campaign=str(made.campaign.pk), systems="0").text
    assert "Choose a campaign and at least one system." in wrong


def test_it_needs_a_campaign_to_quote(corpus: Project, as_viewer: Client) -> None:
    assert "No campaign yet" in get(as_viewer, "quote/").text


def test_it_shows_a_draft_whose_units_are_to_come(
    plan: BudgetPlan, owner: User, as_owner: Client
) -> None:
    made = taken.apply_plan(plan=plan, user=owner, key=key_of(plan), name="Spring")
    assert made.campaign is not None
    for number in range(made.campaign.assignments_per_hit):
        make_worker(f"W{number}")
    crowd = f"/p/study/crowd/{made.campaign.pk}/"
    text = page_of(as_owner.get(crowd)).text
    assert "Spring v1 isn't frozen" in text
    assert "Warnings" not in text
    Unit.objects.filter(set=made.unit_set).update(is_deleted=True)
    assert "Warnings" in page_of(as_owner.get(crowd)).text
    assert page_of(as_owner.get(f"{crowd}setup/")).text
