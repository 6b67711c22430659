"""Campaigns about units that are planned and not yet written."""

from __future__ import annotations

import pytest
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Sentence
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns import planning, steps
from annotation.crowd.campaigns import service as campaigns_service
from annotation.crowd.campaigns.live import list_examples_with_units
from annotation.crowd.campaigns.models import Campaign
from annotation.crowd.campaigns.planning import count_judged_units, list_judged_units, list_scope
from annotation.crowd.judging_page.question import list_preview_hits
from annotation.crowd.market.requesters import get_project_requester
from annotation.errors import DomainError, NotFound
from annotation.units.sets import service as sets_service
from annotation.units.sets.models import UnitSet
from annotation.units.studio import progress
from annotation.units.stus.models import SentencePlan
from tests import factories
from tests.annotation.crowd.working import make_worker


@pytest.fixture
def planned(corpus: Project, owner: User) -> UnitSet:
    """A draft in which people write the first sentence of each reference; nothing is written."""
    unit_set = factories.make_set(corpus, owner, "Planned")
    rows = Sentence.objects.filter(reference__example__project=corpus)
    SentencePlan.objects.bulk_create(
        SentencePlan(set=unit_set, sentence=row, difficulty=0.5, is_human=row.position == 0)
        for row in rows
    )
    return unit_set


def draft(unit_set: UnitSet) -> Campaign:
    """There are workers for all four assignments."""
    for number in range(4):
        make_worker(f"W{number}")
    return campaigns_service.create_campaign(
        project=unit_set.project, user=None, unit_set=unit_set, name="Drafted"
    )


def sizes(campaign: Campaign) -> list[int]:
    found = count_judged_units(campaign)
    return [found.get(row.pk, 0) for row in campaign.project.examples.order_by("position")]


def test_it_refuses_units_that_nobody_has_planned(corpus: Project, owner: User) -> None:
    with pytest.raises(DomainError, match="not frozen"):
        draft(factories.make_set(corpus, owner))


def test_it_counts_what_is_to_come_by_words(planned: UnitSet) -> None:
    campaign = draft(planned)
    # Five words, an SCU for every 4.5.
    assert sizes(campaign) == [1, 1, 1]
    assert list_scope(campaign).count() == 6
    assert [key for _, key in list_examples_with_units(campaign)] == ["e1", "e2", "e3"]
    cost = planning.estimate_cost(campaign)
    assert (cost.hits, cost.statements) == (6, 6)
    assert campaign.budget == cost.total


def test_it_believes_who_has_written_more(planned: UnitSet, owner: User) -> None:
    campaign = draft(planned)
    first, second, _ = planned.project.examples.order_by("position")
    for text in ("A dam burst.", "It was Monday.", "The dam was old."):
        factories.add_unit(planned, first, owner, text)
    assert sizes(campaign) == [3, 1, 1]
    # One that is said to be done has the units it has.
    progress.mark_written(unit_set=planned, example=second, user=owner)
    assert sizes(campaign) == [3, 0, 1]


def test_it_judges_stand_ins_too(planned: UnitSet, owner: User) -> None:
    campaign = draft(planned)
    example = planned.project.examples.earliest("pk")
    factories.add_unit(planned, example, owner, "A dam burst.")
    stand_in = factories.add_unit(planned, example, owner, "Nobody was hurt")
    planned.units.filter(pk=stand_in.pk).update(kind="stu")
    assert list_judged_units(campaign).count() == 2
    # Without a plan, STUs among SCUs are mere suggestions.
    SentencePlan.objects.filter(set=planned).update(is_human=True)
    assert list_judged_units(campaign).count() == 1


def test_it_says_that_there_is_nothing_to_preview_yet(planned: UnitSet) -> None:
    campaign = draft(planned)
    summary = list_scope(campaign).select_related("example", "system").earliest("pk")
    with pytest.raises(NotFound, match="has no units yet"):
        list_preview_hits(campaign, summary)


def test_its_page_asks_for_money_only_once_that_is_missing(
    planned: UnitSet, owner: User, as_owner: Client
) -> None:
    campaign = draft(planned)
    get_project_requester(project=planned.project)
    here = f"/p/study/crowd/{campaign.pk}/"
    assert as_owner.get(here).context["shortage"] == ""
    for example in planned.project.examples.all():
        factories.add_unit(planned, example, owner, "A dam burst.")
    factories.freeze(planned, owner)
    context = as_owner.get(here).context
    assert context["shortage"] in context["obstacles"]


def test_it_is_published_once_the_set_is_frozen(planned: UnitSet, owner: User) -> None:
    campaign = draft(planned)
    [obstacle] = steps.list_obstacles(campaign)
    assert obstacle.startswith("Planned v1 isn't frozen")
    for example in planned.project.examples.all():
        factories.add_unit(planned, example, owner, "A dam burst.")
    factories.freeze(planned, owner)
    campaign = Campaign.objects.select_related("unit_set").get(pk=campaign.pk)
    assert sizes(campaign) == [1, 1, 1]
    assert not any("frozen" in words for words in steps.list_obstacles(campaign))


def test_it_keeps_the_set_of_a_draft(planned: UnitSet, owner: User) -> None:
    draft(planned)
    with pytest.raises(DomainError, match="campaign Drafted uses"):
        sets_service.delete_set(unit_set=planned, user=owner)


def test_it_warns_of_planned_examples_that_have_no_units(planned: UnitSet, owner: User) -> None:
    campaign = draft(planned)
    first, second, third = planned.project.examples.order_by("position")
    campaign = campaigns_service.update_campaign(
        campaign=campaign, user=owner, scope={"examples": [first.pk, second.pk]}
    )
    factories.add_unit(planned, first, owner, "A dam burst.")
    factories.add_unit(planned, third, owner, "A dam burst.")
    [words] = steps.list_warnings(campaign)
    assert words.startswith("1 example of 2 has no units and is left out: e2. ")
    assert "scores without them are biased" in words
    assert "Before you freeze Planned v1" in words
    factories.freeze(planned, owner)
    campaign = Campaign.objects.select_related("unit_set").get(pk=campaign.pk)
    assert list_scope(campaign).count() == 2
    [words] = steps.list_warnings(campaign)
    assert "create the next version of Planned v1" in words


def test_it_warns_of_nothing_where_every_example_has_units(planned: UnitSet, owner: User) -> None:
    campaign = draft(planned)
    assert steps.list_warnings(campaign)
    for example in planned.project.examples.all():
        factories.add_unit(planned, example, owner, "A dam burst.")
    assert steps.list_warnings(campaign) == []
