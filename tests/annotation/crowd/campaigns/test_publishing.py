"""Publishing: every HIT once, whatever happens to the calls and to us."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from annotation.corpora.corpus.models import Example, Summary, System
from annotation.corpora.jobs.models import JobState
from annotation.corpora.jobs.service import retry_job, run_job
from annotation.crowd.campaigns import collecting, ledger, planning, publishing, steps
from annotation.crowd.campaigns import service as campaigns_service
from annotation.crowd.campaigns.collecting import take_turn
from annotation.crowd.campaigns.ledger import OverBudget
from annotation.crowd.campaigns.live import list_systems_left
from annotation.crowd.campaigns.models import (
    Campaign,
    CampaignState,
    Hit,
    HitState,
    Intent,
    IntentKind,
    Settlement,
)
from annotation.crowd.campaigns.planning import price_extension
from annotation.crowd.market.models_accounts import Requester
from annotation.crowd.market.models_work import MarketEntry, MarketHit
from annotation.errors import DomainError
from tests.annotation.crowd.wire import fail_after_success, lose_answer, refuse_connection, throttle


def publish(campaign: Campaign):
    job = steps.publish_campaign(campaign=campaign, user=None)
    run_job(job_id=job.pk)
    job.refresh_from_db()
    campaign.refresh_from_db()
    return job


def test_it_puts_every_hit_out(campaign, wire):
    job = publish(campaign)
    assert job.state == JobState.DONE, job.error
    assert campaign.state == CampaignState.LIVE
    assert job.result == {"planned": 6, "published": 6, "extended": 0}
    hits = list(Hit.objects.filter(campaign=campaign))
    assert {hit.provider_id for hit in hits} == set(
        MarketHit.objects.values_list("hit_id", flat=True)
    )
    assert {hit.state for hit in hits} == {HitState.OPEN}
    assert min(hit.expires_at for hit in hits if hit.expires_at) > timezone.now()
    assert wire.count("CreateHITType") == 1


def test_it_commits_exactly_the_cost_and_adds_no_money(campaign, wire):
    publish(campaign)
    books = ledger.get_books(campaign)
    assert books.committed == campaign.budget == Decimal("1.20")
    assert (books.spent, books.open_intents) == (Decimal(0), 0)
    requester = Requester.objects.get(project=campaign.project)
    assert (requester.balance, requester.held) == (Decimal(1000), Decimal("1.20"))
    assert MarketEntry.objects.get().note == "For tests"


def test_it_needs_money_that_staff_prepaid(campaign, wire):
    """A cap that somebody raised is no money; neither is the start of a job."""
    Requester.objects.update(balance="1.19")
    said = "This costs up to $1.20, but the prepaid budget of A study has only $1.19 available."
    [obstacle] = steps.list_obstacles(campaign)
    assert obstacle == f"{said} Ask staff to add $0.01."
    with pytest.raises(DomainError, match=r"Ask staff to add \$0\.01"):
        steps.publish_campaign(campaign=campaign, user=None)
    Requester.objects.update(balance="1.20")
    job = steps.publish_campaign(campaign=campaign, user=None)
    Requester.objects.update(balance="0.60")
    run_job(job_id=job.pk)
    job.refresh_from_db()
    assert (job.state, "prepaid budget does not cover" in job.error) == (JobState.FAILED, True)
    assert MarketHit.objects.count() == 3
    assert MarketEntry.objects.count() == 1


def test_it_needs_prepaid_money_to_extend(campaign, wire):
    publish(campaign)
    campaigns_service.update_campaign(campaign=campaign, user=None, budget="500")
    Requester.objects.update(balance="1.20")
    campaign.refresh_from_db()
    with pytest.raises(OverBudget, match=r"Ask staff to add \$0\.60"):
        steps.extend_campaign(campaign=campaign, user=None, additional=1)
    campaign.refresh_from_db()
    assert (campaign.state, campaign.assignments_per_hit) == (CampaignState.LIVE, 2)


@pytest.mark.parametrize("fault", [refuse_connection, lose_answer, fail_after_success, throttle])
def test_it_makes_no_second_hit_when_a_call_fails(campaign, wire, fault):
    for _ in range(3):
        wire.fail("CreateHITWithHITType", fault)
    publish(campaign)
    assert campaign.state == CampaignState.LIVE
    assert MarketHit.objects.count() == 6
    assert Intent.objects.filter(kind=IntentKind.PUBLISH).count() == 6


def test_it_goes_on_where_a_failed_job_stopped(campaign, wire):
    for _ in range(6):
        wire.fail("CreateHITWithHITType", lose_answer)
    job = publish(campaign)
    assert job.state == JobState.FAILED
    assert campaign.state == CampaignState.PUBLISHING
    retry_job(job=job)
    run_job(job_id=job.pk)
    campaign.refresh_from_db()
    assert campaign.state == CampaignState.LIVE
    assert MarketHit.objects.count() == 6
    assert ledger.get_books(campaign).committed == Decimal("1.20")


@pytest.mark.parametrize("arrived", [True, False])
def test_it_looks_before_it_uses_an_old_token(campaign, wire, monkeypatch, arrived):
    """A day later the provider has forgotten the token: only a look tells."""
    for _ in range(4):
        wire.fail("CreateHITWithHITType", lose_answer if arrived else refuse_connection)
    job = publish(campaign)
    monkeypatch.setattr(publishing, "TOKEN_LIFE", timedelta(0))
    monkeypatch.setattr("annotation.crowd.market.validation.LIFE", timedelta(0))
    retry_job(job=job)
    run_job(job_id=job.pk)
    campaign.refresh_from_db()
    assert campaign.state == CampaignState.LIVE
    assert wire.count("ListHITs") >= 1
    assert MarketHit.objects.count() == 6


def test_it_never_passes_the_cap(campaign, wire):
    campaigns_service.update_campaign(campaign=campaign, user=None, budget="1.19")
    campaign.refresh_from_db()
    with pytest.raises(DomainError, match=r"\$1\.20"):
        steps.publish_campaign(campaign=campaign, user=None)
    Campaign.objects.filter(pk=campaign.pk).update(budget="1.20")
    campaign.refresh_from_db()
    job = steps.publish_campaign(campaign=campaign, user=None)
    Campaign.objects.filter(pk=campaign.pk).update(budget="1.19")
    run_job(job_id=job.pk)
    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert "budget" in job.error
    assert not MarketHit.objects.exists()


def test_it_asks_for_more_assignments(campaign, wire):
    publish(campaign)
    campaigns_service.update_campaign(campaign=campaign, user=None, budget="1.80")
    campaign.refresh_from_db()
    job = steps.extend_campaign(campaign=campaign, user=None, additional=1)
    wire.fail("CreateAdditionalAssignmentsForHIT", lose_answer)
    run_job(job_id=job.pk)
    job.refresh_from_db()
    assert job.state == JobState.DONE, job.error
    assert set(MarketHit.objects.values_list("max_assignments", flat=True)) == {3}
    assert set(Hit.objects.values_list("wanted", flat=True)) == {3}
    assert ledger.get_books(campaign).committed == Decimal("1.80")


def test_it_refuses_to_extend_beyond_the_budget(campaign, wire):
    publish(campaign)
    with pytest.raises(OverBudget, match=r"\$0\.60.*\$0\.00") as refused:
        steps.extend_campaign(campaign=campaign, user=None, additional=1)
    assert "to $1.80 or more" in refused.value.hint
    campaign.refresh_from_db()
    assert (campaign.state, campaign.assignments_per_hit) == (CampaignState.LIVE, 2)


@pytest.mark.parametrize("short", ["0.01", "0"])
def test_it_says_the_least_cap_that_will_do(campaign, wire, short):
    publish(campaign)
    raise_budget(campaign, str(Decimal("1.80") - Decimal(short)))
    if Decimal(short):
        with pytest.raises(OverBudget):
            steps.extend_campaign(campaign=campaign, user=None, additional=1)
    else:
        steps.extend_campaign(campaign=campaign, user=None, additional=1)


def test_it_says_what_room_a_draft_leaves(campaign):
    cost = planning.estimate_cost(campaign)
    room = planning.find_room(campaign, cost)
    assert (cost.total, room.left, room.one_more) == (Decimal("1.20"), Decimal(0), Decimal("0.60"))
    assert (room.cap, room.is_enough) == (Decimal("1.80"), False)
    raise_budget(campaign, str(room.cap))
    assert planning.find_room(campaign, cost).is_enough


def raise_budget(campaign: Campaign, budget: str) -> None:
    campaigns_service.update_campaign(campaign=campaign, user=None, budget=budget)
    campaign.refresh_from_db()


def test_it_does_not_begin_what_the_provider_refuses(campaign, wire):
    publish(campaign)
    raise_budget(campaign, "50")
    with pytest.raises(DomainError, match="fewer than 10 assignments"):
        steps.extend_campaign(campaign=campaign, user=None, additional=8)
    campaign.refresh_from_db()
    assert campaign.state == CampaignState.LIVE


def test_it_extends_once_for_two_clicks(campaign, wire):
    publish(campaign)
    raise_budget(campaign, "5")
    first = steps.extend_campaign(campaign=campaign, user=None, additional=1, expected=2)
    with pytest.raises(DomainError, match="publishing"):
        steps.extend_campaign(campaign=campaign, user=None, additional=1)
    run_job(job_id=first.pk)
    campaign.refresh_from_db()
    with pytest.raises(DomainError, match="now has 3 assignments"):
        steps.extend_campaign(campaign=campaign, user=None, additional=1, expected=2)
    assert set(MarketHit.objects.values_list("max_assignments", flat=True)) == {3}


def add_system(campaign: Campaign, name: str) -> System:
    source = campaign.project.imports.earliest("pk")
    made = System.objects.create(project=campaign.project, source=source, name=name)
    for row in Example.objects.filter(project=campaign.project):
        text = f"{name} of {row.key}"
        Summary.objects.create(source=source, example=row, system=made, text=text)
    return made


def test_it_judges_a_system_that_came_later_when_somebody_says_so(campaign, wire):
    """One of two is chosen; the other, and asking for more assignments, bring in nothing."""
    publish(campaign)
    raise_budget(campaign, "20")
    late, later = add_system(campaign, "late"), add_system(campaign, "later")
    assert list(list_systems_left(campaign)) == [late, later]
    run_job(job_id=steps.extend_campaign(campaign=campaign, user=None, additional=1).pk)
    campaign.refresh_from_db()
    assert MarketHit.objects.count() == 6
    price = price_extension(campaign, 0, [late.pk])
    assert (price.number, price.total) == (9, Decimal("0.90"))
    job = steps.extend_campaign(campaign=campaign, user=None, systems=[late.pk])
    run_job(job_id=job.pk)
    campaign.refresh_from_db()
    assert campaign.hits.filter(summary__system=late).count() == 3
    assert not campaign.hits.filter(summary__system=later).exists()
    assert ledger.get_books(campaign).committed == Decimal("2.70")


def test_it_judges_more_examples(campaign, wire):
    first, second, _ = Example.objects.filter(project=campaign.project).order_by("pk")
    scope = {"examples": [first.pk]}
    campaigns_service.update_campaign(campaign=campaign, user=None, scope=scope, budget="1.20")
    campaign.refresh_from_db()
    publish(campaign)
    assert campaign.hits.count() == 2
    job = steps.extend_campaign(campaign=campaign, user=None, examples=[second.pk])
    run_job(job_id=job.pk)
    assert set(campaign.hits.values_list("summary__example", flat=True)) == {first.pk, second.pk}


@pytest.mark.parametrize("place", ["summary", "instructions"])
def test_it_measures_pages_before_it_publishes(campaign, wire, place):
    """And again when it does: a page that has grown since costs nothing."""
    assert steps.list_obstacles(campaign) == []
    steps.publish_campaign(campaign=campaign, user=None)
    if place == "summary":
        row = Summary.objects.filter(example__project=campaign.project).latest("pk")
        Summary.objects.filter(pk=row.pk).update(text="&" * 20_000)
    else:
        Campaign.objects.filter(pk=campaign.pk).update(instructions="&" * 20_000)
    campaign.refresh_from_db()
    [obstacle] = steps.list_obstacles(campaign)
    assert "65,535" in obstacle
    campaign.refresh_from_db()
    assert campaign.job is not None
    run_job(job_id=campaign.job.pk)
    campaign.job.refresh_from_db()
    assert campaign.job.state == JobState.FAILED
    assert "65,535" in campaign.job.error
    books = ledger.get_books(campaign)
    assert books.committed < Decimal("1.20")
    assert not Intent.objects.filter(hit__state=HitState.PLANNED, settlement__outcome="done")


@pytest.mark.parametrize("arrived", [True, False])
def test_it_ends_when_publishing_has_failed(campaign, wire, arrived):
    """What went out is closed, also a HIT of which nobody heard; tried again, nothing goes out."""
    with pytest.raises(DomainError, match="draft"):
        steps.end_campaign(campaign=campaign, user=None)
    for _ in range(4):
        wire.fail("CreateHITWithHITType", lose_answer if arrived else refuse_connection)
    job = publish(campaign)
    assert (job.state, MarketHit.objects.count()) == (JobState.FAILED, int(arrived))
    run_job(job_id=steps.end_campaign(campaign=campaign, user=None).pk)
    campaign.refresh_from_db()
    assert campaign.state == CampaignState.ENDED
    retry_job(job=job)
    run_job(job_id=job.pk)
    assert MarketHit.objects.count() == arrived
    assert not MarketHit.objects.assignable(timezone.now()).exists()
    collect_when_due(campaign)
    books = ledger.get_books(campaign)
    assert (books.committed, books.open_intents) == (Decimal(0), 0)


def test_it_takes_one_step_at_a_time(campaign, wire):
    publish(campaign)
    pausing = steps.pause_campaign(campaign=campaign, user=None)
    with pytest.raises(DomainError, match="Pause First"):
        steps.resume_campaign(campaign=campaign, user=None)
    run_job(job_id=pausing.pk)
    steps.resume_campaign(campaign=campaign, user=None)


def test_it_pauses_resumes_and_ends(campaign, wire):
    publish(campaign)
    for step, state, is_open in (
        (steps.pause_campaign, CampaignState.PAUSED, False),
        (steps.resume_campaign, CampaignState.LIVE, True),
        (steps.end_campaign, CampaignState.ENDED, False),
    ):
        run_job(job_id=step(campaign=campaign, user=None).pk)
        campaign.refresh_from_db()
        assert campaign.state == state
        assert MarketHit.objects.assignable(timezone.now()).exists() is is_open


def test_it_gives_back_what_nobody_can_earn_any_more(campaign, wire):
    publish(campaign)
    run_job(job_id=steps.end_campaign(campaign=campaign, user=None).pk)
    campaign.refresh_from_db()
    for _ in range(2):
        collect_when_due(campaign)
    assert ledger.get_books(campaign).committed == 0
    campaign.refresh_from_db()
    assert campaign.next_collect_at is None


def collect_when_due(campaign: Campaign) -> None:
    campaign.refresh_from_db()
    turn = take_turn(campaign)
    assert turn is not None
    collecting.collect_in_turn(campaign=campaign, turn=turn)


def test_it_is_fetched_by_one_at_a_time(campaign, wire):
    publish(campaign)
    first, second = take_turn(campaign), take_turn(campaign)
    assert (first is not None, second) == (True, None)
    collecting.collect_in_turn(campaign=campaign, turn=timezone.now())
    assert not wire.count("GetHIT")
    assert first is not None
    collecting.collect_in_turn(campaign=campaign, turn=first)
    assert wire.count("GetHIT") == 6
    campaign.refresh_from_db()
    assert campaign.next_collect_at is not None
    assert campaign.next_collect_at > timezone.now()


def test_it_is_published_once_however_often_it_is_asked_for(campaign, wire):
    steps.publish_campaign(campaign=campaign, user=None)
    with pytest.raises(DomainError, match="publishing"):
        steps.publish_campaign(campaign=campaign, user=None)


def test_the_books_are_only_written_to(campaign, wire):
    publish(campaign)
    for row in (Intent.objects.all()[0], Settlement.objects.all()[0], MarketEntry.objects.all()[0]):
        with pytest.raises(TypeError):
            row.save()
        with pytest.raises(TypeError):
            row.delete()
        with pytest.raises(TypeError):
            type(row).objects.all().delete()
        with pytest.raises(TypeError):
            type(row).objects.update(pk=7)


def test_it_adds_up_what_is_meant_under_one_lock(campaign):
    from annotation.crowd.campaigns.ledger import Draft, intend

    drafts = [
        Draft(kind=IntentKind.BONUS, key=f"bonus:{n}", amount=Decimal("0.70")) for n in range(2)
    ]
    with pytest.raises(OverBudget):
        intend(campaign=campaign, drafts=drafts)
    assert not Intent.objects.exists()
    first = intend(campaign=campaign, drafts=drafts[:1])
    assert intend(campaign=campaign, drafts=drafts[:1]) == first
