"""What review policies do by themselves: approve or reject by score, and keep a record of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.cache import cache
from django.db import transaction

from annotation import clock
from annotation.crowd.market import decisions, holds
from annotation.crowd.market.errors import TurkError
from annotation.crowd.market.review_policies import (
    ASSIGNMENT,
    HIT,
    Answers,
    Policy,
    find_agreement,
    get_number,
    get_values,
    read_answers,
    score_known,
)
from annotation.crowd.models import MarketHit, make_id
from annotation.translation import gettext as _

SWEEP_SIZE = 50
CURSOR = "market:policies-after"
SCORES = {ASSIGNMENT: "KnownAnswerScore", HIT: "WorkerAgreementScore"}


@dataclass(frozen=True, slots=True)
class Decision:
    policy: str
    assignment_id: str
    approves: bool
    reason: str


def has_actions(policies: Mapping[str, Any]) -> bool:
    """Whether any of a HIT's policies asks for more than to be computed."""
    return any(
        parameter.get("Key", "").startswith(("ApproveIf", "RejectIf"))
        for name in SCORES
        for parameter in policies.get(name, {}).get("Parameters", [])
    )


def apply_policies(now: datetime) -> None:
    """The sweep: HITs whose policies decide, and that have something to be decided.

    What no score decides stays, so each sweep goes on where the last one ended.
    """
    waiting = MarketHit.objects.alive().filter(has_review_actions=True, submitted__gt=0)
    after = waiting.filter(pk__gt=cache.get(CURSOR, 0)).order_by("pk")
    found = list(after.select_related("requester")[:SWEEP_SIZE])
    for hit in found:
        for decision in list(decide(hit, now)):
            _carry_out(hit, decision)
    cache.set(CURSOR, found[-1].pk if len(found) == SWEEP_SIZE else 0)


def decide(hit: MarketHit, now: datetime) -> Iterator[Decision]:
    """Known answers decide as soon as work is in; agreement decides when all of it is."""
    rows = list(hit.assignments.filter(status__in=decisions.SHOWN))
    given = read_answers(rows)
    open_ = [row.assignment_id for row in rows if row.status == decisions.SUBMITTED]
    for name, scores in _score(hit, given, now).items():
        for assignment_id in open_:
            yield from _judge(name, hit.review_policies[name], assignment_id, scores[assignment_id])


def _score(
    hit: MarketHit, given: Mapping[str, Answers], now: datetime
) -> dict[str, dict[str, int]]:
    scores = {}
    if policy := hit.review_policies.get(ASSIGNMENT):
        scores[ASSIGNMENT] = {key: score_known(policy, item)[1] for key, item in given.items()}
    is_complete = hit.status(now) in ("Reviewable", "Reviewing")
    if is_complete and (policy := hit.review_policies.get(HIT)):
        found = find_agreement(policy, given)
        scores[HIT] = {key: found.score_worker(item) for key, item in given.items()}
    return scores


def _judge(name: str, policy: Policy, assignment_id: str, score: int) -> Iterator[Decision]:
    least = get_number(policy, f"ApproveIf{SCORES[name]}IsAtLeast")
    most = get_number(policy, f"RejectIf{SCORES[name]}IsLessThan")
    if least is not None and score >= least:
        yield Decision(name, assignment_id, True, _reason(policy, "ApproveReason"))
    elif most is not None and score < most:
        yield Decision(name, assignment_id, False, _reason(policy, "RejectReason"))


def _reason(policy: Policy, key: str) -> str:
    return " ".join(get_values(policy, key))[:1024]


def _carry_out(hit: MarketHit, decision: Decision) -> None:
    """The first decision counts; a later one has nothing to record."""
    act: dict[str, Any] = {"requester": hit.requester, "assignment_id": decision.assignment_id}
    try:
        if decision.approves:
            decisions.approve(**act, feedback=decision.reason or None)
        else:
            decisions.reject(**act, feedback=decision.reason)
    except TurkError:
        return
    _record(hit, decision)


@transaction.atomic
def _record(hit: MarketHit, decision: Decision) -> None:
    locked = holds.lock(hit)
    actions = locked.review_policies.setdefault("Actions", {}).setdefault(decision.policy, [])
    actions.append(
        {
            "ActionId": make_id(),
            "ActionName": "Approve" if decision.approves else "Reject",
            "TargetId": decision.assignment_id,
            "TargetType": "Assignment",
            "Status": "Succeeded",
            "CompleteTime": round(clock.now().timestamp(), 3),
            "Result": decision.reason or _("By the score that the policy names."),
        }
    )
    locked.save(update_fields=["review_policies"])
