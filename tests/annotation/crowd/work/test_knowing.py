"""What workers know: why and when they are paid, before they join, and what is still to come."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from annotation.crowd.market.decisions import approve, reject
from annotation.crowd.market.models_accounts import Message, WorkerAccount
from annotation.crowd.market.models_work import MarketAssignment
from annotation.crowd.market.work import accept_hit, submit_assignment
from annotation.crowd.requesters.payments import get_earnings
from tests.annotation.crowd.working import make_hit, make_requester, make_type, make_worker


@pytest.fixture
def sent(worker: WorkerAccount) -> MarketAssignment:
    """One HIT at 15 cents, submitted, approved after a day."""
    hit = make_hit(make_type(make_requester()), place_cost=Decimal("0.15"))
    taken = accept_hit(hit_id=hit.hit_id, worker=worker)
    submit_assignment(assignment_id=taken.assignment_id, fields={"s1": ["present"]})
    taken.refresh_from_db()
    return taken


def test_a_rejection_is_told_with_its_reason(
    at_work: Client, worker: WorkerAccount, sent: MarketAssignment
):
    reject(requester=sent.hit.requester, assignment_id=sent.assignment_id, feedback="Left empty.")
    letter = Message.objects.get(worker=worker)
    assert not letter.is_from_worker
    assert letter.read_at is None
    assert "Left empty." in letter.text
    page = at_work.get("/work/messages/").content.decode()
    assert "Left empty." in page


def test_pending_earnings_are_shown_until_they_are_earned(
    at_work: Client, worker: WorkerAccount, sent: MarketAssignment
):
    earnings = get_earnings(worker)
    assert (earnings.pending, earnings.earned) == (Decimal("0.15"), Decimal(0))
    for address in ("/work/", "/work/earnings/"):
        assert "ending" in at_work.get(address).content.decode()
    approve(requester=sent.hit.requester, assignment_id=sent.assignment_id)
    earnings = get_earnings(worker)
    assert (earnings.pending, earnings.earned) == (Decimal(0), Decimal("0.15"))


def test_the_date_of_auto_approval_is_shown(at_work: Client, sent: MarketAssignment):
    day = timezone.now() + timedelta(days=1)
    MarketAssignment.objects.update(auto_approve_at=day)
    for address in ("/work/history/", f"/work/assignments/{sent.assignment_id}/"):
        page = at_work.get(address).content.decode()
        assert f'datetime="{day:%Y-%m-%dT%H:%M}' in page


def test_an_offer_says_when_it_is_approved(at_work: Client, worker: WorkerAccount):
    make_hit(make_type(auto_approval_seconds=3 * 86_400))
    assert "approved within 3 d" in at_work.get("/work/").content.decode()


def test_payout_rules_are_read_before_joining(client: Client, db: None, settings: Any):
    settings.MARKET_SIGN_UP = "open"
    settings.MARKET_PAYOUT_RULES = "We pay by bank transfer on the <first> of each month."
    page = client.get("/work/join/").content.decode()
    assert "on the &lt;first&gt; of each month." in page
    assert "Rejected work isn’t paid" in page
    worker = make_worker("Ann")
    client.force_login(worker.user)
    assert "bank transfer" in client.get("/work/earnings/").content.decode()
