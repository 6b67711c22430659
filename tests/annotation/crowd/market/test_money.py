"""Holds, rewards, bonuses and fees: every cent is somewhere, and paid once."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest
from django.conf import LazySettings
from django.utils import timezone

from annotation.crowd.market import money as market_money
from annotation.crowd.market.decisions import approve_overdue
from annotation.crowd.market.errors import TurkError
from annotation.crowd.market.models_accounts import Requester, WorkerAccount
from annotation.crowd.market.models_work import (
    MarketAssignment,
    MarketEntry,
    MarketHit,
    RequestToken,
)
from annotation.crowd.market.money import deposit
from annotation.crowd.market.sweep import dispose_old, sweep_market
from annotation.errors import DomainError
from tests.annotation.crowd.market.requesting import (
    HIT,
    HIT_TYPE,
    ask,
    books,
    make_hit,
    make_requester,
    work,
)
from tests.annotation.crowd.working import make_worker

pytestmark = pytest.mark.django_db


@pytest.fixture
def lab() -> Requester:
    return make_requester("10")


@pytest.fixture
def worker() -> WorkerAccount:
    return make_worker()


def money(balance: str, held: str) -> tuple[Decimal, Decimal]:
    return Decimal(balance), Decimal(held)


def test_it_holds_pays_and_gives_back(lab: Requester, worker: WorkerAccount):
    hit = make_hit(lab, Reward="1.00", MaxAssignments=4)
    assert books(lab) == money("10", "4")
    assert ask(lab, "GetAccountBalance") == {"AvailableBalance": "6.00", "OnHoldBalance": "4.00"}
    one, two = work(hit, worker), work(hit, make_worker("Second"))
    ask(lab, "ApproveAssignment", AssignmentId=one.assignment_id)
    assert books(lab) == money("9", "3")
    ask(lab, "RejectAssignment", AssignmentId=two.assignment_id, RequesterFeedback="No.")
    assert books(lab) == money("9", "2")
    ask(lab, "UpdateExpirationForHIT", HITId=hit.hit_id, ExpireAt=0)
    assert books(lab) == money("9", "0")
    ask(lab, "ApproveAssignment", AssignmentId=two.assignment_id, OverrideRejection=True)
    assert books(lab) == money("8", "0")
    later = (timezone.now() + timedelta(days=1)).timestamp()
    ask(lab, "UpdateExpirationForHIT", HITId=hit.hit_id, ExpireAt=later)
    assert books(lab) == money("8", "2")
    paid = MarketEntry.objects.filter(kind="reward").values_list("worker__user__name", "amount")
    assert sorted(paid) == [("Second", Decimal(-1)), ("Worker", Decimal(-1))]
    worker.refresh_from_db()
    assert (worker.approved, worker.rejected) == (1, 0)


def test_it_takes_a_fee_on_top(lab: Requester, worker: WorkerAccount, settings: LazySettings):
    settings.MARKET_FEE = Decimal("0.2")
    hit = make_hit(lab, Reward="1.00", MaxAssignments=1)
    # The fee of a place is that of the day when it was asked for.
    settings.MARKET_FEE = Decimal("0.5")
    assert books(lab) == money("10", "1.2")
    taken = work(hit, worker)
    ask(lab, "ApproveAssignment", AssignmentId=taken.assignment_id)
    assert books(lab) == money("8.8", "0")
    bonus = {"WorkerId": worker.worker_id, "AssignmentId": taken.assignment_id, "Reason": "x"}
    ask(lab, "SendBonus", BonusAmount="2.00", **bonus)
    assert books(lab) == money("5.8", "0")
    with pytest.raises(TurkError, match="budget"):
        ask(lab, "SendBonus", BonusAmount="4.00", **bonus)
    kinds = MarketEntry.objects.exclude(kind="deposit").values_list("kind", "amount")
    assert sorted((kind, str(amount)) for kind, amount in kinds) == [
        ("bonus", "-2.0000"),
        ("fee", "-0.2000"),
        ("fee", "-1.0000"),
        ("reward", "-1.0000"),
    ]


def test_it_follows_a_change_of_the_hit_type(lab: Requester):
    hit = make_hit(lab, Reward="1.00", MaxAssignments=4)
    for reward, held in [("2.00", "8"), ("0.50", "2")]:
        kind = ask(lab, "CreateHITType", **{**HIT_TYPE, "Reward": reward})["HITTypeId"]
        ask(lab, "UpdateHITTypeOfHIT", HITId=hit.hit_id, HITTypeId=kind)
        assert books(lab) == money("10", held)
    dear = ask(lab, "CreateHITType", **{**HIT_TYPE, "Reward": "3.00"})["HITTypeId"]
    with pytest.raises(TurkError, match="budget"):
        ask(lab, "UpdateHITTypeOfHIT", HITId=hit.hit_id, HITTypeId=dear)


def let_pass(taken: MarketAssignment, days: int) -> None:
    """As if the assignment had been submitted that long ago."""
    past = timezone.now() - timedelta(days=days)
    MarketAssignment.objects.filter(pk=taken.pk).update(
        submitted_at=past, auto_approve_at=past + timedelta(days=1)
    )


@pytest.mark.parametrize("operation", ["GetAssignment", "ListAssignmentsForHIT", "GetHIT", "sweep"])
def test_it_approves_by_the_clock_whoever_looks_first(
    lab: Requester, worker: WorkerAccount, operation: str
):
    hit = make_hit(lab, Reward="1.00", MaxAssignments=1)
    taken = work(hit, worker)
    let_pass(taken, 2)
    with pytest.raises(TurkError, match="'Approved'"):
        ask(lab, "RejectAssignment", AssignmentId=taken.assignment_id, RequesterFeedback="Late.")
    if operation == "sweep":
        sweep_market()
    else:
        is_one = operation == "GetAssignment"
        named = {"AssignmentId": taken.assignment_id} if is_one else {"HITId": hit.hit_id}
        answer = ask(lab, operation, **named)
        assert "Approved" in str(answer) or answer["HIT"]["NumberOfAssignmentsCompleted"] == 1
    taken.refresh_from_db()
    assert (taken.status, taken.approved_at) == ("Approved", taken.auto_approve_at)
    assert books(lab) == money("9", "0")
    assert approve_overdue(timezone.now()) == 0


def test_it_does_not_turn_an_old_rejection_around(lab: Requester, worker: WorkerAccount):
    hit = make_hit(lab)
    taken = work(hit, worker)
    named = {"AssignmentId": taken.assignment_id}
    ask(lab, "RejectAssignment", RequesterFeedback="No.", **named)
    with pytest.raises(TurkError, match="'Rejected'"):
        ask(lab, "ApproveAssignment", **named)
    let_pass(taken, 31)
    with pytest.raises(TurkError, match="30 days"):
        ask(lab, "ApproveAssignment", OverrideRejection=True, **named)


def test_it_gives_back_what_expired_hits_hold(lab: Requester, worker: WorkerAccount):
    hit = make_hit(lab, Reward="1.00", MaxAssignments=3)
    work(hit, worker)
    MarketHit.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    market_money.release_expired(timezone.now())
    market_money.release_expired(timezone.now())
    assert books(lab) == money("10", "1")


def test_it_puts_old_hits_away(lab: Requester, worker: WorkerAccount):
    done, open_ = make_hit(lab), make_hit(lab)
    work(open_, worker)
    now = timezone.now()
    MarketHit.objects.update(expires_at=now - timedelta(days=121))
    dispose_old(now)
    assert [hit.is_deleted for hit in MarketHit.objects.order_by("pk")] == [True, False]
    assert done.pk < open_.pk


def test_it_forgets_a_token_after_a_day(lab: Requester):
    named = {**HIT, "UniqueRequestToken": "t"}
    first = ask(lab, "CreateHIT", **named)["HIT"]["HITId"]
    with pytest.raises(TurkError, match=first) as error:
        ask(lab, "CreateHIT", **named)
    assert error.value.turk_code == "AWS.MechanicalTurk.HitAlreadyExists"
    assert MarketHit.objects.count() == 1
    RequestToken.objects.update(created_at=timezone.now() - timedelta(hours=25))
    assert ask(lab, "CreateHIT", **named)["HIT"]["HITId"] != first
    assert ask(make_requester(), "CreateHIT", **named)["HIT"]["HITId"] != first


@pytest.mark.parametrize("amount", ["5", "6"])
def test_one_key_adds_to_one_budget_one_amount(amount: str, lab: Requester):
    deposit(requester=lab, amount=Decimal(5), note="Grant", key="deposit:1")
    other = lab if amount == "6" else make_requester()
    before = books(other)
    with pytest.raises(DomainError, match="nothing was added"):
        deposit(requester=other, amount=Decimal(amount), note="Grant", key="deposit:1")
    assert books(other) == before


def test_it_deposits_once_under_one_key(lab: Requester):
    for _ in range(2):
        deposit(requester=lab, amount=Decimal(5), note="Grant", key="deposit:1")
    assert books(lab) == money("15", "0")
    for amount in ("0", "-1", "NaN", "10000001"):
        with pytest.raises(TurkError, match="amount"):
            deposit(requester=lab, amount=Decimal(amount), note="Grant")
    with pytest.raises(TurkError, match="where the money came from"):
        deposit(requester=lab, amount=Decimal(5), note=" ")


def test_it_needs_few_queries(lab: Requester, worker: WorkerAccount, django_assert_max_num_queries):
    kind = ask(lab, "CreateHITType", **HIT_TYPE)["HITTypeId"]
    made = {name: HIT[name] for name in ("LifetimeInSeconds", "Question")}
    with django_assert_max_num_queries(12):
        ask(lab, "CreateHITWithHITType", HITTypeId=kind, UniqueRequestToken="t", **made)
    hit = make_hit(lab, MaxAssignments=3)
    for name in ("One", "Two", "Three"):
        work(hit, make_worker(name))
    with django_assert_max_num_queries(5):
        assert ask(lab, "ListAssignmentsForHIT", HITId=hit.hit_id)["NumResults"] == 3
