"""Rows in the shapes of the API."""

from __future__ import annotations

from datetime import datetime
from decimal import ROUND_FLOOR, Decimal
from typing import Any

from annotation import clock
from annotation.crowd.market.models_work import (
    Bonus,
    MarketAssignment,
    MarketHit,
    Qualification,
    QualificationRequest,
    QualificationType,
)
from annotation.crowd.market.money import CENT
from annotation.crowd.market.system_qualifications import SystemType

Shape = dict[str, Any]


def amount(value: Decimal) -> str:
    """Dollars and cents; fractions of a cent can't be written in the API and are left out."""
    return str(max(value, Decimal(0)).quantize(CENT, ROUND_FLOOR))


def present(shape: Shape) -> Shape:
    """Without what is not there: the API leaves absent values out."""
    return {name: value for name, value in shape.items() if value is not None and value != ""}


def hit_shape(hit: MarketHit, now: datetime | None = None) -> Shape:
    kind = hit.hit_type
    return present(
        {
            "HITId": hit.hit_id,
            "HITTypeId": kind.hit_type_id,
            "HITGroupId": kind.group_id,
            "HITLayoutId": hit.layout_id,
            "CreationTime": hit.created_at,
            "Title": kind.title,
            "Description": kind.description,
            "Question": hit.question,
            "Keywords": kind.keywords,
            "HITStatus": hit.status(now or clock.now()),
            "MaxAssignments": hit.max_assignments,
            "Reward": amount(kind.reward),
            "AutoApprovalDelayInSeconds": kind.auto_approval_seconds,
            "Expiration": hit.expires_at,
            "AssignmentDurationInSeconds": kind.assignment_seconds,
            "RequesterAnnotation": hit.annotation,
            "QualificationRequirements": kind.requirements,
            "HITReviewStatus": hit.review_status,
            "NumberOfAssignmentsPending": hit.pending,
            "NumberOfAssignmentsAvailable": hit.available,
            "NumberOfAssignmentsCompleted": hit.completed,
        }
    )


def assignment_shape(assignment: MarketAssignment, hit_id: str) -> Shape:
    return present(
        {
            "AssignmentId": assignment.assignment_id,
            "WorkerId": assignment.worker.worker_id,
            "HITId": hit_id,
            "AssignmentStatus": assignment.status,
            "AutoApprovalTime": assignment.auto_approve_at,
            "AcceptTime": assignment.accepted_at,
            "SubmitTime": assignment.submitted_at,
            "ApprovalTime": assignment.approved_at,
            "RejectionTime": assignment.rejected_at,
            "Deadline": assignment.deadline,
            "Answer": assignment.answer,
            "RequesterFeedback": assignment.feedback,
        }
    )


def bonus_shape(bonus: Bonus) -> Shape:
    return present(
        {
            "WorkerId": bonus.assignment.worker.worker_id,
            "BonusAmount": amount(bonus.amount),
            "AssignmentId": bonus.assignment.assignment_id,
            "Reason": bonus.reason,
            "GrantTime": bonus.created_at,
        }
    )


def type_shape(kind: QualificationType) -> Shape:
    return present(
        {
            "QualificationTypeId": kind.qualification_type_id,
            "CreationTime": kind.created_at,
            "Name": kind.name,
            "Description": kind.description,
            "Keywords": kind.keywords,
            "QualificationTypeStatus": "Active" if kind.is_active else "Inactive",
            "Test": kind.test,
            "TestDurationInSeconds": kind.test_seconds,
            "AnswerKey": kind.answer_key,
            "RetryDelayInSeconds": kind.retry_seconds,
            "IsRequestable": kind.is_requestable,
            "AutoGranted": kind.auto_granted,
            "AutoGrantedValue": kind.auto_granted_value if kind.auto_granted else None,
        }
    )


def system_type_shape(kind: SystemType) -> Shape:
    return {
        "QualificationTypeId": kind.type_id,
        "Name": kind.name,
        "Description": f"Computed by the marketplace: {kind.words}.",
        "QualificationTypeStatus": "Active",
        "IsRequestable": False,
        "AutoGranted": False,
    }


def qualification_shape(held: Qualification, type_id: str) -> Shape:
    return {
        "QualificationTypeId": type_id,
        "WorkerId": held.worker.worker_id,
        "GrantTime": held.granted_at,
        "IntegerValue": held.value,
        "Status": "Granted" if held.is_granted else "Revoked",
    }


def request_shape(request: QualificationRequest) -> Shape:
    return present(
        {
            "QualificationRequestId": request.request_id,
            "QualificationTypeId": request.type.qualification_type_id,
            "WorkerId": request.worker.worker_id,
            "Test": request.type.test if request.answer else "",
            "Answer": request.answer,
            "SubmitTime": request.submitted_at or request.started_at,
        }
    )
