"""Assignments: what workers submitted, and what becomes of it.

- What review policies found out about a HIT.
"""

from __future__ import annotations

from typing import Any

from annotation import clock
from annotation.crowd.market import decisions
from annotation.crowd.market.decisions import SHOWN, approve_overdue, is_overdue
from annotation.crowd.market.errors import not_here, wrong_state
from annotation.crowd.market.models_accounts import Requester
from annotation.crowd.market.models_work import MarketAssignment, MarketHit
from annotation.crowd.market.operations.hit_types import get_hit
from annotation.crowd.market.review_policies import (
    ASSIGNMENT,
    HIT,
    Result,
    compute_results,
    make_result_id,
)
from annotation.crowd.market.shapes import assignment_shape, hit_shape
from annotation.crowd.market.validation import check_length, read_key, read_page, write_token

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


ASSIGNMENTS = {
    "ListAssignmentsForHIT": list_assignments,
    "GetAssignment": get_assignment,
    "ApproveAssignment": approve_assignment,
    "RejectAssignment": reject_assignment,
    "GetFileUploadURL": get_file_upload_url,
}


LEVELS = {"Assignment": ASSIGNMENT, "HIT": HIT}
REPORTS = {ASSIGNMENT: "AssignmentReviewReport", HIT: "HITReviewReport"}
DEFAULT_SIZE = 100


def list_review_policy_results(requester: Requester, params: Params) -> Params:
    hit = get_hit(requester, params["HITId"])
    wanted = [LEVELS[level] for level in params.get("PolicyLevels") or LEVELS]
    policies = [name for name in wanted if name in hit.review_policies]
    rows = _collect(hit, policies, params)
    about = f"review:{hit.hit_id}"
    (start,) = read_key(params, (), about) or [0]
    end = start + params.get("MaxResults", DEFAULT_SIZE)
    answer: Params = {"HITId": hit.hit_id}
    for name in policies:
        answer[name] = {"PolicyName": hit.review_policies[name]["PolicyName"]}
        answer[REPORTS[name]] = _report(name, rows[start:end])
    if rows[start:end]:
        answer["NextToken"] = write_token([end], params, (), about)
    return answer


def _collect(hit: MarketHit, policies: list[str], params: Params) -> list[tuple[str, str, Params]]:
    """Everything that was asked for, in one order: policy, member of its report, value."""
    rows: list[tuple[str, str, Params]] = []
    results = compute_results(hit) if params.get("RetrieveResults", True) else {}
    for name in policies:
        rows += [(name, "ReviewResults", _shape(item)) for item in results.get(name, [])]
        if params.get("RetrieveActions", True):
            done = hit.review_policies.get("Actions", {}).get(name, [])
            rows += [(name, "ReviewActions", action) for action in done]
    return rows


def _report(name: str, rows: list[tuple[str, str, Params]]) -> Params:
    report: Params = {"ReviewResults": [], "ReviewActions": []}
    for policy, member, value in rows:
        if policy == name:
            report[member].append(value)
    return report


def _shape(result: Result) -> Params:
    shape = {
        "ActionId": make_result_id(result),
        "SubjectId": result.subject_id,
        "SubjectType": result.subject_type,
        "Key": result.key,
        "Value": result.value,
    }
    return {**shape, "QuestionId": result.question_id} if result.question_id else shape


REVIEW = {"ListReviewPolicyResultsForHIT": list_review_policy_results}
