"""Prolific: decisions, bonuses that are never paid twice, and who is written to or not asked."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone

from annotation.crowd.campaigns.models import Assignment, Campaign, ProviderName, Worker
from annotation.crowd.prolific.models import ProlificBonus
from annotation.crowd.providers.base import NotReachable, ProviderError, Unsure
from annotation.units.sets.models import UnitSet
from tests.annotation.crowd.studies import make_campaign, only_study, publish
from tests.prolific_server import Fault, ProlificServer

MESSAGE = "Every statement got the same answer, also where the summary says otherwise. " * 2


@pytest.fixture
def campaign(unit_set: UnitSet) -> Campaign:
    return make_campaign(unit_set)


def make_assignment(server: ProlificServer, campaign: Campaign, **more: Any) -> Assignment:
    """Work that waits for a decision."""
    session, _ = server.send_participant(only_study(server)["id"], "p1")
    server.finish(session)
    worker, _ = Worker.objects.get_or_create(
        project=campaign.project, provider=ProviderName.PROLIFIC, provider_id="p1"
    )
    hit = campaign.hits.earliest("pk")
    return Assignment.objects.create(
        campaign=campaign, hit=hit, worker=worker, provider_id=session, raw="", **more
    )


# Decisions ------------------------------------------------------------------------------------


def test_it_approves_once(server: ProlificServer, campaign: Campaign):
    provider = publish(campaign)
    assignment = make_assignment(server, campaign)
    assert provider.find_status(assignment) == "submitted"
    server.faults.append(Fault("POST .*/transition/", 500, is_after=True))
    with pytest.raises(NotReachable):
        provider.approve(assignment, "")
    provider.approve(assignment, "")
    assert provider.find_status(assignment) == "approved"
    with pytest.raises(ProviderError, match="The submission is APPROVED"):
        provider.reject(assignment, MESSAGE)


def test_it_rejects_with_a_reason_that_prolific_takes(server: ProlificServer, campaign: Campaign):
    provider = publish(campaign)
    assignment = make_assignment(server, campaign, gold_asked=2, gold_right=1)
    with pytest.raises(ProviderError, match="at least 100 characters"):
        provider.reject(assignment, "Bad.")
    provider.reject(assignment, MESSAGE)
    kept = server.submissions[assignment.provider_id]
    assert (kept["status"], kept["rejection_category"]) == ("REJECTED", "FAILED_CHECK")
    with pytest.raises(ProviderError, match="can't be overturned"):
        provider.approve(assignment, "", override=True)


def test_it_says_that_a_submission_was_returned(server: ProlificServer, campaign: Campaign):
    provider = publish(campaign)
    assignment = make_assignment(server, campaign)
    server.finish(assignment.provider_id, "RETURNED")
    with pytest.raises(ProviderError, match="returned at Prolific"):
        provider.find_status(assignment)


# Bonuses --------------------------------------------------------------------------------------

AMOUNT = Decimal("1.50")
PAY = "POST /bulk-bonus-payments/.*"


def test_it_pays_a_bonus_once_per_token(server: ProlificServer, campaign: Campaign):
    provider = publish(campaign)
    assignment = make_assignment(server, campaign)
    assert provider.find_bonus(assignment, AMOUNT, "t1") is False
    for token in ("t1", "t1", "t2"):
        provider.send_bonus(assignment, AMOUNT, "Well done.", token)
    assert server.paid == [(assignment.provider_id, 150)] * 2
    assert provider.find_bonus(assignment, AMOUNT, "t1") is True


@pytest.mark.parametrize("how", [500, "drop"])
def test_it_never_repeats_a_payment_of_which_it_heard_nothing(
    how: int | str, server: ProlificServer, campaign: Campaign
):
    """Whether it was paid shows up at Prolific; until then it is unclear, and not asked again."""
    provider = publish(campaign)
    assignment = make_assignment(server, campaign)
    server.faults.append(Fault(PAY, how, is_after=True))
    for _ in range(2):
        with pytest.raises(Unsure) as told:
            provider.send_bonus(assignment, AMOUNT, "", "t1")
        assert not isinstance(told.value, NotReachable)
    assert len(server.paid) == 1
    assert provider.find_bonus(assignment, AMOUNT, "t1") is True
    provider.send_bonus(assignment, AMOUNT, "", "t1")
    assert len(server.paid) == 1


def test_it_leaves_a_payment_unclear_that_nobody_sees(server: ProlificServer, campaign: Campaign):
    provider = publish(campaign)
    assignment = make_assignment(server, campaign)
    provider.send_bonus(assignment, AMOUNT, "", "earlier")
    server.faults.append(Fault(PAY, 500))
    with pytest.raises(Unsure):
        provider.send_bonus(assignment, AMOUNT, "", "t1")
    assert provider.find_bonus(assignment, AMOUNT, "t1") is None
    with pytest.raises(Unsure, match="already requested"):
        provider.send_bonus(assignment, AMOUNT, "", "t1")
    assert len(server.paid) == 1


@pytest.mark.parametrize("how, error", [(429, NotReachable), (400, ProviderError)])
def test_it_may_ask_again_for_what_was_certainly_not_paid(
    how: int, error: type[Exception], server: ProlificServer, campaign: Campaign
):
    provider = publish(campaign)
    assignment = make_assignment(server, campaign)
    server.faults.append(Fault(PAY, how))
    with pytest.raises(error):
        provider.send_bonus(assignment, AMOUNT, "", "t1")
    assert provider.find_bonus(assignment, AMOUNT, "t1") is False
    provider.send_bonus(assignment, AMOUNT, "", "t1")
    assert len(server.paid) == 1
    assert ProlificBonus.objects.get().paid_at is not None


# People ---------------------------------------------------------------------------------------


def make_worker(campaign: Campaign, name: str, **more: Any) -> Worker:
    return Worker.objects.create(
        project=campaign.project, provider=ProviderName.PROLIFIC, provider_id=name, **more
    )


def test_it_does_not_invite_those_who_are_excluded(server: ProlificServer, unit_set: UnitSet):
    first = make_campaign(unit_set, name="First")
    make_worker(first, "out", excluded_at=timezone.now())
    earlier = make_worker(first, "earlier")
    provider = publish(first)
    publish(make_campaign(unit_set, name="Second", exclude_earlier_workers=True))
    assert [group["people"] for group in server.groups.values()] == [["out"], ["earlier", "out"]]
    provider.exclude(earlier, "…")
    assert [group["people"][-1] for group in server.groups.values()] == ["earlier", "out"]
    provider.include(earlier)
    assert [group["people"] for group in server.groups.values()] == [["out"], ["out"]]


def test_it_tells_whom_a_message_did_not_reach(server: ProlificServer, campaign: Campaign):
    provider = publish(campaign)
    make_assignment(server, campaign)
    workers = [*Worker.objects.all(), make_worker(campaign, "nobody")]
    assert list(provider.notify(workers, "Thanks", "It helped.").failures) == ["nobody"]
    [message] = server.messages
    assert (message["ids"], message["body"]) == (["p1"], "Thanks\n\nIt helped.")
    assert provider.notify([], "x", "y").failures == {}
