"""The requester's prepaid budget, and bonuses paid from it.

- Workers whom a requester blocks, and messages to them.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction

from annotation.crowd.market import decisions, money
from annotation.crowd.market.decisions import APPROVED, REJECTED
from annotation.crowd.market.errors import (
    TurkError,
    already_processed,
    invalid,
    own_work,
    wrong_state,
)
from annotation.crowd.market.models_accounts import Message, Requester, WorkerAccount, WorkerBlock
from annotation.crowd.market.models_work import AssignmentStatus, Bonus, MarketAssignment
from annotation.crowd.market.operations.hit_types import get_hit, get_worker
from annotation.crowd.market.requesters import acts_for_themselves, is_tied
from annotation.crowd.market.rows import patient
from annotation.crowd.market.shapes import amount, bonus_shape
from annotation.crowd.market.validation import check_between, check_length, claim_token, read_page

Params = dict[str, Any]

# Work that came too late for a place can still be rewarded.
WORKED = [*decisions.SHOWN, AssignmentStatus.LATE]


def get_account_balance(requester: Requester, params: Params) -> Params:
    return {
        "AvailableBalance": amount(requester.available),
        "OnHoldBalance": amount(requester.held),
    }


@patient
@transaction.atomic
def send_bonus(requester: Requester, params: Params) -> Params:
    value = money.read_amount("BonusAmount", params["BonusAmount"], least=money.CENT)
    reason = check_length("Reason", params["Reason"], 4096, 1)
    assignment = _get_worked(requester, params)
    claim_token(
        requester,
        "SendBonus",
        params.get("UniqueRequestToken"),
        assignment.assignment_id,
        _already_paid,
    )
    bonus = Bonus.objects.create(
        requester=requester, assignment=assignment, amount=value, reason=reason
    )
    money.pay_bonus(bonus)
    return {}


def _get_worked(requester: Requester, params: Params) -> MarketAssignment:
    assignment = decisions.get_assignment(requester, params["AssignmentId"])
    if assignment.worker.worker_id != params["WorkerId"]:
        raise invalid("WorkerId", f"is not the worker of assignment {assignment.assignment_id}.")
    if assignment.status not in WORKED:
        allowed = ", ".join(decisions.SHOWN)
        raise wrong_state("Assignment", assignment.assignment_id, assignment.status, allowed)
    user = assignment.worker.user_id
    if acts_for_themselves(user) or is_tied(requester.pk, user):
        raise own_work("Assignment", assignment.assignment_id)
    return assignment


def _already_paid(token: str, made: str) -> TurkError:
    return already_processed("BonusAlreadyPaid", token, f"It paid a bonus for assignment {made}.")


def list_bonus_payments(requester: Requester, params: Params) -> Params:
    rows = Bonus.objects.filter(requester=requester).select_related("assignment__worker")
    if "AssignmentId" in params:
        found = decisions.get_assignment(requester, params["AssignmentId"])
        rows = rows.filter(assignment=found)
    elif "HITId" in params:
        rows = rows.filter(assignment__hit=get_hit(requester, params["HITId"]))
    else:
        raise invalid("HITId or AssignmentId", "one is required.", "AWS.MissingParameters")
    page = read_page(rows, params, "pk", about=f"bonuses:{requester.pk}")
    return page.answer("BonusPayments", [bonus_shape(bonus) for bonus in page.rows])


ACCOUNT = {
    "GetAccountBalance": get_account_balance,
    "SendBonus": send_bonus,
    "ListBonusPayments": list_bonus_payments,
}


MOST_BLOCKS = 100_000
MOST_WORKERS = 100


def create_worker_block(requester: Requester, params: Params) -> Params:
    worker = get_worker(params["WorkerId"])
    reason = check_length("Reason", params["Reason"], 4096, 1)
    if WorkerBlock.objects.filter(requester=requester).count() >= MOST_BLOCKS:
        raise TurkError("ExceedsMaxBlocks", f"At most {MOST_BLOCKS:,} workers can be blocked.")
    WorkerBlock.objects.update_or_create(
        requester=requester, worker=worker, defaults={"reason": reason}
    )
    return {}


def delete_worker_block(requester: Requester, params: Params) -> Params:
    """A worker who is not blocked is fine too."""
    worker = get_worker(params["WorkerId"])
    WorkerBlock.objects.filter(requester=requester, worker=worker).delete()
    return {}


def list_worker_blocks(requester: Requester, params: Params) -> Params:
    rows = WorkerBlock.objects.filter(requester=requester).select_related("worker")
    page = read_page(rows, params, "pk", about=f"blocks:{requester.pk}")
    shown = [{"WorkerId": row.worker.worker_id, "Reason": row.reason} for row in page.rows]
    return page.answer("WorkerBlocks", shown)


def notify_workers(requester: Requester, params: Params) -> Params:
    """Write to workers of whom the requester decided some work; say who was not reached."""
    subject = check_length("Subject", params["Subject"], 200, 1)
    text = check_length("MessageText", params["MessageText"], 4096, 1)
    wanted = list(dict.fromkeys(params["WorkerIds"]))
    check_between("WorkerIds", len(wanted), 1, MOST_WORKERS)
    found = {row.worker_id: row for row in WorkerAccount.objects.filter(worker_id__in=wanted)}
    problems = _find_problems(requester, wanted, found)
    Message.objects.bulk_create(
        Message(requester=requester, worker=found[key], subject=subject, text=text)
        for key in wanted
        if key not in problems
    )
    return {"NotifyWorkersFailureStatuses": [_failure(key, problems[key]) for key in problems]}


def _find_problems(
    requester: Requester, wanted: list[str], found: dict[str, WorkerAccount]
) -> dict[str, str]:
    mine = MarketAssignment.objects.filter(
        hit__requester=requester, worker__in=found.values(), status__in=[APPROVED, REJECTED]
    )
    known = set(mine.values_list("worker__worker_id", flat=True).distinct())
    blocked = set(
        WorkerBlock.objects.filter(requester=requester, worker__in=found.values()).values_list(
            "worker__worker_id", flat=True
        )
    )
    problems = {}
    for key in wanted:
        if key not in found:
            problems[key] = "There is no such worker."
        elif key in blocked:
            problems[key] = "You have blocked this worker."
        elif key not in known:
            problems[key] = "You have neither approved nor rejected work of this worker."
    return problems


def _failure(worker_id: str, message: str) -> Params:
    return {
        "NotifyWorkersFailureCode": "HardFailure",
        "NotifyWorkersFailureMessage": message,
        "WorkerId": worker_id,
    }


WORKERS = {
    "CreateWorkerBlock": create_worker_block,
    "DeleteWorkerBlock": delete_worker_block,
    "ListWorkerBlocks": list_worker_blocks,
    "NotifyWorkers": notify_workers,
}
