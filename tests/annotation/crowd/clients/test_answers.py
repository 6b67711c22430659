"""JSON within an answer, read as other people's scripts read it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any
from xml.dom import minidom
from xml.etree import ElementTree

import pytest

from annotation.crowd.market.accepting import accept_hit
from annotation.crowd.market.answers import read_answer_xml
from annotation.crowd.market.models_accounts import Requester, WorkerAccount
from tests.annotation.crowd.market.requesting import make_hit
from tests.annotation.crowd.market.requesting import work as do_work
from tests.annotation.crowd.working import make_worker

pytestmark = pytest.mark.django_db(transaction=True)


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


def test_the_first_text_of_an_answer_is_the_requesters_own(
    client: Any, lab: Requester, worker: WorkerAccount, send: Callable[..., int]
):
    """Forms have the id of the assignment first, and scripts take the first text."""
    hit = make_hit(lab)
    taken = accept_hit(hit_id=hit.hit_id, worker=worker)
    ids = {"assignmentId": taken.assignment_id, "workerId": worker.worker_id}
    assert send(**ids, output='{"word": "dam"}', hitId=hit.hit_id, comment="") == 200
    answer = client.list_assignments_for_hit(HITId=hit.hit_id)["Assignments"][0]["Answer"]
    assert json.loads(FREE_TEXT.findall(answer)[0]) == {"word": "dam"}
    names = ["output", "comment", "assignmentId", "workerId", "hitId"]
    assert list(read_answer_xml(answer)) == names
