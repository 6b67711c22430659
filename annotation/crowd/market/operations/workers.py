"""Workers whom a requester blocks, and messages to them."""

from __future__ import annotations

from typing import Any

from annotation.crowd.market.decisions import APPROVED, REJECTED
from annotation.crowd.market.errors import TurkError
from annotation.crowd.market.operations.found import get_worker
from annotation.crowd.market.paging import read_page
from annotation.crowd.market.validation import check_between, check_length
from annotation.crowd.models import (
    MarketAssignment,
    Message,
    Requester,
    WorkerAccount,
    WorkerBlock,
)

Params = dict[str, Any]

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


OPERATIONS = {
    "CreateWorkerBlock": create_worker_block,
    "DeleteWorkerBlock": delete_worker_block,
    "ListWorkerBlocks": list_worker_blocks,
    "NotifyWorkers": notify_workers,
}
