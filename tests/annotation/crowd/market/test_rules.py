"""Whatever requesters and workers do, in whatever order: places and money add up.

A small model of the rules runs beside the database; each step is made on both and compared.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db.models import Sum
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.crowd.market import money
from annotation.crowd.market.accepting import accept_hit
from annotation.crowd.market.errors import TurkError
from annotation.crowd.market.models_accounts import Requester, WorkerAccount
from annotation.crowd.market.models_work import MarketAssignment, MarketEntry, MarketHit
from annotation.crowd.market.work import abandon_overdue, return_assignment, submit_assignment
from annotation.errors import DomainError
from tests.annotation.corpora.places import undone
from tests.annotation.crowd.market.requesting import ask, books, make_hit, make_requester
from tests.annotation.crowd.working import make_worker, overdue

pytestmark = pytest.mark.django_db

ACTIONS = [
    "create",
    "accept",
    "submit",
    "return",
    "abandon",
    "approve",
    "reject",
    "override",
    "bonus",
    "extend",
    "expire",
    "reopen",
    "delete",
    "sweep",
]
# The state of the work for which a step is meant.
FITS = {
    "submit": "Accepted",
    "return": "Accepted",
    "abandon": "Accepted",
    "approve": "Submitted",
    "reject": "Submitted",
    "override": "Rejected",
    "bonus": "Approved",
}
# Most of what happens is work; the rest happens to it now and then.
OFTEN = ["accept", "accept", "submit", "submit", "approve", "reject"]
# An action, whose work it is for, a number, and whether it goes anywhere at all.
STEP = st.tuples(
    st.sampled_from([*OFTEN, *ACTIONS]), st.integers(0, 11), st.integers(1, 3), st.booleans()
)
REWARD = Decimal(1)


@dataclass
class Task:
    """A HIT in the model: who holds a place of it and in which state."""

    key: str
    places: int
    is_open: bool = True
    is_deleted: bool = False
    held: int = 0
    work: dict[int, str] = field(default_factory=dict)

    def count(self, *states: str) -> int:
        return sum(state in states for state in self.work.values())

    @property
    def free(self) -> int:
        return self.places - self.count("Accepted", "Submitted", "Approved", "Rejected")

    @property
    def out(self) -> int:
        return self.count("Accepted", "Submitted")


@dataclass
class Desk:
    requester: Requester
    workers: list[WorkerAccount]
    balance: Decimal
    tasks: list[Task] = field(default_factory=list)

    @property
    def held(self) -> Decimal:
        return sum((task.held * REWARD for task in self.tasks), Decimal(0))

    def covers(self, cost: Decimal) -> bool:
        return self.balance - self.held >= cost

    # Each step says whether the rules allow it, does it in the model, and names the call.

    def create(self, task: Task | None, worker: int, number: int) -> bool:
        if not self.covers(number * REWARD):
            return self.refuse(self.make, number)
        hit = self.make(number)
        self.tasks.append(Task(hit.hit_id, number, held=number))
        return True

    def make(self, number: int) -> MarketHit:
        return make_hit(self.requester, MaxAssignments=number, Reward=str(REWARD))

    def accept(self, task: Task, worker: int, number: int) -> bool:
        state = task.work.get(worker)
        may = task.free > 0 and task.is_open and not task.is_deleted
        is_done = state in ("Submitted", "Approved", "Rejected")
        if state != "Accepted" and (is_done or not may):
            return self.refuse(accept_hit, hit_id=task.key, worker=self.workers[worker])
        accept_hit(hit_id=task.key, worker=self.workers[worker])
        task.work[worker] = "Accepted"
        return True

    def submit(self, task: Task, worker: int, number: int) -> bool:
        if task.work.get(worker) != "Accepted":
            return False
        submit_assignment(assignment_id=self.id_of(task, worker), fields={"s1": ["present"]})
        task.work[worker] = "Submitted"
        return True

    def return_(self, task: Task, worker: int, number: int) -> bool:
        if task.work.get(worker) != "Accepted":
            return False
        return_assignment(assignment=self.row_of(task, worker))
        del task.work[worker]
        return True

    def abandon(self, task: Task, worker: int, number: int) -> bool:
        if task.work.get(worker) != "Accepted":
            return False
        overdue(self.row_of(task, worker), 3600)
        assert abandon_overdue(timezone.now()) == 1
        del task.work[worker]
        return True

    def approve(self, task: Task, worker: int, number: int) -> bool:
        call = self.caller("ApproveAssignment", task, worker)
        return call is not None and self.decide(task, worker, "Submitted", "Approved", call)

    def reject(self, task: Task, worker: int, number: int) -> bool:
        call = self.caller("RejectAssignment", task, worker, RequesterFeedback="No.")
        return call is not None and self.decide(task, worker, "Submitted", "Rejected", call)

    def override(self, task: Task, worker: int, number: int) -> bool:
        """Also approves what was not rejected; a rejected place is paid from what is left."""
        call = self.caller("ApproveAssignment", task, worker, OverrideRejection=True)
        if call is None:
            return False
        if task.work.get(worker) != "Rejected":
            return self.decide(task, worker, "Submitted", "Approved", call)
        if task.is_deleted or not self.covers(REWARD):
            return self.refuse(call)
        call()
        task.work[worker] = "Approved"
        self.balance -= REWARD
        return True

    def decide(self, task: Task, worker: int, old: str, new: str, call: Any) -> bool:
        if task.work.get(worker) != old:
            return self.refuse(call)
        call()
        task.work[worker] = new
        task.held -= 1
        self.balance -= REWARD if new == "Approved" else 0
        return True

    def bonus(self, task: Task, worker: int, number: int) -> bool:
        who = self.workers[worker].worker_id
        call = self.caller(
            "SendBonus", task, worker, WorkerId=who, BonusAmount=f"{number}.00", Reason="Good."
        )
        if call is None:
            return False
        if task.work.get(worker) in (None, "Accepted") or not self.covers(Decimal(number)):
            return self.refuse(call)
        call()
        self.balance -= number
        return True

    def extend(self, task: Task, worker: int, number: int) -> bool:
        more = {"HITId": task.key, "NumberOfAdditionalAssignments": number}
        wanted = task.free + task.out + number if task.is_open else task.held
        is_too_large = task.places + number >= 10
        is_too_dear = not self.covers((wanted - task.held) * REWARD)
        if task.is_deleted or is_too_large or is_too_dear:
            return self.refuse(self.ask, "CreateAdditionalAssignmentsForHIT", **more)
        self.ask("CreateAdditionalAssignmentsForHIT", **more)
        task.places += number
        task.held = wanted
        return True

    def expire(self, task: Task, worker: int, number: int) -> bool:
        if task.is_deleted:
            return self.refuse(self.ask, "UpdateExpirationForHIT", HITId=task.key, ExpireAt=0)
        self.ask("UpdateExpirationForHIT", HITId=task.key, ExpireAt=0)
        task.is_open = False
        task.held = min(task.held, task.out)
        return True

    def reopen(self, task: Task, worker: int, number: int) -> bool:
        at = (timezone.now() + timedelta(days=number)).timestamp()
        wanted = max(task.held, task.free + task.out if task.free else 0)
        if task.is_deleted or not self.covers((wanted - task.held) * REWARD):
            return self.refuse(self.ask, "UpdateExpirationForHIT", HITId=task.key, ExpireAt=at)
        self.ask("UpdateExpirationForHIT", HITId=task.key, ExpireAt=at)
        task.is_open = True
        task.held = wanted
        return True

    def delete(self, task: Task, worker: int, number: int) -> bool:
        is_ready = (not task.is_open or not task.free) and not task.out
        if task.is_deleted or not is_ready:
            return self.refuse(self.ask, "DeleteHIT", HITId=task.key)
        self.ask("DeleteHIT", HITId=task.key)
        task.is_deleted = True
        task.held = 0
        return True

    def sweep(self, task: Task, worker: int, number: int) -> bool:
        money.release_expired(timezone.now())
        for each in self.tasks:
            each.held = each.held if each.is_open else min(each.held, each.out)
        return True

    # Towards the database ------------------------------------------------------------------------

    def ask(self, operation: str, **params: Any) -> dict[str, Any]:
        return ask(self.requester, operation, **params)

    def caller(self, operation: str, task: Task, worker: int, **params: Any) -> Any:
        """The call for a worker's assignment; None if they never had one that counts."""
        if worker not in task.work:
            return None
        named = {"AssignmentId": self.id_of(task, worker), **params}
        return lambda: self.ask(operation, **named)

    def row_of(self, task: Task, worker: int) -> MarketAssignment:
        rows = MarketAssignment.objects.select_related("hit__hit_type")
        mine = rows.filter(hit__hit_id=task.key, worker=self.workers[worker])
        return mine.get(status=task.work[worker])

    def id_of(self, task: Task, worker: int) -> str:
        return self.row_of(task, worker).assignment_id

    def refuse(self, call: Any, *args: Any, **params: Any) -> bool:
        with pytest.raises((TurkError, DomainError)):
            call(*args, **params)
        return False

    def do(self, action: str, which: int, number: int, is_wild: bool) -> None:
        """Mostly where the step has a meaning; a wild one anywhere, where it may be refused."""
        fitting = [
            (task, worker)
            for task in self.tasks
            for worker, state in task.work.items()
            if state == FITS.get(action)
        ]
        anywhere = [(task, worker) for task in self.tasks for worker in range(len(self.workers))]
        chosen = anywhere if is_wild or not fitting else fitting
        task, worker = chosen[which % len(chosen)] if chosen else (None, 0)
        if task is not None or action == "create":
            getattr(self, "return_" if action == "return" else action)(task, worker, number)

    def check(self) -> None:
        assert books(self.requester) == (self.balance, self.held)
        entries = MarketEntry.objects.filter(requester=self.requester)
        assert entries.aggregate(sum=Sum("amount"))["sum"] == self.balance
        rows = MarketHit.objects.in_bulk([task.key for task in self.tasks], field_name="hit_id")
        for task in self.tasks:
            hit = rows[task.key]
            counted = (hit.available, hit.pending, hit.submitted, hit.completed, hit.held_places)
            assert counted == (
                task.free,
                task.count("Accepted"),
                task.count("Submitted"),
                task.count("Approved", "Rejected"),
                task.held,
            )


@pytest.fixture
def workers() -> list[WorkerAccount]:
    return [make_worker(name) for name in ("Ann", "Bob", "Cem")]


@settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(steps=st.lists(STEP, min_size=10, max_size=40), balance=st.integers(3, 20))
def test_it_keeps_places_and_money_together(
    workers: list[WorkerAccount], steps: list[tuple[str, int, int, bool]], balance: int
):
    with undone():
        desk = Desk(make_requester(str(balance)), workers, Decimal(balance))
        for step in [("create", 0, 3, False), *steps]:
            desk.do(*step)
            desk.check()
