"""How other people's software talks to MTurk, one test per idiom, with plain boto3 over HTTP."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any
from xml.dom import minidom
from xml.etree import ElementTree

import pytest
from pytest_django.live_server_helper import LiveServer

from annotation.crowd.models import Requester
from tests.annotation.crowd.market.requesting import HIT, make_client, make_hit, make_requester
from tests.annotation.crowd.market.requesting import work as do_work
from tests.annotation.crowd.working import make_worker

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def lab() -> Requester:
    return make_requester()


@pytest.fixture
def client(live_server: LiveServer, lab: Requester) -> Any:
    return make_client(live_server.url, lab)


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


ANSWERS = {"taskAnswers": [{"emotion": {"à gauche": True}, "why": "5 > 4 & \"so on\"\n🦜"}]}
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
    return json.loads("".join(child.nodeValue for child in node.childNodes))


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
