"""Sentences of MTurk that clients look for in errors."""

from __future__ import annotations

from typing import Any

import pytest
from botocore.exceptions import ClientError

from annotation.crowd.market.accepting import accept_hit
from annotation.crowd.market.models_accounts import Requester, WorkerAccount
from annotation.crowd.market.models_work import MarketHit
from tests.annotation.crowd.market.requesting import HIT, code_of, make_hit
from tests.annotation.crowd.market.requesting import work as do_work
from tests.annotation.crowd.working import make_worker

pytestmark = pytest.mark.django_db(transaction=True)


def refusal(call: Any, **params: Any) -> str:
    """What clients look for sentences in: the message, without what boto3 writes before it."""
    with pytest.raises(ClientError) as error:
        call(**params)
    assert error.value.response["Error"]["Code"] == "RequestError"
    assert code_of(error.value)
    return str(error.value.response["Error"]["Message"])


TYPE = {"Name": "Reader", "Description": "Reads.", "QualificationTypeStatus": "Active"}


def find_or_create_type(client: Any) -> str:
    """Creates it, and looks for it if MTurk says that it is there."""
    try:
        made = client.create_qualification_type(**TYPE)
        return str(made["QualificationType"]["QualificationTypeId"])
    except ClientError as error:
        taken = "You have already created a QualificationType with this name."
        if not error.response["Error"]["Message"].startswith(taken):
            raise
    found = client.list_qualification_types(
        Query=TYPE["Name"], MustBeRequestable=False, MustBeOwnedByCaller=True, MaxResults=100
    )["QualificationTypes"]
    return next(row["QualificationTypeId"] for row in found if row["Name"] == TYPE["Name"])


def test_a_type_whose_name_is_taken_is_found(client: Any):
    assert find_or_create_type(client) == find_or_create_type(client)


def increment_score(client: Any, type_id: str, worker_id: str) -> int:
    named = {"QualificationTypeId": type_id, "WorkerId": worker_id}
    try:
        score = client.get_qualification_score(**named)["Qualification"]["IntegerValue"]
    except ClientError as error:
        message = error.response["Error"]["Message"]
        never = message.startswith("You requested a Qualification that does not exist.")
        if not (never or "operation can be called with a status of: Granted" in message):
            raise
        score = 0
    client.associate_qualification_with_worker(IntegerValue=score + 1, **named)
    return int(score) + 1


def test_a_score_is_counted_up_again_after_it_was_revoked(client: Any):
    type_id, worker_id = find_or_create_type(client), make_worker().worker_id
    named = {"QualificationTypeId": type_id, "WorkerId": worker_id}
    assert [increment_score(client, type_id, worker_id) for _ in range(2)] == [1, 2]
    client.disassociate_qualification_from_worker(**named)
    again = refusal(client.disassociate_qualification_from_worker, **named)
    assert "This operation can be called with a status of: Granted" in again
    assert increment_score(client, type_id, worker_id) == 1
    for missing in ({**named, "WorkerId": "ANOBODY"}, {**named, "QualificationTypeId": "3NONE"}):
        message = refusal(client.get_qualification_score, **missing)
        assert message.startswith("You requested a Qualification that does not exist.")


def test_a_type_has_the_time_of_a_test_that_it_does_not_have(client: Any):
    made = client.create_qualification_type(**TYPE, TestDurationInSeconds=600)
    assert "Test" not in made["QualificationType"]
    changed = client.update_qualification_type(
        QualificationTypeId=made["QualificationType"]["QualificationTypeId"],
        TestDurationInSeconds=900,
    )
    assert changed["QualificationType"]["TestDurationInSeconds"] == 900


def test_states_are_refused_in_the_words_of_mturk(
    client: Any, lab: Requester, worker: WorkerAccount
):
    hit = make_hit(lab, MaxAssignments=1)
    hit_id = {"HITId": hit.hit_id}
    assert refusal(client.delete_hit, **hit_id).startswith(
        "This HIT is currently in the state 'Assignable'. "
        "This operation can be called with a status of: Reviewing, Reviewable"
    )
    taken = accept_hit(hit_id=hit.hit_id, worker=worker)
    named = {"AssignmentId": taken.assignment_id}
    unfinished = "This operation can be called with a status of: Reviewable,Approved,Rejected"
    assert unfinished in refusal(client.get_assignment, **named)
    done = do_work(hit, worker)
    assert "This operation can be called with a status of: Reviewing, Reviewable" in refusal(
        client.delete_hit, **hit_id
    )
    client.approve_assignment(AssignmentId=done.assignment_id)
    twice = refusal(client.approve_assignment, AssignmentId=done.assignment_id)
    assert "This operation can be called with a status of: Submitted" in twice
    assert refusal(client.get_hit, HITId="3NONE").startswith("Hit 3NONE does not exist.")
    nothing = refusal(client.approve_assignment, AssignmentId="3NONE")
    assert nothing.startswith("Assignment 3NONE does not exist.")


def test_money_tokens_and_questions_are_refused_in_the_words_of_mturk(client: Any, lab: Requester):
    assert "insufficient funds in their account" in refusal(
        client.create_hit, **{**HIT, "MaxAssignments": 100_000}
    )
    assert refusal(client.create_hit, **{**HIT, "Question": "<HTMLQuestion>"}).startswith(
        "There was an error parsing the XML question or answer data in your request."
    )
    done = do_work(make_hit(lab), make_worker())
    bonus = {
        "WorkerId": done.worker.worker_id,
        "AssignmentId": done.assignment_id,
        "BonusAmount": "1",
        "Reason": "Good work.",
        "UniqueRequestToken": "bonus-1",
    }
    more = {
        "HITId": MarketHit.objects.get().hit_id,
        "NumberOfAdditionalAssignments": 1,
        "UniqueRequestToken": "more-1",
    }
    for call, params in (
        (client.send_bonus, bonus),
        (client.create_additional_assignments_for_hit, more),
    ):
        call(**params)
        token = params["UniqueRequestToken"]
        assert f'The idempotency token "{token}" has already been processed.' in refusal(
            call, **params
        )
