"""What the steps of a worker read and change, as statements that are written once.

- Trying a short transaction again when the database was only busy.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import wraps
from typing import NamedTuple, ParamSpec, TypeVar

from django.db import OperationalError, connection

from annotation.corpora.accounts.models import User
from annotation.crowd.market.models_accounts import WorkerAccount
from annotation.crowd.market.models_work import MarketAssignment, MarketHit, MarketHitType
from annotation.statements import Part, Reader, fetch, fetch_all, run

_ASSIGNMENT = Part(
    "a",
    MarketAssignment,
    [
        *("id", "hit", "worker", "assignment_id", "status", "is_late", "seconds_worked"),
        *("accepted_at", "deadline"),
    ],
)
_HIT = Part("h", MarketHit, ["id", "requester", "hit_type", "hit_id", "question_kind"])
_TYPE = Part(
    "t",
    MarketHitType,
    [
        *("id", "requester", "hit_type_id", "title", "reward", "assignment_seconds"),
        *("auto_approval_seconds", "requirements", "notification", "notification_active"),
    ],
)
_WORKER = Part(
    "w",
    WorkerAccount,
    [
        *("id", "user", "worker_id", "country", "subdivision", "is_adult", "is_suspended"),
        *("accepted", "submitted", "approved", "rejected", "returned", "abandoned"),
    ],
)
_USER = Part(
    "u", User, ["id", "password", "email", "name", "is_active", "is_staff", "is_superuser"]
)

_JOINED = (
    "crowd_marketassignment a JOIN crowd_markethit h ON h.id = a.hit_id "
    "JOIN crowd_markethittype t ON t.id = h.hit_type_id WHERE "
)
_BY_KEY = Reader(f"{_JOINED} a.assignment_id = %s", _ASSIGNMENT, _HIT, _TYPE)
_IN_HAND = Reader(
    f"{_JOINED} a.worker_id = %s AND a.status = 'Accepted' AND h.hit_type_id = %s "
    "AND a.deadline > %s ORDER BY a.id LIMIT 1",
    *(_ASSIGNMENT, _HIT, _TYPE),
)
_TASK = Reader(
    "crowd_marketassignment a JOIN crowd_markethit h ON h.id = a.hit_id "
    "JOIN crowd_workeraccount w ON w.id = a.worker_id WHERE a.assignment_id = %s",
    Part("h", MarketHit, ["id", "hit_id", "question"]),
    Part("w", WorkerAccount, ["id", "worker_id"]),
)
_BY_TYPE_KEY = Reader("crowd_markethittype t WHERE t.hit_type_id = %s", _TYPE)
_BY_USER = Reader(
    "crowd_workeraccount w JOIN corpora_user u ON u.id = w.user_id WHERE w.user_id = %s",
    *(_WORKER, _USER),
)

_OWN = """
    SELECT t.id FROM crowd_markethittype t
    JOIN crowd_requester r ON r.id = t.requester_id
    JOIN crowd_workeraccount w ON w.id = %s
    WHERE t.id IN ({types}) AND (
        r.owner_id = w.user_id
        OR EXISTS (
            SELECT 1 FROM crowd_requestertie e
            WHERE e.requester_id = r.id AND e.user_id = w.user_id
        )
        OR EXISTS (
            SELECT 1 FROM corpora_membership m WHERE m.user_id = w.user_id AND (
                m.project_id = r.project_id
                OR EXISTS (
                    SELECT 1 FROM crowd_campaign c
                    JOIN crowd_hit ch ON ch.campaign_id = c.id AND ch.provider_id <> ''
                    JOIN crowd_markethit h ON h.hit_id = ch.provider_id
                    WHERE c.project_id = m.project_id AND h.hit_type_id = t.id
                )
            )
        )
    )
"""

_BARS = f"""
    SELECT
        u.is_active,
        EXISTS (SELECT 1 FROM crowd_workerblock WHERE requester_id = %s AND worker_id = %s),
        EXISTS ({_OWN.format(types="%s")})
    FROM crowd_workeraccount x JOIN corpora_user u ON u.id = x.user_id WHERE x.id = %s
"""

# The campaign of a HIT, if the worker has had as many of its HITs as one person may have.
_SPENT = """
    SELECT 1 FROM crowd_hit ch JOIN crowd_campaign c ON c.id = ch.campaign_id
    WHERE ch.provider_id = h.hit_id AND c.most_per_worker IS NOT NULL AND c.most_per_worker <= (
        SELECT COUNT(*) FROM crowd_marketassignment d
        JOIN crowd_markethit dh ON dh.id = d.hit_id
        JOIN crowd_hit dc ON dc.provider_id = dh.hit_id
        WHERE dc.campaign_id = c.id AND d.worker_id = %s
        AND d.status IN ('Accepted', 'Submitted', 'Approved', 'Rejected', 'Late')
    )
"""

_TAKE = """
    UPDATE crowd_markethit SET available = available - 1, pending = pending + 1
    WHERE available > 0 AND id = (
        SELECT h.id FROM crowd_markethit h
        WHERE h.hit_type_id = %s AND NOT h.is_deleted AND h.available > 0 AND h.expires_at > %s
        AND NOT EXISTS (
            SELECT 1 FROM crowd_marketassignment a WHERE a.hit_id = h.id AND a.worker_id = %s
        )
        AND NOT EXISTS ({spent})
        ORDER BY h.id LIMIT 1 {lock}
    )
    RETURNING id, hit_id, requester_id
"""


class Bars(NamedTuple):
    """Whether a worker's account is active, the requester has blocked them, and it is their own."""

    is_active: bool
    is_blocked: bool
    is_own: bool


def read_assignment(assignment_id: str) -> MarketAssignment | None:
    """With its HIT, but for the question, and the HIT's type."""
    return _joined(_BY_KEY.first(assignment_id))


def read_task(assignment_id: str) -> tuple[MarketHit, WorkerAccount] | None:
    """What the frame of an assignment needs: the HIT with its question, and whose it is."""
    found = _TASK.first(assignment_id)
    return (found[0], found[1]) if found else None


def read_in_hand(worker_id: int, type_id: int, now: datetime) -> MarketAssignment | None:
    return _joined(_IN_HAND.first(worker_id, type_id, now))


def _joined(
    found: tuple[MarketAssignment, MarketHit, MarketHitType] | list[object] | None,
) -> MarketAssignment | None:
    if found is None:
        return None
    assignment, hit, hit_type = found
    assert isinstance(assignment, MarketAssignment)
    assert isinstance(hit, MarketHit)
    assert isinstance(hit_type, MarketHitType)
    hit.hit_type = hit_type
    assignment.hit = hit
    return assignment


def read_hit_type(hit_type_id: str) -> MarketHitType | None:
    found = _BY_TYPE_KEY.first(hit_type_id)
    return found[0] if found else None


def read_worker(user_id: int) -> WorkerAccount | None:
    """The worker that an account is, with the account."""
    found = _BY_USER.first(user_id)
    if found is None:
        return None
    worker: WorkerAccount = found[0]
    worker.user = found[1]
    return worker


def read_bars(hit_type: MarketHitType, worker_id: int) -> Bars:
    row = fetch(_BARS, hit_type.requester_id, worker_id, worker_id, hit_type.pk, worker_id)
    assert row is not None
    return Bars(is_active=bool(row[0]), is_blocked=bool(row[1]), is_own=bool(row[2]))


def list_own_types(type_ids: Sequence[int], worker_id: int) -> set[int]:
    """Those of these types for which the worker would be paid by themselves.

    They are of a requester that the worker owns, of one that they are tied to for good, of the
    requester of a project that they are in, or of a campaign of such a project, whatever
    requester published it.
    """
    if not type_ids:
        return set()
    sql = _OWN.format(types=", ".join(["%s"] * len(type_ids)))
    return {row[0] for row in fetch_all(sql, worker_id, *type_ids)}


def take_free_place(hit_type: MarketHitType, worker_id: int, now: datetime) -> MarketHit | None:
    """Take a place of a HIT that the worker has never had.

    On PostgreSQL a HIT is chosen that nobody is just taking, so that workers don't queue for one
    row; if all that is left is being taken, the first to be free is waited for.
    """
    has_locks = connection.features.has_select_for_update_skip_locked
    for lock in ("FOR UPDATE SKIP LOCKED", "FOR UPDATE") if has_locks else ("",):
        sql = _TAKE.format(lock=lock, spent=_SPENT)
        row = fetch(sql, hit_type.pk, now, worker_id, worker_id)
        if row is not None:
            return MarketHit(pk=row[0], hit_id=row[1], requester_id=row[2], hit_type=hit_type)
    return None


def has_had_enough(hit_id: int, worker_id: int) -> bool:
    """Whether the worker has had as many HITs of this one's campaign as one person may have."""
    sql = f"SELECT 1 FROM crowd_markethit h WHERE h.id = %s AND EXISTS ({_SPENT})"
    return fetch(sql, hit_id, worker_id) is not None


def count_accepted(worker_id: int) -> None:
    """Counts, and makes this worker's other tabs wait, so that a double-click takes one HIT."""
    run("UPDATE crowd_workeraccount SET accepted = accepted + 1 WHERE id = %s", worker_id)


def count_submitted(worker_id: int) -> None:
    run("UPDATE crowd_workeraccount SET submitted = submitted + 1 WHERE id = %s", worker_id)


def submit_in_hand(
    assignment_id: int, answer: str, is_late: bool, at: datetime, approve_at: datetime
) -> bool:
    """Keep answers, if the assignment is still in hand."""
    sql = (
        "UPDATE crowd_marketassignment SET status = 'Submitted', answer = %s, is_late = %s, "
        "submitted_at = %s, auto_approve_at = %s WHERE id = %s AND status = 'Accepted'"
    )
    return run(sql, answer, is_late, at, approve_at, assignment_id) == 1


def submit_place(hit_id: int) -> bool:
    sql = (
        "UPDATE crowd_markethit SET pending = pending - 1, submitted = submitted + 1 "
        "WHERE id = %s AND pending > 0"
    )
    return run(sql, hit_id) == 1


P = ParamSpec("P")
R = TypeVar("R")

TRIES = 4
FIRST_PAUSE = 0.02
# After a longer wait for a lock, the client is asked to retry and the thread is released.
LONGEST = 2.0
# Deadlock, serialisation failure, lock not available.
TRANSIENT_STATES = {"40P01", "40001", "55P03"}


def patient(function: Callable[P, R]) -> Callable[P, R]:
    """Run it again, a few times, if the database says that somebody else was in the way.

    The function must do all of its writing in one transaction, which is gone when it fails.
    """

    @wraps(function)
    def tried(*args: P.args, **kwargs: P.kwargs) -> R:
        until = time.monotonic() + LONGEST
        for number in range(1, TRIES):
            try:
                return function(*args, **kwargs)
            except OperationalError as error:
                if not is_transient(error) or time.monotonic() > until:
                    raise
            time.sleep(FIRST_PAUSE * 2**number * random.uniform(0.5, 1.5))
        return function(*args, **kwargs)

    return tried


def is_transient(error: OperationalError) -> bool:
    state = getattr(error.__cause__, "sqlstate", None)
    return state in TRANSIENT_STATES or "database is locked" in str(error)
