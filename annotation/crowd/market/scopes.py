"""What a key must be allowed to do for each operation of the API.

Read: an answer, and nothing changes.
Publish: what workers see. That includes creating and extending HITs and changing their type, which
put the price of the work on hold; the HIT then pays it by auto-approval or by its review policy.
A key that could not do this could not publish. It is bounded by the prepaid budget.
Pay: decisions about money for submitted work: approve, reject, and bonuses.
"""

from __future__ import annotations

from annotation.corpora.models import KeyScope

READ = [
    "GetAccountBalance",
    "GetAssignment",
    "GetFileUploadURL",
    "GetHIT",
    "GetQualificationScore",
    "GetQualificationType",
    "ListAssignmentsForHIT",
    "ListBonusPayments",
    "ListHITs",
    "ListHITsForQualificationType",
    "ListQualificationRequests",
    "ListQualificationTypes",
    "ListReviewPolicyResultsForHIT",
    "ListReviewableHITs",
    "ListWorkerBlocks",
    "ListWorkersWithQualificationType",
]
PUBLISH = [
    "AcceptQualificationRequest",
    "AssociateQualificationWithWorker",
    "CreateAdditionalAssignmentsForHIT",
    "CreateHIT",
    "CreateHITType",
    "CreateHITWithHITType",
    "CreateQualificationType",
    "CreateWorkerBlock",
    "DeleteHIT",
    "DeleteQualificationType",
    "DeleteWorkerBlock",
    "DisassociateQualificationFromWorker",
    "NotifyWorkers",
    "RejectQualificationRequest",
    "SendTestEventNotification",
    "UpdateExpirationForHIT",
    "UpdateHITReviewStatus",
    "UpdateHITTypeOfHIT",
    "UpdateNotificationSettings",
    "UpdateQualificationType",
]
PAY = [
    "ApproveAssignment",
    "RejectAssignment",
    "SendBonus",
]
SCOPES: dict[str, KeyScope] = {
    **dict.fromkeys(READ, KeyScope.READ),
    **dict.fromkeys(PUBLISH, KeyScope.PUBLISH),
    **dict.fromkeys(PAY, KeyScope.PAY),
}
