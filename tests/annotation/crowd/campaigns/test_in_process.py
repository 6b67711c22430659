"""A campaign on the built-in marketplace: no socket, no key, and never inside a transaction."""

from __future__ import annotations

import socket
from decimal import Decimal
from typing import Any

import pytest
from django.db import transaction

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.models import JobState
from annotation.corpora.jobs.service import run_job
from annotation.crowd.campaigns import ledger, steps
from annotation.crowd.campaigns import service as campaigns_service
from annotation.crowd.campaigns.models import Assignment, Campaign, Worker
from annotation.crowd.market.in_process import call_in_process
from annotation.crowd.market.models_accounts import Requester, RequesterKey
from annotation.crowd.market.models_work import Bonus, MarketHit
from annotation.crowd.market.requesters import create_requester
from annotation.crowd.providers import get_provider
from annotation.crowd.providers.base import OutOfFunds, ProviderError
from annotation.crowd.review import bulk
from annotation.crowd.review import service as review_service
from tests.annotation.crowd.campaigns.playing import collect, publish, work_off


@pytest.fixture
def no_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody opens a connection; SQLite needs none, and PostgreSQL's is made in C."""

    def refuse(*arguments: Any, **_: Any) -> None:
        raise AssertionError(f"a socket was opened: {arguments}")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)


def test_it_opens_no_socket_in_all_its_life(campaign: Campaign, owner: User, no_sockets: None):
    assert steps.list_obstacles(campaign) == []
    campaigns_service.update_campaign(campaign=campaign, user=owner, budget="10")
    publish(Campaign.objects.get(pk=campaign.pk))
    work_off("ann", s1="present", s2="absent", giza_seconds="30")
    campaign = collect(Campaign.objects.get(pk=campaign.pk))
    rows = list(Assignment.objects.select_related("hit", "worker", "campaign"))
    review_service.approve_assignments(campaign=campaign, assignments=rows[1:], user=owner)
    review_service.reject_assignments(
        campaign=campaign, assignments=rows[:1], user=owner, feedback="No."
    )
    award = review_service.Award(rows[1], Decimal("0.50"), "Thank you")
    review_service.send_bonuses(campaign=campaign, awards=[award], user=owner)
    ann = Worker.objects.get()
    bulk.exclude_worker(campaign=campaign, worker=ann, user=owner, reason="Too quick.")
    bulk.include_worker(campaign=campaign, worker=ann, user=owner)
    get_provider(campaign).notify([ann], "Thanks", "More work comes next week.")
    for step in (steps.pause_campaign, steps.resume_campaign, steps.end_campaign):
        job = step(campaign=campaign, user=owner)
        run_job(job_id=job.pk)
        job.refresh_from_db()
        assert job.state == JobState.DONE, job.error
        campaign.refresh_from_db()
    assert (MarketHit.objects.count(), Bonus.objects.count()) == (6, 1)
    assert ledger.get_books(campaign).open_intents == 0


def test_it_needs_no_key(campaign: Campaign, no_sockets: None):
    publish(campaign)
    assert MarketHit.objects.count() == 6
    assert not RequesterKey.objects.exists()


def test_it_acts_for_its_own_requester_only(campaign: Campaign):
    """What another requester published is not there, as over the wire."""
    publish(campaign)
    other = create_requester(name="Other")
    hit = MarketHit.objects.earliest("pk")
    assert hit.requester == Requester.objects.get(project=campaign.project)
    with pytest.raises(Exception, match="does not exist"):
        call_in_process(other, "GetHIT", {"HITId": hit.hit_id})


@pytest.mark.django_db(transaction=True)
def test_it_refuses_to_run_in_a_transaction_of_the_caller():
    """An intent that is rolled back with its effect, or after it, would be worth nothing."""
    lab = create_requester(name="Lab")
    assert call_in_process(lab, "GetAccountBalance", {})["AvailableBalance"] == "0.00"
    with pytest.raises(RuntimeError, match="within a transaction"), transaction.atomic():
        call_in_process(lab, "GetAccountBalance", {})


def test_it_refuses_with_the_words_of_the_wire(campaign: Campaign):
    """The same checks and the same errors: one of a parameter, one of the budget."""
    provider: Any = get_provider(campaign)
    with pytest.raises(ProviderError, match=r"Title: must have 1 to 128 characters.*AWS"):
        provider.call("CreateHITType", {**TYPE, "Title": "x" * 129})
    kind = provider.call("CreateHITType", TYPE)["HITTypeId"]
    hit = {
        "HITTypeId": kind,
        "LifetimeInSeconds": 60,
        "Question": "<HTMLQuestion xmlns='http://mechanicalturk.amazonaws.com/"
        "AWSMechanicalTurkDataSchemas/2011-11-11/HTMLQuestion.xsd'>"
        "<HTMLContent><![CDATA[<p>Hello</p>]]></HTMLContent><FrameHeight>0</FrameHeight>"
        "</HTMLQuestion>",
    }
    Requester.objects.update(balance=0)
    with pytest.raises(OutOfFunds, match="prepaid budget does not cover"):
        provider.call("CreateHITWithHITType", hit)


TYPE = {
    "Title": "Judge",
    "Description": "Judge a summary.",
    "Reward": "0.10",
    "AssignmentDurationInSeconds": 600,
}
