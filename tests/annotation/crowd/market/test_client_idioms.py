"""How other people's software talks to MTurk, one test per idiom, with plain boto3 over HTTP."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from xml.dom import minidom
from xml.etree import ElementTree

import boto3
import pytest
from botocore.exceptions import ClientError
from django.test import Client
from pytest_django.live_server_helper import LiveServer

from annotation.crowd.market.accepting import accept_hit
from annotation.crowd.models import MarketHit, Requester, WorkerAccount
from tests.annotation.crowd.market.requesting import (
    HIT,
    code_of,
    make_client,
    make_hit,
    make_key,
    make_requester,
)
from tests.annotation.crowd.market.requesting import work as do_work
from tests.annotation.crowd.working import external_question, html_question, make_worker

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def lab() -> Requester:
    return make_requester()


@pytest.fixture
def client(live_server: LiveServer, lab: Requester) -> Iterator[Any]:
    with closing(make_client(live_server.url, lab)) as made:
        yield made


def index_every_token(call: Any, member: str, **params: Any) -> Iterator[Any]:
    """A loop of the field: it indexes NextToken on every page, and ends at an empty one."""
    page = call(**params)
    while page["NumResults"] > 0:
        yield from page[member]
        page = call(**params, NextToken=page["NextToken"])
    assert "NextToken" not in page


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_a_loop_that_indexes_the_next_token_ends(client: Any, lab: Requester, size: int):
    hits = [make_hit(lab) for _ in range(3)]
    for name in ("Ann", "Bob", "Cid"):
        assignment = do_work(hits[0], make_worker(name))
        client.send_bonus(
            WorkerId=assignment.worker.worker_id,
            AssignmentId=assignment.assignment_id,
            BonusAmount="0.10",
            Reason="Good work.",
        )
    mine = {"HITId": hits[0].hit_id, "MaxResults": size}
    listed = index_every_token(client.list_hits, "HITs", MaxResults=size)
    assert [row["HITId"] for row in listed] == [hit.hit_id for hit in hits[::-1]]
    done = index_every_token(client.list_assignments_for_hit, "Assignments", **mine)
    assert len({row["AssignmentId"] for row in done}) == 3
    assert len(list(index_every_token(client.list_bonus_payments, "BonusPayments", **mine))) == 3


@pytest.mark.parametrize("size", [1, 3, 11, 100])
def test_a_loop_over_qualification_types_meets_each_once(client: Any, size: int):
    for number in range(2):
        client.create_qualification_type(
            Name=f"Type {number}", Description="Reads.", QualificationTypeStatus="Active"
        )
    for owned, count in ((False, 12), (True, 2)):
        params = {"MustBeRequestable": False, "MustBeOwnedByCaller": owned, "MaxResults": size}
        rows = index_every_token(client.list_qualification_types, "QualificationTypes", **params)
        ids = [row["QualificationTypeId"] for row in rows]
        assert (len(ids), len(set(ids))) == (count, count)


def test_a_paginator_ends(client: Any, lab: Requester):
    for _ in range(3):
        client.create_hit(**HIT)
    pages = client.get_paginator("list_hits").paginate(PaginationConfig={"PageSize": 3})
    assert [page["NumResults"] for page in pages] == [3, 0]


ANSWERS = {"taskAnswers": [{"emotion": {"à gauche": True}, "why": '5 > 4 & "so on"\n🦜'}]}
FREE_TEXT = re.compile(r"<FreeText>(.*?)</FreeText>", re.DOTALL)


def read_with_a_regular_expression(answer: str) -> Any:
    """MTurk escapes three characters; scripts undo just those."""
    text = FREE_TEXT.findall(answer)[0]
    text = re.sub(r"&#(\d+);", lambda found: chr(int(found[1])), text)
    for escaped, mark in (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")):
        text = text.replace(escaped, mark)
    return json.loads(text)


def read_with_minidom(answer: str) -> Any:
    node = minidom.parseString(answer.encode("ascii")).getElementsByTagName("FreeText")[0]
    return json.loads("".join(child.nodeValue or "" for child in node.childNodes))


def read_with_element_tree(answer: str) -> Any:
    root = ElementTree.fromstring(answer)
    return json.loads(root[0][1].text or "")


@pytest.mark.parametrize(
    "read", [read_with_a_regular_expression, read_with_minidom, read_with_element_tree]
)
def test_json_within_an_answer_is_read(client: Any, lab: Requester, read: Any):
    hit = make_hit(lab)
    sent = json.dumps(ANSWERS, ensure_ascii=False)
    do_work(hit, make_worker(), taskAnswers=sent)
    listed = client.list_assignments_for_hit(HITId=hit.hit_id)["Assignments"]
    assert listed[0]["Answer"].startswith('<?xml version="1.0" encoding="ASCII"?><QuestionForm')
    assert read(listed[0]["Answer"]) == ANSWERS
    fetched = client.get_assignment(AssignmentId=listed[0]["AssignmentId"])["Assignment"]
    assert fetched["Answer"] == listed[0]["Answer"]


def test_a_quote_in_an_answer_needs_no_unescaping(client: Any, lab: Requester):
    """simple-amt and its kind hand what they find to json.loads as it is."""
    hit = make_hit(lab)
    do_work(hit, make_worker(), output='[{"word": "don\'t"}]')
    answer = client.list_assignments_for_hit(HITId=hit.hit_id)["Assignments"][0]["Answer"]
    assert json.loads(FREE_TEXT.findall(answer)[0]) == [{"word": "don't"}]


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


@pytest.fixture
def worker(db: None) -> WorkerAccount:
    return make_worker()


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


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch, lab: Requester, tmp_path: Path) -> Any:
    """Nothing of AWS but the keys, as somebody sets them in a shell."""
    key = make_key(lab)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", key.access_key)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", key.secret)
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    return monkeypatch


def run_script() -> str:
    """A script that names no endpoint, as it was written for MTurk."""
    with closing(boto3.session.Session().client("mturk", region_name="us-east-1")) as mturk:
        made = mturk.create_hit(**HIT)["HIT"]
        return str(mturk.get_hit(HITId=made["HITId"])["HIT"]["HITStatus"])


@pytest.mark.parametrize("path", ["/mturk/", "/mturk"])
def test_a_script_needs_nothing_but_the_environment(
    live_server: LiveServer, environment: pytest.MonkeyPatch, path: str
):
    environment.setenv("AWS_ENDPOINT_URL_MTURK", f"{live_server.url}{path}")
    assert run_script() == "Assignable"


@pytest.mark.parametrize("path", ["", "/", "/mturk/v1", "/api/v1/"])
def test_an_endpoint_elsewhere_on_the_server_says_what_to_set(
    live_server: LiveServer, environment: pytest.MonkeyPatch, path: str
):
    environment.setenv("AWS_ENDPOINT_URL_MTURK", f"{live_server.url}{path}")
    with pytest.raises(ClientError) as error:
        run_script()
    said = error.value.response
    assert said["Error"]["Code"] == "UnknownOperationException"
    assert said["ResponseMetadata"]["HTTPStatusCode"] == 404
    right = f"{live_server.url}/mturk/"
    assert "AWS_ENDPOINT_URL_MTURK" in said["Error"]["Message"]
    assert said["Error"]["Message"].endswith(f"to {right}")
    assert not MarketHit.objects.exists()


def test_pages_are_no_part_of_that():
    """A form that is posted without a token is refused as ever."""
    answer = Client(enforce_csrf_checks=True).post("/sign-in/", headers={"X-Amz-Target": "Other"})
    assert (answer.status_code, answer["Content-Type"]) == (403, "text/html; charset=utf-8")


@pytest.mark.parametrize(
    "encoding", ["UTF-8", "utf-8", "ISO-8859-1", "windows-1252", "UTF-16", "US-ASCII", "Shift_JIS"]
)
@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["", "with a byte order mark"])
def test_a_question_declares_the_encoding_of_its_file(
    client: Any, worker: WorkerAccount, encoding: str, mark: str
):
    """A script reads the file as text and sends the text; the declaration comes along."""
    declared = f'{mark}<?xml version="1.0" encoding="{encoding}"?>\n'
    question = declared + html_question("<p>Où est l\u2019été à Łódź? 日本</p>")
    hit = client.create_hit(**{**HIT, "Question": question})["HIT"]
    taken = accept_hit(hit_id=hit["HITId"], worker=worker)
    page = Client().get(f"/work/frame/{taken.assignment_id}/", follow=True)
    assert "<p>Où est l\u2019été à Łódź? 日本</p>" in page.content.decode()
    assert client.get_hit(HITId=hit["HITId"])["HIT"]["Question"] == question


def test_an_address_within_a_question_keeps_its_characters(client: Any):
    head = '<?xml version="1.0" encoding="ISO-8859-1"?>'
    question = head + external_question("https://lab.example.org/t\u00e2che?a=1&amp;b=2")
    assert client.create_hit(**{**HIT, "Question": question})["HIT"]["HITId"]
