"""Collecting and deciding: everything kept as it came, every cent paid once."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from annotation.corpora.jobs.models import Job
from annotation.corpora.jobs.service import run_job
from annotation.crowd.campaigns import collecting, ledger
from annotation.crowd.campaigns import queries as campaigns_queries
from annotation.crowd.campaigns import service as campaigns_service
from annotation.crowd.campaigns.models import (
    ApproveRule,
    Assignment,
    AssignmentState,
    Hit,
    Intent,
    Judgement,
    Worker,
)
from annotation.crowd.market.models_work import (
    Bonus,
    EntryKind,
    MarketAssignment,
    MarketEntry,
    MarketHit,
    RequestToken,
)
from annotation.crowd.providers.base import ProviderError
from annotation.crowd.review import bulk
from annotation.crowd.review import service as review_service
from annotation.errors import Invalid
from tests.annotation.crowd.campaigns.playing import work_off
from tests.annotation.crowd.wire import lose_answer, refuse_connection

CENT = Decimal("0.01")


def test_it_keeps_answers_as_they_came_and_reads_them(collected):
    assert Assignment.objects.count() == 12
    assert Judgement.objects.filter(present=True).count() == 18
    row = Assignment.objects.order_by("pk")[0]
    assert row.raw == MarketAssignment.objects.get(assignment_id=row.provider_id).answer
    assert row.answers == {"s1": "present", "s2": "absent"}
    assert collecting.collect_campaign(campaign=collected).new == 0


def test_it_notes_what_could_not_be_read(published):
    work_off("ann", s1="present", s2="maybe", hits=MarketHit.objects.all()[:1])
    collecting.collect_campaign(campaign=published)
    row = Assignment.objects.get()
    assert row.problem == "1 of 2 statements have no valid answer."
    assert row.judgements.count() == 1


def test_it_tells_agreement_wage_and_spend(collected):
    live = campaigns_queries.get_live(collected)
    assert (live.collected, live.wanted, live.to_review, live.workers) == (12, 12, 12, 2)
    assert live.agreement.alpha is not None
    assert live.agreement.alpha < 0.5
    assert live.books.spent == 0
    assert live.wage.timed == 12
    standings = campaigns_queries.list_standings(collected)
    assert [row.assignments for row in standings] == [6, 6]
    assert standings[0].agreement == pytest.approx(0.5)


@pytest.mark.parametrize("fault", [lose_answer, refuse_connection])
def test_it_pays_every_assignment_once(collected, wire, fault):
    wire.fail("ApproveAssignment", fault)
    rows = list(campaigns_queries.list_assignments(collected))
    for _ in range(2):
        review_service.approve_assignments(campaign=collected, assignments=rows, user=None)
    assert MarketEntry.objects.filter(kind=EntryKind.REWARD).count() == 12
    books = ledger.get_books(collected)
    assert (books.spent, books.committed, books.open_intents) == (
        Decimal("1.20"),
        Decimal("1.20"),
        0,
    )
    assert campaigns_queries.get_live(collected).approved == 12


def test_it_takes_over_what_the_provider_decided_itself(collected):
    later = timezone.now() - timedelta(days=40)
    MarketAssignment.objects.update(auto_approve_at=later)
    collecting.collect_campaign(campaign=collected)
    from annotation.crowd.market.decisions import approve_overdue

    approve_overdue(timezone.now())
    collecting.collect_campaign(campaign=collected)
    assert set(Assignment.objects.values_list("state", flat=True)) == {AssignmentState.APPROVED}
    assert ledger.get_books(collected).spent == Decimal("1.20")


def test_it_rejects_with_a_reason_and_turns_it_around(collected):
    row = campaigns_queries.list_assignments(collected)[0]
    with pytest.raises(Invalid):
        review_service.reject_assignments(
            campaign=collected, assignments=[row], user=None, feedback=" "
        )
    review_service.reject_assignments(
        campaign=collected, assignments=[row], user=None, feedback="All the same answer."
    )
    assert ledger.get_books(collected).committed == Decimal("1.10")
    row.refresh_from_db()
    assert row.state == AssignmentState.REJECTED
    review_service.approve_assignments(
        campaign=collected, assignments=[row], user=None, override=True
    )
    row.refresh_from_db()
    assert row.state == AssignmentState.APPROVED
    books = ledger.get_books(collected)
    assert (books.committed, books.spent) == (Decimal("1.20"), Decimal("0.10"))


@pytest.mark.parametrize("fault", [lose_answer, refuse_connection])
def test_it_pays_a_bonus_once(collected, wire, fault):
    campaigns_service.update_campaign(campaign=collected, user=None, budget="5")
    collected.refresh_from_db()
    row = campaigns_queries.list_assignments(collected)[0]
    award = review_service.Award(row, Decimal("0.50"), "Thank you")
    review_service.approve_assignments(campaign=collected, assignments=[row], user=None)
    wire.fail("SendBonus", fault)
    for _ in range(2):
        review_service.send_bonuses(campaign=collected, awards=[award], user=None)
    assert Bonus.objects.count() == 1
    assert ledger.get_books(collected).bonuses == Decimal("0.50")


@pytest.mark.parametrize("arrived", [True, False])
def test_it_finishes_what_a_dead_process_had_begun(collected, wire, monkeypatch, arrived):
    """The intent is there, the process is not: the next round of fetching makes it good."""
    campaigns_service.update_campaign(campaign=collected, user=None, budget="5")
    collected.refresh_from_db()
    row = campaigns_queries.list_assignments(collected)[0]
    monkeypatch.setattr("annotation.crowd.providers.base.PAUSES", ())
    fault = lose_answer if arrived else refuse_connection
    for operation, act in (
        ("ApproveAssignment", approve_one),
        ("SendBonus", give_bonus),
    ):
        wire.fail(operation, fault)
        with pytest.raises(Exception, match="No answer"):
            act(collected, row)
    assert ledger.get_books(collected).open_intents == 2
    monkeypatch.setattr("annotation.crowd.review.service.GIVEN_UP_AFTER", timedelta(0))
    assert review_service.finish_open_intents(campaign=collected) == []
    assert ledger.get_books(collected).open_intents == 0
    assert Bonus.objects.count() == 1
    assert MarketEntry.objects.filter(kind=EntryKind.REWARD).count() == 1


def test_it_looks_before_it_pays_what_was_meant_long_ago(collected, wire, monkeypatch):
    """The provider has forgotten the token by then, and would pay again."""
    campaigns_service.update_campaign(campaign=collected, user=None, budget="5")
    collected.refresh_from_db()
    row = campaigns_queries.list_assignments(collected)[0]
    monkeypatch.setattr("annotation.crowd.providers.base.PAUSES", ())
    wire.fail("SendBonus", lose_answer)
    with pytest.raises(Exception, match="No answer"):
        give_bonus(collected, row)
    RequestToken.objects.all().delete()
    monkeypatch.setattr("annotation.crowd.review.service.GIVEN_UP_AFTER", timedelta(0))
    give_bonus(collected, row)
    assert Bonus.objects.count() == 1
    assert ledger.get_books(collected).open_intents == 0


@pytest.mark.parametrize("action", ["approve", "reject", "bonus"])
def test_it_stops_at_none_that_is_refused(collected, wire, action):
    """Of many, by a job: the others are decided, and the job says what was refused."""
    campaigns_service.update_campaign(campaign=collected, user=None, budget="5")
    collected.refresh_from_db()
    ids = list(Assignment.objects.values_list("pk", flat=True))
    Assignment.objects.filter(pk=ids[3]).update(provider_id="GONE")
    job = bulk.review_assignments(
        campaign=collected, user=None, action=action, ids=ids, text="So.", amount=Decimal("0.10")
    )
    assert isinstance(job, Job)
    run_job(job_id=job.pk)
    job.refresh_from_db()
    assert job.result == {"decided": 11, "refused": 1}, job.error
    assert "GONE does not exist" in job.lines.get().text
    done = Intent.objects.filter(kind=action, settlement__outcome="done")
    assert done.count() == 11
    assert ledger.get_books(collected).open_intents == 0
    with pytest.raises(ProviderError, match="1 of 2 failed; the first: .*GONE"):
        bulk.review_assignments(
            campaign=collected, user=None, action="bonus", ids=ids[3:5], text="Ah.", amount=CENT
        )


def test_it_approves_by_rule_past_one_that_is_refused(collected, wire):
    Assignment.objects.filter(pk=Assignment.objects.earliest("pk").pk).update(provider_id="GONE")
    campaigns_service.update_campaign(campaign=collected, user=None, approve_rule=ApproveRule.ALL)
    collected.refresh_from_db()
    with pytest.raises(ProviderError, match="1 of 12 failed"):
        collecting.collect_campaign(campaign=collected)
    assert Assignment.objects.filter(state=AssignmentState.APPROVED).count() == 11


def approve_one(campaign, row):
    review_service.approve_assignments(campaign=campaign, assignments=[row], user=None)


def give_bonus(campaign, row):
    awards = [review_service.Award(row, Decimal("0.20"), "Thank you")]
    review_service.send_bonuses(campaign=campaign, awards=awards, user=None)


@pytest.mark.parametrize(
    ("rule", "approved"), [(ApproveRule.OFF, 0), (ApproveRule.ALL, 12), (ApproveRule.DEADLINE, 0)]
)
def test_it_approves_by_rule(collected, rule, approved):
    campaigns_service.update_campaign(campaign=collected, user=None, approve_rule=rule)
    collected.refresh_from_db()
    collecting.collect_campaign(campaign=collected)
    found = Assignment.objects.filter(state=AssignmentState.APPROVED)
    assert found.count() == approved


def test_it_brings_everybody_to_the_wage_floor_once(collected):
    """Six HITs of 30 seconds at ten cents are a twentieth of an hour: 60 cents lie below 15 $."""
    campaigns_service.update_campaign(campaign=collected, user=None, budget="5", wage_floor="15")
    Assignment.objects.update(seconds=30)
    collected.refresh_from_db()
    rows = list(campaigns_queries.list_assignments(collected))
    review_service.approve_assignments(campaign=collected, assignments=rows, user=None)
    assert bulk.top_up(campaign=collected, user=None) == Decimal("0.30")
    assert bulk.list_top_ups(collected) == []
    assert Intent.objects.filter(kind="bonus").count() == 2


def test_it_adds_up_what_each_worker_did(collected):
    """Six HITs of half a minute, one of them at 50 cents: 1 $ lies below the 1.50 $ of 30 an hour.

    What is rejected counts for nothing, and the newest of the others carries the bonus.
    """
    Assignment.objects.update(seconds=30)
    Hit.objects.filter(pk=collected.hits.first().pk).update(reward="0.50")
    collected.wage_floor = Decimal(30)
    one, other = Worker.objects.order_by("pk")
    left = list(one.assignments.order_by("pk"))
    Assignment.objects.filter(pk=left.pop().pk).update(state=AssignmentState.REJECTED)
    awards = {award.assignment: award.amount for award in bulk.list_top_ups(collected)}
    last = other.assignments.order_by("pk").last()
    assert awards == {left[-1]: Decimal("0.35"), last: Decimal("0.50")}
