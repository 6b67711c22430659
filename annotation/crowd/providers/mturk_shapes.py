"""What the MTurk API says of HITs and assignments, in our words, and the other way round."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from annotation.crowd.models import Assignment, Hit
from annotation.crowd.providers.base import Places, ProviderError, Received
from annotation.translation import gettext as _

STATUS = {"Submitted": "submitted", "Approved": "approved", "Rejected": "rejected"}


def money(amount: Decimal) -> str:
    """Dollars and cents, as the API writes them."""
    return f"{amount:.2f}"


def annotation_of(hit: Hit) -> str:
    return f"giza:{hit.campaign.token.hex}:{hit.pk}"


def tagged(reason: str, token: str) -> str:
    """The reason with a short mark, by which a bonus can be found again."""
    return f"{reason} [{token[:12]}]"


def worker_id(assignment: Assignment) -> str:
    if assignment.worker is None:
        raise ProviderError(_("This assignment's worker is unknown, so no bonus can be paid."))
    return assignment.worker.provider_id


def places(row: dict[str, Any]) -> Places:
    asked = int(row["MaxAssignments"])
    pending = int(row.get("NumberOfAssignmentsPending", 0))
    available = int(row.get("NumberOfAssignmentsAvailable", 0))
    decided = int(row.get("NumberOfAssignmentsCompleted", 0))
    return Places(asked, pending, asked - available - pending, decided)


def received(row: dict[str, Any]) -> Received:
    decided: datetime | None = row.get("ApprovalTime") or row.get("RejectionTime")
    return Received(
        hit_id=row["HITId"],
        assignment_id=row["AssignmentId"],
        worker_id=row["WorkerId"],
        status=STATUS[row["AssignmentStatus"]],
        raw=row.get("Answer", ""),
        accepted_at=row.get("AcceptTime"),
        submitted_at=row.get("SubmitTime"),
        auto_approve_at=row.get("AutoApprovalTime"),
        decided_at=decided,
        seconds=_elapsed(row),
    )


def _elapsed(row: dict[str, Any]) -> float | None:
    if "AcceptTime" not in row or "SubmitTime" not in row:
        return None
    elapsed: timedelta = row["SubmitTime"] - row["AcceptTime"]
    return elapsed.total_seconds()
