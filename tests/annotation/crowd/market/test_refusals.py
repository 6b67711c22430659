"""What a request may not say: limits, patterns and states, with the codes that MTurk gives."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.crowd.market.errors import TurkError
from annotation.crowd.market.models_accounts import Requester, WorkerAccount
from annotation.crowd.market.models_work import MarketHit
from tests.annotation.crowd.market.requesting import (
    HIT,
    HIT_TYPE,
    ask,
    books,
    make_hit,
    make_requester,
    work,
)
from tests.annotation.crowd.working import SCHEMAS, external_question, html_question, make_worker

pytestmark = pytest.mark.django_db


@pytest.fixture
def lab() -> Requester:
    return make_requester()


@pytest.fixture
def worker() -> WorkerAccount:
    return make_worker()


def refusal(requester: Requester, operation: str, **params: Any) -> str:
    with pytest.raises(TurkError) as error:
        ask(requester, operation, **params)
    return error.value.turk_code.removeprefix("AWS.").removeprefix("MechanicalTurk.")


def needs(type_id: str, comparator: str, **values: Any) -> dict[str, Any]:
    return {"QualificationTypeId": type_id, "Comparator": comparator, **values}


LOCALE, APPROVED = "00000000000000000071", "00000000000000000040"
DOCTYPE = '<!DOCTYPE x [<!ENTITY a "b">]>'
REQUIREMENTS = "QualificationRequirements"
WRONG_REQUIREMENTS = "InvalidQualificationRequirements"
CREATE_HIT = [
    ("ParameterOutOfRange", {"Title": "x" * 129}),
    ("ParameterOutOfRange", {"Title": ""}),
    ("ParameterOutOfRange", {"Description": "x" * 2001}),
    ("ParameterOutOfRange", {"Keywords": "x" * 1001}),
    ("ParameterOutOfRange", {"RequesterAnnotation": "x" * 256}),
    ("ParameterOutOfRange", {"LifetimeInSeconds": 29}),
    ("ParameterOutOfRange", {"LifetimeInSeconds": 31_536_001}),
    ("ParameterOutOfRange", {"AssignmentDurationInSeconds": 29}),
    ("ParameterOutOfRange", {"AutoApprovalDelayInSeconds": 2_592_001}),
    ("ParameterOutOfRange", {"MaxAssignments": 0}),
    ("ParameterOutOfRange", {"MaxAssignments": 1_000_000_001}),
    ("ParameterOutOfRange", {"UniqueRequestToken": "x" * 65}),
    ("InvalidParameterValue", {"MaxAssignments": "3"}),
    ("InvalidParameterValue", {"MaxAssignments": True}),
    ("InvalidParameterValue", {"Reward": "-1"}),
    ("InvalidParameterValue", {"Reward": "0.001"}),
    ("InvalidParameterValue", {"Reward": "$1"}),
    ("InvalidParameterValue", {"Title": 3}),
    ("InvalidParameterValue", {"Title": "a\x00b"}),
    ("InvalidParameterValue", {"Colour": "red"}),
    ("MissingParameters", {"Title": None}),
    ("MissingParameters", {"Question": None}),
    ("InsufficientFunds", {"MaxAssignments": 667}),
    ("InsufficientFunds", {"MaxAssignments": 1_000_000_000, "Reward": "9999999.99"}),
    ("HITLayoutDoesNotExist", {"HITLayoutId": "ABC", "Question": None}),
    ("InvalidParameterValue", {"HITLayoutId": "ABC"}),
    ("MissingParameters", {"HITLayoutParameters": []}),
    ("XMLParseError", {"Question": "not xml"}),
    ("XMLParseError", {"Question": "<HTMLQuestion/>"}),
    ("XMLParseError", {"Question": DOCTYPE + html_question()}),
    ("XMLParseError", {"Question": html_question("é" * 32_700)}),
    ("XMLParseError", {"Question": html_question("")}),
    ("XMLParseError", {"Question": external_question("javascript:alert(1)")}),
    ("XMLParseError", {"Question": external_question("https://evil.test;script-src *")}),
    ("XMLParseError", {"Question": external_question("https://evil.test;script-src")}),
    ("XMLParseError", {"Question": external_question("https://evil.test,x/")}),
    ("XMLParseError", {"Question": external_question("https://*/")}),
    ("XMLParseError", {"Question": external_question("https://me@evil.test/")}),
    ("XMLParseError", {"Question": external_question("https://evil.te&#10;st/")}),
    ("XMLParseError", {"Question": external_question("https://evil..test/")}),
    ("XMLParseError", {"Question": external_question("http://elsewhere.test/")}),
    ("XMLParseError", {"Question": f'<QuestionForm xmlns="{SCHEMAS}/1/QuestionForm.xsd"/>'}),
    ("InvalidEnumeratedParameter", {REQUIREMENTS: [needs(APPROVED, "Above")]}),
    (WRONG_REQUIREMENTS, {REQUIREMENTS: [needs(APPROVED, "EqualTo")]}),
    (WRONG_REQUIREMENTS, {REQUIREMENTS: [needs(APPROVED, "EqualTo", IntegerValues=[1, 2])]}),
    (WRONG_REQUIREMENTS, {REQUIREMENTS: [needs(APPROVED, "Exists", IntegerValues=[1])]}),
    (WRONG_REQUIREMENTS, {REQUIREMENTS: [needs(LOCALE, "EqualTo", IntegerValues=[1])]}),
    (
        WRONG_REQUIREMENTS,
        {REQUIREMENTS: [needs(LOCALE, "LessThan", LocaleValues=[{"Country": "US"}])]},
    ),
    (WRONG_REQUIREMENTS, {REQUIREMENTS: [needs(APPROVED, "Exists")] * 2}),
    ("QualificationTypeDoesNotExist", {REQUIREMENTS: [needs("NOSUCHTYPE", "Exists")]}),
    ("InvalidParameterValue", {REQUIREMENTS: [needs(APPROVED, "Exists")] * 11}),
]


@pytest.mark.parametrize(("code", "changes"), CREATE_HIT)
def test_it_refuses_a_hit_that_is_not_within_limits(
    lab: Requester, code: str, changes: dict[str, Any]
):
    assert refusal(lab, "CreateHIT", **{**HIT, **changes}) == code
    assert MarketHit.objects.count() == 0
    assert books(lab)[1] == 0


ANY_TYPE = {"HITTypeId": "NONE"}
LONG = {"Subject": "s" * 201, "MessageText": "t"}


def test_it_takes_a_question_of_exactly_the_largest_size(lab: Requester):
    frame = len(html_question("").encode())
    largest = html_question("é" * ((65_535 - frame) // 2) + "x" * ((65_535 - frame) % 2))
    assert len(largest.encode()) == 65_535
    made = ask(lab, "CreateHIT", **{**HIT, "Question": largest})
    assert made["HIT"]["Question"] == largest


@pytest.mark.parametrize(
    ("operation", "code", "params"),
    [
        ("GetHIT", "HITDoesNotExist", {"HITId": "NONE"}),
        ("GetHIT", "InvalidParameterValue", {"HITId": "a b"}),
        ("CreateHITWithHITType", "HITTypeDoesNotExist", {**ANY_TYPE, "LifetimeInSeconds": 60}),
        ("GetAssignment", "AssignmentDoesNotExist", {"AssignmentId": "NONE"}),
        ("ApproveAssignment", "AssignmentDoesNotExist", {"AssignmentId": "NONE"}),
        ("ListHITs", "ParameterOutOfRange", {"MaxResults": 101}),
        ("ListHITs", "ParameterOutOfRange", {"MaxResults": 0}),
        ("ListBonusPayments", "MissingParameters", {}),
        ("GetQualificationType", "QualificationTypeDoesNotExist", {"QualificationTypeId": "NONE"}),
        ("CreateWorkerBlock", "WorkerDoesNotExist", {"WorkerId": "ANOBODY", "Reason": "x"}),
        ("NotifyWorkers", "ParameterOutOfRange", {**LONG, "WorkerIds": ["A1"]}),
        ("UpdateNotificationSettings", "HITTypeDoesNotExist", {**ANY_TYPE, "Active": True}),
    ],
)
def test_it_refuses_what_is_not_there(
    lab: Requester, operation: str, code: str, params: dict[str, Any]
):
    assert refusal(lab, operation, **params) == code


def test_it_shows_nothing_of_another_requester(lab: Requester, worker: WorkerAccount):
    hit = make_hit(lab)
    taken = work(hit, worker)
    other = make_requester(name="Other")
    assert refusal(other, "GetHIT", HITId=hit.hit_id) == "HITDoesNotExist"
    assert refusal(other, "ApproveAssignment", AssignmentId=taken.assignment_id) == (
        "AssignmentDoesNotExist"
    )
    kind = hit.hit_type.hit_type_id
    assert refusal(other, "CreateHITWithHITType", HITTypeId=kind, LifetimeInSeconds=60) == (
        "HITTypeDoesNotExist"
    )
    assert ask(other, "ListHITs")["HITs"] == []


def test_it_follows_the_states_of_a_hit(lab: Requester, worker: WorkerAccount):
    hit = make_hit(lab, MaxAssignments=1)
    named = {"HITId": hit.hit_id}
    assert refusal(lab, "DeleteHIT", **named) == "InvalidHITState"
    assert refusal(lab, "UpdateHITReviewStatus", **named) == "InvalidHITState"
    taken = work(hit, worker)
    assert ask(lab, "GetHIT", **named)["HIT"]["HITStatus"] == "Reviewable"
    assert refusal(lab, "UpdateHITReviewStatus", Revert=True, **named) == "InvalidHITState"
    assert refusal(lab, "DeleteHIT", **named) == "InvalidHITState"
    ask(lab, "ApproveAssignment", AssignmentId=taken.assignment_id)
    ask(lab, "DeleteHIT", **named)
    assert refusal(lab, "DeleteHIT", **named) == "InvalidHITState"
    assert refusal(lab, "UpdateExpirationForHIT", ExpireAt=0, **named) == "InvalidHITState"
    more = {"NumberOfAdditionalAssignments": 1}
    assert refusal(lab, "CreateAdditionalAssignmentsForHIT", **named, **more) == "InvalidHITState"


@pytest.mark.parametrize(
    ("made_with", "more", "code"),
    [
        (3, 6, ""),
        (3, 7, "InvalidMaximumAssignmentsIncrease"),
        (10, 5, ""),
        (10, 700, "InsufficientFunds"),
    ],
)
def test_it_lets_a_small_hit_stay_small(lab: Requester, made_with: int, more: int, code: str):
    hit = make_hit(lab, MaxAssignments=made_with)
    params = {
        "HITId": hit.hit_id,
        "NumberOfAdditionalAssignments": more,
        "UniqueRequestToken": "t",
    }
    if code:
        assert refusal(lab, "CreateAdditionalAssignmentsForHIT", **params) == code
        return
    ask(lab, "CreateAdditionalAssignmentsForHIT", **params)
    assert refusal(lab, "CreateAdditionalAssignmentsForHIT", **params) == "HITAlreadyExtended"
    hit.refresh_from_db()
    assert (hit.max_assignments, hit.held_places) == (made_with + more,) * 2


def test_it_makes_one_hit_type_of_the_same_properties(lab: Requester):
    first = ask(lab, "CreateHITType", **HIT_TYPE)
    assert ask(lab, "CreateHITType", **{**HIT_TYPE, "Reward": "0.150"[:4]}) == first
    assert ask(lab, "CreateHITType", **{**HIT_TYPE, "Reward": "0.16"}) != first
    assert ask(make_requester(), "CreateHITType", **HIT_TYPE) != first
