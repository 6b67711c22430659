"""What review policies found out about a HIT."""

from __future__ import annotations

from typing import Any

from annotation.crowd.market.operations.found import get_hit
from annotation.crowd.market.paging import read_key, write_token
from annotation.crowd.market.review_policies import (
    ASSIGNMENT,
    HIT,
    Result,
    compute_results,
    make_result_id,
)
from annotation.crowd.models import MarketHit, Requester

Params = dict[str, Any]

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


OPERATIONS = {"ListReviewPolicyResultsForHIT": list_review_policy_results}
