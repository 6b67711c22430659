"""Qualification types, tests, requests and who holds what."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from annotation.crowd.market.errors import TurkError
from annotation.crowd.market.models_accounts import Message, Requester, WorkerAccount
from annotation.crowd.market.models_work import (
    Qualification,
    QualificationRequest,
    QualificationType,
)
from annotation.crowd.market.qualifying import request_qualification, score_answers
from annotation.errors import DomainError
from tests.annotation.crowd.market.requesting import ask, make_hit, make_requester
from tests.annotation.crowd.working import FORM, SCHEMAS, make_worker

pytestmark = pytest.mark.django_db


def key(mapping: str = "") -> str:
    """Yes is worth 5, A and B together 10, any other answer to the second question 1."""
    return (
        f'<AnswerKey xmlns="{SCHEMAS}/2005-10-01/AnswerKey.xsd">'
        "<Question><QuestionIdentifier>burst</QuestionIdentifier><AnswerOption>"
        "<SelectionIdentifier>yes</SelectionIdentifier><AnswerScore>5</AnswerScore>"
        "</AnswerOption></Question>"
        "<Question><QuestionIdentifier>why</QuestionIdentifier><AnswerOption>"
        "<SelectionIdentifier>A</SelectionIdentifier><SelectionIdentifier>B</SelectionIdentifier>"
        "<AnswerScore>10</AnswerScore></AnswerOption><DefaultScore>1</DefaultScore></Question>"
        f"{mapping and f'<QualificationValueMapping>{mapping}</QualificationValueMapping>'}"
        "</AnswerKey>"
    )


PERCENT = "<PercentageMapping><MaximumSummedScore>15</MaximumSummedScore></PercentageMapping>"
SCALE = "<ScaleMapping><SummedScoreMultiplier>0.5</SummedScoreMultiplier></ScaleMapping>"
RANGE = (
    "<RangeMapping><SummedScoreRange><InclusiveLowerBound>6</InclusiveLowerBound>"
    "<InclusiveUpperBound>15</InclusiveUpperBound><QualificationValue>2</QualificationValue>"
    "</SummedScoreRange><OutOfRangeQualificationValue>0</OutOfRangeQualificationValue>"
    "</RangeMapping>"
)


@pytest.mark.parametrize(
    ("answers", "mapping", "score"),
    [
        ({"burst": "yes", "why": "A|B"}, "", 15),
        ({"burst": "yes", "why": "B|A"}, "", 15),
        ({"burst": "yes", "why": "A"}, "", 6),
        ({"burst": "yes", "why": "A|B|C"}, "", 6),
        ({"burst": "no"}, "", 1),
        ({"burst": "yes", "why": "A|B"}, PERCENT, 100),
        ({"burst": "yes", "why": "A"}, PERCENT, 40),
        ({"burst": "yes", "why": "A"}, SCALE, 3),
        ({"burst": "yes", "why": "A"}, RANGE, 2),
        ({"burst": "no"}, RANGE, 0),
    ],
)
def test_it_scores_a_test(answers: dict[str, str], mapping: str, score: int):
    assert score_answers(key(mapping), answers) == score


@pytest.fixture
def lab() -> Requester:
    return make_requester()


@pytest.fixture
def worker() -> WorkerAccount:
    return make_worker()


def make_type(lab: Requester, **params: Any) -> QualificationType:
    given = {"Name": "Reader", "Description": "Reads.", "QualificationTypeStatus": "Active"}
    made = ask(lab, "CreateQualificationType", **{**given, **params})["QualificationType"]
    return QualificationType.objects.get(qualification_type_id=made["QualificationTypeId"])


TEST = {"Test": FORM, "TestDurationInSeconds": 600}


@pytest.mark.parametrize(
    ("code", "params"),
    [
        ("QualificationTypeAlreadyExists", {}),
        ("MissingParameters", {"Name": "Other", "Test": FORM}),
        ("InvalidParameterValue", {"Name": "Other", "AnswerKey": key()}),
        ("InvalidParameterValue", {"Name": "Other", "AutoGranted": True, **TEST}),
        ("XMLParseError", {"Name": "Other", **TEST, "Test": key()}),
        ("XMLParseError", {"Name": "Other", **TEST, "AnswerKey": FORM}),
        ("ParameterOutOfRange", {"Name": "x" * 201}),
    ],
)
def test_it_refuses_a_type(lab: Requester, code: str, params: dict[str, Any]):
    make_type(lab)
    with pytest.raises(TurkError) as error:
        make_type(lab, **params)
    assert error.value.turk_code.rpartition(".")[2] == code


def test_it_grants_at_once_or_by_score_or_by_hand(lab: Requester, worker: WorkerAccount):
    at_once = make_type(lab, Name="At once", AutoGranted=True, AutoGrantedValue=3)
    tested = make_type(lab, Name="Tested", **TEST, AnswerKey=key(PERCENT))
    by_hand = make_type(lab, Name="By hand")
    request_qualification(kind=at_once, worker=worker)
    assert request_qualification(kind=tested, worker=worker).submitted_at is None
    assert ask(lab, "ListQualificationRequests")["NumResults"] == 0
    answers = {"burst": ["yes"], "why": ["A", "B"]}
    request_qualification(kind=tested, worker=worker, fields=answers)
    asked = request_qualification(kind=by_hand, worker=worker)
    waiting = ask(lab, "ListQualificationRequests")["QualificationRequests"]
    assert [row["QualificationRequestId"] for row in waiting] == [asked.request_id]
    named = {"QualificationRequestId": asked.request_id}
    ask(lab, "AcceptQualificationRequest", IntegerValue=8, **named)
    with pytest.raises(TurkError, match="Granted"):
        ask(lab, "RejectQualificationRequest", **named)
    values = Qualification.objects.order_by("pk").values_list("type__name", "value")
    assert list(values) == [("At once", 3), ("Tested", 100), ("By hand", 8)]


def test_it_lets_workers_try_again_only_after_a_while(lab: Requester, worker: WorkerAccount):
    once, again = make_type(lab), make_type(lab, Name="Again", RetryDelayInSeconds=3600)
    for kind in (once, again):
        asked = request_qualification(kind=kind, worker=worker)
        with pytest.raises(DomainError, match="already requested"):
            request_qualification(kind=kind, worker=worker)
        ask(lab, "RejectQualificationRequest", QualificationRequestId=asked.request_id)
    with pytest.raises(DomainError, match="only once"):
        request_qualification(kind=once, worker=worker)
    with pytest.raises(DomainError, match="again after"):
        request_qualification(kind=again, worker=worker)
    QualificationRequest.objects.update(submitted_at=timezone.now() - timedelta(hours=2))
    assert request_qualification(kind=again, worker=worker).state == "open"


def test_it_takes_no_answers_after_the_time_of_a_test(lab: Requester, worker: WorkerAccount):
    kind = make_type(lab, **TEST, AnswerKey=key(), RetryDelayInSeconds=0)
    request_qualification(kind=kind, worker=worker)
    QualificationRequest.objects.update(started_at=timezone.now() - timedelta(seconds=700))
    with pytest.raises(DomainError, match="time for this test"):
        request_qualification(kind=kind, worker=worker, fields={"burst": ["yes"]})
    assert request_qualification(kind=kind, worker=worker).submitted_at is None
    assert Qualification.objects.count() == 0


def test_it_gives_takes_and_gives_again(lab: Requester, worker: WorkerAccount):
    kind = make_type(lab)
    named = {"QualificationTypeId": kind.qualification_type_id, "WorkerId": worker.worker_id}
    with pytest.raises(TurkError, match="does not exist"):
        ask(lab, "GetQualificationScore", **named)
    ask(lab, "AssociateQualificationWithWorker", **named)
    ask(lab, "AssociateQualificationWithWorker", IntegerValue=5, SendNotification=False, **named)
    assert Message.objects.count() == 1
    assert ask(lab, "GetQualificationScore", **named)["Qualification"]["IntegerValue"] == 5
    ask(lab, "DisassociateQualificationFromWorker", Reason="Enough.", **named)
    with pytest.raises(TurkError, match="status of: Granted"):
        ask(lab, "DisassociateQualificationFromWorker", **named)
    revoked = {"QualificationTypeId": kind.qualification_type_id, "Status": "Revoked"}
    assert ask(lab, "ListWorkersWithQualificationType", **revoked)["NumResults"] == 1
    with pytest.raises(TurkError, match="does not exist"):
        ask(make_requester(), "AssociateQualificationWithWorker", **named)


def test_it_pages_through_the_markets_types_and_then_the_requesters(lab: Requester):
    mine = [make_type(lab, Name=f"Type {number}").qualification_type_id for number in range(5)]
    other = make_type(make_requester(), Name="Theirs", **TEST, AnswerKey=key())
    rows: list[dict[str, Any]] = []
    params: dict[str, Any] = {"MustBeRequestable": False, "MaxResults": 4}
    while True:
        page = ask(lab, "ListQualificationTypes", **params)
        assert page["NumResults"] <= 4
        rows += page["QualificationTypes"]
        if "NextToken" not in page:
            break
        params["NextToken"] = page["NextToken"]
    seen = [row["QualificationTypeId"] for row in rows]
    assert seen[10:] == [*mine, other.qualification_type_id]
    assert len(set(seen)) == len(seen)
    assert "AnswerKey" not in rows[-1]
    owned = ask(lab, "ListQualificationTypes", MustBeRequestable=True, MustBeOwnedByCaller=True)
    assert owned["NumResults"] == 5
    found = ask(lab, "ListQualificationTypes", MustBeRequestable=False, Query="LOCALE")
    assert [row["Name"] for row in found["QualificationTypes"]] == ["Worker_Locale"]


def test_it_deletes_a_type_but_not_what_is_held(lab: Requester, worker: WorkerAccount):
    kind = make_type(lab)
    named = {"QualificationTypeId": kind.qualification_type_id}
    needs = [{**named, "Comparator": "Exists"}]
    hit = make_hit(lab, QualificationRequirements=needs)
    make_hit(lab)
    listed = ask(lab, "ListHITsForQualificationType", **named)["HITs"]
    assert [row["HITId"] for row in listed] == [hit.hit_id]
    ask(lab, "AssociateQualificationWithWorker", WorkerId=worker.worker_id, **named)
    request_qualification(kind=kind, worker=make_worker("Second"))
    ask(lab, "DeleteQualificationType", **named)
    assert QualificationRequest.objects.get().state == "rejected"
    assert Qualification.objects.get().is_granted
    with pytest.raises(TurkError, match="does not exist"):
        make_hit(lab, QualificationRequirements=needs)
    make_type(lab)
