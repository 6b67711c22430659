"""A campaign on Prolific through the services: published, worked on, decided, paid, ended."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.service import run_job
from annotation.crowd.campaigns import collecting, ledger, steps
from annotation.crowd.campaigns import service as campaigns_service
from annotation.crowd.campaigns.models import (
    Assignment,
    Campaign,
    CampaignState,
    Intent,
    IntentKind,
)
from annotation.crowd.review import service as review_service
from annotation.crowd.review.service import Refused
from annotation.units.sets.models import UnitSet
from tests.annotation.crowd.studies import Participant, only_study
from tests.prolific_server import Fault, ProlificServer

PAY = "POST /bulk-bonus-payments/.*"
APPROVE = "POST /submissions/.*/transition/"


@pytest.fixture
def campaign(server: ProlificServer, unit_set: UnitSet, owner: User) -> Campaign:
    """Two places for each of its HITs, and money for a bonus or two."""
    made = campaigns_service.create_campaign(
        project=unit_set.project,
        user=owner,
        unit_set=unit_set,
        name="Study",
        provider="prolific",
        reward="0.50",
        assignments_per_hit=2,
        bonus_reserve="5",
    )
    publish(made)
    return made


def publish(campaign: Campaign) -> None:
    job = steps.publish_campaign(campaign=campaign, user=None)
    run_job(job_id=job.pk)
    campaign.refresh_from_db()


def work(server: ProlificServer, campaign: Campaign, *names: str) -> list[Assignment]:
    for name in names:
        Participant(server, name).work()
    collecting.collect_campaign(campaign=campaign)
    rows = Assignment.objects.select_related("hit", "worker", "campaign").order_by("pk")
    return list(rows)


def give(campaign: Campaign, *rows: Assignment) -> int:
    awards = [review_service.Award(row, Decimal("1.00"), "Well done.") for row in rows]
    return review_service.send_bonuses(campaign=campaign, awards=awards, user=None)


def test_it_goes_from_publishing_to_the_end(server: ProlificServer, campaign: Campaign):
    study = only_study(server)
    hits = campaign.hits.count()
    assert campaign.state == CampaignState.LIVE
    assert (study["status"], study["total_available_places"]) == ("ACTIVE", 2 * hits)
    first, second = work(server, campaign, "p1", "p2")
    server.faults.append(Fault(APPROVE, 500, is_after=True))
    review_service.approve_assignments(campaign=campaign, assignments=[first], user=None)
    assert server.submissions[first.provider_id]["status"] == "APPROVED"
    assert give(campaign, first) == 1
    assert give(campaign, first) == 0
    run_job(job_id=steps.end_campaign(campaign=campaign, user=None).pk)
    campaign.refresh_from_db()
    assert only_study(server)["status"] == "AWAITING REVIEW"
    review_service.approve_assignments(campaign=campaign, assignments=[second], user=None)
    collecting.collect_campaign(campaign=campaign)
    books = ledger.get_books(campaign)
    assert (books.rewards, books.bonuses, books.open_intents) == (Decimal(1), Decimal(1), 0)
    assert books.committed == books.spent
    assert server.paid == [(first.provider_id, 100)]


@pytest.mark.parametrize("how", [500, "drop"])
def test_it_leaves_open_what_nobody_heard_of(
    how: int | str, server: ProlificServer, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
):
    """The ledger guards the one call that pays as often as it is heard; others are paid."""
    first, second = work(server, campaign, "p1", "p2")
    server.faults.append(Fault(PAY, how, is_after=True))
    with pytest.raises(Refused, match="1 of 2 failed"):
        give(campaign, first, second)
    assert server.paid == [(first.provider_id, 100), (second.provider_id, 100)]
    with pytest.raises(Refused, match="already requested"):
        give(campaign, first, second)
    assert ledger.get_books(campaign).open_intents == 1
    monkeypatch.setattr("annotation.crowd.review.service.GIVEN_UP_AFTER", timedelta(0))
    collecting.collect_campaign(campaign=campaign)
    assert ledger.get_books(campaign).open_intents == 0
    assert len(server.paid) == 2


def test_it_waits_for_a_person_where_nothing_tells(
    server: ProlificServer, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
):
    [row] = work(server, campaign, "p1")
    server.faults.append(Fault(PAY, 500))
    with pytest.raises(Refused):
        give(campaign, row)
    monkeypatch.setattr("annotation.crowd.review.service.GIVEN_UP_AFTER", timedelta(0))
    [unclear] = review_service.finish_open_intents(campaign=campaign)
    assert server.paid == []
    review_service.settle_by_hand(
        intent=unclear, user=None, outcome="void", note="Not listed there."
    )
    assert give(campaign, row) == 1
    assert server.paid == [(row.provider_id, 100)]
    assert Intent.objects.filter(kind=IntentKind.BONUS).count() == 2
