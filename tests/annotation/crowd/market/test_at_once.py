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
from annotation.crowd.market.models_work import (
    Bonus,
    MarketEntry,
    MarketHit,
    Qualification,
    QualificationRequest,
)
from annotation.crowd.market.qualifying import request_qualification
from annotation.errors import DomainError
from tests.annotation.crowd.market.requesting import HIT, ask, books, make_hit, make_requester, work
from tests.annotation.crowd.market.test_qualifications import TEST, key, make_type
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
        except DomainError as error:
            return error.message
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


def test_it_takes_one_of_several_requests_for_a_qualification():
    worker = make_worker()
    kind = make_type(make_requester("10"))
    outcomes = at_once([lambda: request_qualification(kind=kind, worker=worker)] * 4)
    again = "You have already requested it. The requester hasn't decided yet."
    assert outcomes == {"done": 1, again: 3}
    assert QualificationRequest.objects.count() == 1


def test_it_scores_one_of_several_submissions_of_a_test():
    """Nobody sends two answers at once to keep the better one."""
    worker = make_worker()
    kind = make_type(make_requester("10"), **TEST, AnswerKey=key())
    request_qualification(kind=kind, worker=worker)
    good, bad = {"burst": ["yes"], "why": ["A", "B"]}, {"burst": ["no"]}
    outcomes = at_once(
        [
            lambda: request_qualification(kind=kind, worker=worker, fields=good),
            lambda: request_qualification(kind=kind, worker=worker, fields=bad),
        ]
        * 3
    )
    assert outcomes == {"done": 1, "This qualification can be requested only once.": 5}
    answer = QualificationRequest.objects.get().answer
    assert Qualification.objects.get().value == (15 if ">yes<" in answer else 1)
