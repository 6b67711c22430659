"""Review policies: scores of known answers, agreement, and decisions that follow from them."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from annotation.crowd.market.errors import TurkError
from annotation.crowd.market.models_accounts import Requester
from annotation.crowd.market.models_work import MarketHit
from annotation.crowd.market.review_policies import apply_policies
from tests.annotation.crowd.market.requesting import ask, make_hit, make_requester, work
from tests.annotation.crowd.working import make_worker

pytestmark = pytest.mark.django_db


def parameter(name: str, *values: object) -> dict[str, Any]:
    return {"Key": name, "Values": [str(value) for value in values]}


ANSWER_KEY = {
    "Key": "AnswerKey",
    "MapEntries": [{"Key": "g1", "Values": ["present"]}, {"Key": "g2", "Values": ["absent"]}],
}


def known(*parameters: dict[str, Any]) -> dict[str, Any]:
    return {"PolicyName": "ScoreMyKnownAnswers/2011-09-01", "Parameters": [ANSWER_KEY, *parameters]}


def plurality(*parameters: dict[str, Any]) -> dict[str, Any]:
    asked = [parameter("QuestionIds", "s1,s2"), parameter("QuestionAgreementThreshold", 50)]
    return {"PolicyName": "SimplePlurality/2011-09-01", "Parameters": [*asked, *parameters]}


ANSWERS = [
    {"g1": "present", "g2": "absent", "s1": "present", "s2": "present"},
    {"g1": "present", "g2": "present", "s1": "present", "s2": "absent"},
    {"g1": "absent", "g2": "present", "s1": " present ", "s2": "unsure"},
]


@pytest.fixture
def lab() -> Requester:
    return make_requester()


def answered(lab: Requester, **policies: Any) -> MarketHit:
    hit = make_hit(lab, MaxAssignments=3, **policies)
    for number, answers in enumerate(ANSWERS):
        work(hit, make_worker(f"Worker {number}".replace(" ", "")), **answers)
    hit.refresh_from_db()
    return hit


def values(report: dict[str, Any], name: str) -> list[str]:
    return [row["Value"] for row in report["ReviewResults"] if row["Key"] == name]


def test_it_scores_known_answers_and_agreement(lab: Requester):
    hit = answered(lab, AssignmentReviewPolicy=known(), HITReviewPolicy=plurality())
    found = ask(lab, "ListReviewPolicyResultsForHIT", HITId=hit.hit_id)
    by_assignment, by_hit = found["AssignmentReviewReport"], found["HITReviewReport"]
    assert values(by_assignment, "KnownAnswerScore") == ["100", "50", "0"]
    assert values(by_assignment, "KnownAnswerCorrect") == ["1", "1", "1", "0", "0", "0"]
    assert values(by_hit, "AgreedAnswerFound") == ["true", "false"]
    assert values(by_hit, "AgreedAnswer") == ["present"]
    assert values(by_hit, "AnswerAgreementScore") == ["100"]
    assert values(by_hit, "WorkerAgreementScore") == ["100", "100", "100"]
    assert values(by_hit, "HitAgreementScore") == ["50"]


def test_it_pages_through_results(lab: Requester):
    hit = answered(lab, AssignmentReviewPolicy=known(), HITReviewPolicy=plurality())
    params: dict[str, Any] = {"HITId": hit.hit_id, "MaxResults": 5}
    whole = ask(lab, "ListReviewPolicyResultsForHIT", HITId=hit.hit_id)
    reports = ("AssignmentReviewReport", "HITReviewReport")
    rows: list[Any] = []
    while True:
        page = ask(lab, "ListReviewPolicyResultsForHIT", **params)
        rows += [row for name in reports for row in page[name]["ReviewResults"]]
        if "NextToken" not in page:
            break
        params["NextToken"] = page["NextToken"]
    assert rows == [row for name in reports for row in whole[name]["ReviewResults"]]


def test_it_decides_by_score_once(lab: Requester):
    policy = known(
        parameter("ApproveIfKnownAnswerScoreIsAtLeast", 100),
        parameter("RejectIfKnownAnswerScoreIsLessThan", 50),
        parameter("RejectReason", "Both known answers were wrong."),
    )
    hit = answered(lab, AssignmentReviewPolicy=policy)
    for _ in range(2):
        apply_policies(timezone.now())
    rows = hit.assignments.order_by("pk").values_list("status", "feedback")
    assert list(rows) == [
        ("Approved", ""),
        ("Submitted", ""),
        ("Rejected", "Both known answers were wrong."),
    ]
    found = ask(lab, "ListReviewPolicyResultsForHIT", HITId=hit.hit_id, RetrieveResults=False)
    actions = found["AssignmentReviewReport"]["ReviewActions"]
    assert [action["ActionName"] for action in actions] == ["Approve", "Reject"]


def test_it_waits_for_all_before_it_decides_by_agreement(lab: Requester):
    policy = plurality(parameter("ApproveIfWorkerAgreementScoreIsAtLeast", 100))
    hit = make_hit(lab, MaxAssignments=3, HITReviewPolicy=policy)
    for number, answers in enumerate(ANSWERS):
        apply_policies(timezone.now())
        assert hit.assignments.filter(status="Approved").count() == 0
        work(hit, make_worker(f"Worker{number}"), **answers)
    apply_policies(timezone.now())
    assert hit.assignments.filter(status="Approved").count() == 3


@pytest.mark.parametrize(
    ("code", "policies"),
    [
        ("InvalidParameterValue", {"HITReviewPolicy": known()}),
        ("InvalidParameterValue", {"AssignmentReviewPolicy": {"PolicyName": "Mine/1"}}),
        ("MissingParameters", {"HITReviewPolicy": {"PolicyName": "SimplePlurality/2011-09-01"}}),
        (
            "InvalidParameterValue",
            {"AssignmentReviewPolicy": known(parameter("ApproveIfKnownAnswerScoreIsAtLeast", "x"))},
        ),
        (
            "NotSupported",
            {"HITReviewPolicy": plurality(parameter("ExtendIfHITAgreementScoreIsLessThan", 50))},
        ),
    ],
)
def test_it_refuses_a_policy(lab: Requester, code: str, policies: dict[str, Any]):
    with pytest.raises(TurkError) as error:
        make_hit(lab, **policies)
    assert error.value.turk_code.rpartition(".")[2] == code
