"""Assignments: what workers submitted, and what becomes of it."""

from __future__ import annotations

from typing import Any

from annotation import clock
from annotation.crowd.market import decisions
from annotation.crowd.market.decisions import SHOWN, approve_overdue, is_overdue
from annotation.crowd.market.errors import not_here, wrong_state
from annotation.crowd.market.operations.found import get_hit
from annotation.crowd.market.paging import read_page
from annotation.crowd.market.shapes import assignment_shape, hit_shape
from annotation.crowd.market.validation import check_length
from annotation.crowd.models import MarketAssignment, Requester

Params = dict[str, Any]

MOST_FEEDBACK = 1024
# MTurk's own list, which clients look for; it says Reviewable for Submitted.
WITH_A_RESULT = "Reviewable,Approved,Rejected"


def list_assignments(requester: Requester, params: Params) -> Params:
    """In the order in which they were submitted: what comes in meanwhile comes at the end."""
    hit = get_hit(requester, params["HITId"])
    if hit.submitted:
        approve_overdue(clock.now(), hit)
    statuses = params.get("AssignmentStatuses") or SHOWN
    rows = MarketAssignment.objects.filter(hit=hit, status__in=statuses).select_related("worker")
    about = f"assignments:{hit.hit_id}"
    page = read_page(rows, params, "submitted_at", "pk", about=about, long_field="answer")
    return page.answer("Assignments", [assignment_shape(row, hit.hit_id) for row in page.rows])


def get_assignment(requester: Requester, params: Params) -> Params:
    now = clock.now()
    found = decisions.get_assignment(requester, params["AssignmentId"])
    if is_overdue(found, now) and approve_overdue(now, found.hit):
        found = decisions.get_assignment(requester, params["AssignmentId"])
    if found.status not in SHOWN:
        raise wrong_state("Assignment", found.assignment_id, found.status, WITH_A_RESULT)
    shape = assignment_shape(found, found.hit.hit_id)
    return {"Assignment": shape, "HIT": hit_shape(found.hit, now)}


def approve_assignment(requester: Requester, params: Params) -> Params:
    feedback = params.get("RequesterFeedback")
    decisions.approve(
        requester=requester,
        assignment_id=params["AssignmentId"],
        feedback=None if feedback is None else _feedback(feedback),
        override=params.get("OverrideRejection", False),
    )
    return {}


def reject_assignment(requester: Requester, params: Params) -> Params:
    decisions.reject(
        requester=requester,
        assignment_id=params["AssignmentId"],
        feedback=_feedback(params["RequesterFeedback"]),
    )
    return {}


def _feedback(text: str) -> str:
    return check_length("RequesterFeedback", text, MOST_FEEDBACK)


def get_file_upload_url(requester: Requester, params: Params) -> Params:
    decisions.get_assignment(requester, params["AssignmentId"])
    raise not_here("Workers can't upload files on this marketplace, so there are none to download.")


OPERATIONS = {
    "ListAssignmentsForHIT": list_assignments,
    "GetAssignment": get_assignment,
    "ApproveAssignment": approve_assignment,
    "RejectAssignment": reject_assignment,
    "GetFileUploadURL": get_file_upload_url,
}
