"""A plain boto3 script, over HTTP, from the first HIT to the last."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from botocore.exceptions import ClientError
from pytest_django.live_server_helper import LiveServer

from annotation.crowd.market.models_accounts import Message, Requester
from annotation.crowd.market.models_work import MarketHit
from annotation.crowd.market.validation import load_model
from tests.annotation.crowd.market.requesting import (
    HIT,
    HIT_TYPE,
    code_of,
    make_client,
    make_requester,
    work,
)
from tests.annotation.crowd.working import FORM, html_question, make_worker

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def lab() -> Requester:
    return make_requester()


@pytest.fixture
def client(live_server: LiveServer, lab: Requester) -> Any:
    return make_client(live_server.url, lab)


def refused(code: str, call: Any, **params: Any) -> str:
    with pytest.raises(ClientError) as error:
        call(**params)
    assert error.value.response["Error"]["Code"] == "RequestError"
    assert code_of(error.value) == code
    return str(error.value)


def test_it_runs_a_whole_life_cycle(client: Any, lab: Requester):
    kind = client.create_hit_type(**HIT_TYPE)["HITTypeId"]
    assert client.create_hit_type(**HIT_TYPE)["HITTypeId"] == kind
    made = client.create_hit_with_hit_type(
        HITTypeId=kind,
        LifetimeInSeconds=3600,
        MaxAssignments=2,
        Question=html_question(),
        RequesterAnnotation="mine: 1",
        UniqueRequestToken="token-1",
    )["HIT"]
    hit_id = made["HITId"]
    assert (made["HITStatus"], made["NumberOfAssignmentsAvailable"]) == ("Assignable", 2)
    assert client.get_hit(HITId=hit_id)["HIT"]["RequesterAnnotation"] == "mine: 1"
    assert client.get_account_balance()["AvailableBalance"] == "99.70"
    message = refused(
        "HitAlreadyExists",
        client.create_hit_with_hit_type,
        HITTypeId=kind,
        LifetimeInSeconds=3600,
        Question=html_question(),
        UniqueRequestToken="token-1",
    )
    assert hit_id in message

    hit = MarketHit.objects.get(hit_id=hit_id)
    ann, bob = make_worker("Ann"), make_worker("Bob")
    for worker in (ann, bob):
        work(hit, worker, s1="present", s2="absent")
    listed = client.list_assignments_for_hit(HITId=hit_id)["Assignments"]
    assert [row["AssignmentStatus"] for row in listed] == ["Submitted", "Submitted"]
    assert "<QuestionIdentifier>s2</QuestionIdentifier>" in listed[0]["Answer"]
    first, second = (row["AssignmentId"] for row in listed)

    client.approve_assignment(AssignmentId=first, RequesterFeedback="Thank you.")
    refused("InvalidAssignmentState", client.approve_assignment, AssignmentId=first)
    client.reject_assignment(AssignmentId=second, RequesterFeedback="Empty.")
    client.approve_assignment(AssignmentId=second, OverrideRejection=True)
    assert (
        client.get_assignment(AssignmentId=second)["Assignment"]["AssignmentStatus"] == "Approved"
    )
    bonus = {
        "WorkerId": ann.worker_id,
        "AssignmentId": first,
        "BonusAmount": "1.50",
        "Reason": "Good work.",
        "UniqueRequestToken": "bonus-1",
    }
    client.send_bonus(**bonus)
    refused("BonusAlreadyPaid", client.send_bonus, **bonus)
    paid = client.list_bonus_payments(HITId=hit_id)["BonusPayments"]
    assert [(row["WorkerId"], row["BonusAmount"]) for row in paid] == [(ann.worker_id, "1.50")]
    assert client.get_account_balance()["AvailableBalance"] == "98.20"

    failed = client.notify_workers(
        Subject="Hello", MessageText="Well done.", WorkerIds=[ann.worker_id, "ANOBODY"]
    )["NotifyWorkersFailureStatuses"]
    assert [row["WorkerId"] for row in failed] == ["ANOBODY"]
    assert Message.objects.get(subject="Hello").worker == ann
    assert client.list_reviewable_hits()["HITs"][0]["HITId"] == hit_id
    client.delete_hit(HITId=hit_id)
    assert client.get_hit(HITId=hit_id)["HIT"]["HITStatus"] == "Disposed"
    assert client.list_hits()["NumResults"] == 0


def test_it_pages_through_lists(client: Any, lab: Requester):
    kind = client.create_hit_type(**HIT_TYPE)["HITTypeId"]

    def add() -> str:
        made = client.create_hit_with_hit_type(
            HITTypeId=kind, LifetimeInSeconds=60, Question=html_question()
        )
        return str(made["HIT"]["HITId"])

    made = [add() for _ in range(5)]
    page = client.list_hits(MaxResults=2)
    seen = [row["HITId"] for row in page["HITs"]]
    added = add()
    while token := page.get("NextToken"):
        page = client.list_hits(MaxResults=2, NextToken=token)
        seen += [row["HITId"] for row in page["HITs"]]
    assert seen == made[::-1]
    first = client.list_hits(MaxResults=1)
    assert first["HITs"][0]["HITId"] == added
    for wrong in ("nonsense", first["NextToken"][:-2] + "xx"):
        with pytest.raises(ClientError, match="NextToken"):
            client.list_hits(NextToken=wrong)
    with pytest.raises(ClientError, match="NextToken"):
        client.list_reviewable_hits(NextToken=first["NextToken"])
    paginator = client.get_paginator("list_hits")
    pages = paginator.paginate(PaginationConfig={"PageSize": 4})
    assert sum(page["NumResults"] for page in pages) == 6


def test_it_answers_every_operation_of_the_model(client: Any, lab: Requester):
    """Each is called once; botocore parses what comes, and nothing is left out."""
    called: set[str] = set()
    client.meta.events.register("after-call.mturk.*", lambda model, **_: called.add(model.name))
    worker = make_worker()
    kind = client.create_hit_type(**HIT_TYPE)["HITTypeId"]
    made = client.create_hit(**HIT)["HIT"]
    hit_id = made["HITId"]
    hit = MarketHit.objects.get(hit_id=hit_id)
    client.create_hit_with_hit_type(HITTypeId=kind, LifetimeInSeconds=60, Question=FORM)
    client.create_additional_assignments_for_hit(HITId=hit_id, NumberOfAdditionalAssignments=2)
    one, two = work(hit, worker), work(hit, make_worker("Second"))
    client.get_hit(HITId=hit_id)
    client.list_hits()
    client.list_assignments_for_hit(HITId=hit_id)
    client.get_assignment(AssignmentId=one.assignment_id)
    client.approve_assignment(AssignmentId=one.assignment_id)
    client.reject_assignment(AssignmentId=two.assignment_id, RequesterFeedback="No.")
    client.send_bonus(
        WorkerId=worker.worker_id, AssignmentId=one.assignment_id, BonusAmount="1", Reason="Why not"
    )
    client.list_bonus_payments(AssignmentId=one.assignment_id)
    client.get_account_balance()
    refused(
        "NotSupported",
        client.get_file_upload_url,
        AssignmentId=one.assignment_id,
        QuestionIdentifier="q",
    )
    client.create_worker_block(WorkerId=worker.worker_id, Reason="Enough.")
    assert client.list_worker_blocks()["WorkerBlocks"][0]["Reason"] == "Enough."
    client.delete_worker_block(WorkerId=worker.worker_id)
    client.notify_workers(Subject="S", MessageText="T", WorkerIds=[worker.worker_id])
    notice = {
        "Destination": "arn:aws:sns:us-east-1:1:t",
        "Transport": "SNS",
        "Version": "2014-08-15",
        "EventTypes": ["AssignmentSubmitted"],
    }
    client.update_notification_settings(HITTypeId=kind, Notification=notice, Active=True)
    client.send_test_event_notification(Notification=notice, TestEventType="Ping")
    client.update_hit_type_of_hit(HITId=hit_id, HITTypeId=kind)
    client.list_review_policy_results_for_hit(HITId=hit_id)

    quality = client.create_qualification_type(
        Name="Reader", Description="Reads well.", QualificationTypeStatus="Active"
    )["QualificationType"]["QualificationTypeId"]
    client.get_qualification_type(QualificationTypeId=quality)
    client.update_qualification_type(QualificationTypeId=quality, Description="Reads very well.")
    types = client.list_qualification_types(MustBeRequestable=False, MaxResults=100)
    assert types["QualificationTypes"][-1]["Description"] == "Reads very well."
    held = {"QualificationTypeId": quality, "WorkerId": worker.worker_id}
    client.associate_qualification_with_worker(**held, IntegerValue=7)
    assert client.get_qualification_score(**held)["Qualification"]["IntegerValue"] == 7
    assert (
        client.list_workers_with_qualification_type(QualificationTypeId=quality)["NumResults"] == 1
    )
    client.disassociate_qualification_from_worker(**held, Reason="Over.")
    assert client.list_qualification_requests()["NumResults"] == 0
    for answer in (client.accept_qualification_request, client.reject_qualification_request):
        refused("QualificationRequestDoesNotExist", answer, QualificationRequestId="NONE")
    client.list_hits_for_qualification_type(QualificationTypeId=quality)
    client.delete_qualification_type(QualificationTypeId=quality)

    client.update_expiration_for_hit(HITId=hit_id, ExpireAt=datetime.now(UTC) - timedelta(days=1))
    client.update_hit_review_status(HITId=hit_id)
    reviewing = client.list_reviewable_hits(Status="Reviewing")["HITs"]
    assert [row["HITId"] for row in reviewing] == [hit_id]
    client.update_hit_review_status(HITId=hit_id, Revert=True)
    client.delete_hit(HITId=hit_id)
    assert called == set(load_model().operation_names)
