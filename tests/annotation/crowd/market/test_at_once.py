"""The same thing asked for by several at the same moment: done once, paid once."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable
from decimal import Decimal

import pytest
from django.db import OperationalError, connection

from annotation.crowd.market.errors import TurkError
from annotation.crowd.models import Bonus, MarketEntry, MarketHit
from tests.annotation.crowd.market.requesting import (
    HIT,
    ask,
    books,
    make_hit,
    make_requester,
    work,
)
from tests.annotation.crowd.working import make_worker

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(actions: list[Callable[[], object]]) -> Counter[str]:
    """Start all together; how often it was done, and how often refused with which code."""
    ready = threading.Barrier(len(actions))
    outcomes: list[str] = []

    def take(action: Callable[[], object]) -> None:
        ready.wait()
        try:
            outcomes.append(_try(action))
        finally:
            connection.close()

    threads = [threading.Thread(target=take, args=(action,)) for action in actions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(300)
    assert len(outcomes) == len(actions)
    return Counter(outcomes)


def _try(action: Callable[[], object]) -> str:
    """SQLite in memory, unlike a file, says "locked" at once where it should wait."""
    while True:
        try:
            action()
        except TurkError as error:
            return error.turk_code.rpartition(".")[2]
        except OperationalError:
            time.sleep(0.01)
        else:
            return "done"


def test_it_decides_and_pays_once():
    lab = make_requester("10")
    hit = make_hit(lab, Reward="1.00", MaxAssignments=2)
    taken = work(hit, make_worker())
    named = {"AssignmentId": taken.assignment_id}
    outcomes = at_once(
        [lambda: ask(lab, "ApproveAssignment", **named)] * 4
        + [lambda: ask(lab, "RejectAssignment", RequesterFeedback="No.", **named)] * 2
    )
    assert outcomes == {"done": 1, "InvalidAssignmentState": 5}
    paid = MarketEntry.objects.filter(kind="reward").count()
    taken.refresh_from_db()
    assert paid == (taken.status == "Approved")
    assert books(lab) == (Decimal(10 - paid), Decimal(1))


def test_it_pays_a_bonus_once_under_one_token():
    lab = make_requester("10")
    worker = make_worker()
    taken = work(make_hit(lab, Reward="1.00", MaxAssignments=1), worker)
    bonus = {
        "WorkerId": worker.worker_id,
        "AssignmentId": taken.assignment_id,
        "BonusAmount": "2.00",
        "Reason": "Good.",
    }
    outcomes = at_once([lambda: ask(lab, "SendBonus", UniqueRequestToken="t", **bonus)] * 5)
    assert outcomes == {"done": 1, "BonusAlreadyPaid": 4}
    assert at_once([lambda: ask(lab, "SendBonus", **bonus)] * 5) == {
        "done": 3,
        "InsufficientFunds": 2,
    }
    assert Bonus.objects.count() == 4
    assert books(lab) == (Decimal(2), Decimal(1))


def test_it_makes_one_hit_of_one_token_and_never_promises_more_than_there_is():
    lab = make_requester("10")
    one = {**HIT, "Reward": "1.00", "MaxAssignments": 3}
    outcomes = at_once([lambda: ask(lab, "CreateHIT", UniqueRequestToken="t", **one)] * 4)
    assert outcomes == {"done": 1, "HitAlreadyExists": 3}
    outcomes = at_once([lambda: ask(lab, "CreateHIT", **one)] * 4)
    assert outcomes == {"done": 2, "InsufficientFunds": 2}
    assert MarketHit.objects.count() == 3
    assert books(lab) == (Decimal(10), Decimal(9))
