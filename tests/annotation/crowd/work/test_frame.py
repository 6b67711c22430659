"""What strangers wrote is served without an origin; what comes back is judged by us."""

from __future__ import annotations

import pytest
from django.test import Client

from annotation.crowd.market.answers import read_answer_xml
from annotation.crowd.market.models_accounts import WorkerAccount
from annotation.crowd.market.models_work import MarketAssignment
from annotation.crowd.market.work import accept_hit
from tests.annotation.corpora.pages import Page
from tests.annotation.crowd.working import (
    FORM,
    external_question,
    html_question,
    make_hit,
    make_type,
)

MTURK = '<form action="https://www.mturk.com/mturk/externalSubmit" method="POST"></form>'


@pytest.fixture
def assignment(worker: WorkerAccount) -> MarketAssignment:
    return accept_hit(hit_id=make_hit(make_type()).hit_id, worker=worker)


def of(question: str, worker: WorkerAccount) -> MarketAssignment:
    return accept_hit(hit_id=make_hit(make_type(), question=question).hit_id, worker=worker)


def test_it_serves_a_task_without_an_origin(client: Client, assignment: MarketAssignment):
    response = client.get(f"/work/frame/{assignment.assignment_id}/", follow=True)
    policy = dict(part.split(" ", 1) for part in response["Content-Security-Policy"].split("; "))
    assert policy["sandbox"] == "allow-scripts allow-forms allow-popups allow-modals"
    assert policy["default-src"] == "'none'"
    assert policy["form-action"] == "http://testserver/mturk/externalSubmit"
    assert policy["frame-ancestors"] == "'self'"
    assert "X-Frame-Options" not in response
    assert "s1" in response.content.decode()
    assert response.cookies == {}


def test_it_tells_a_task_who_works_on_it(client: Client, assignment: MarketAssignment):
    response = client.get(f"/work/frame/{assignment.assignment_id}/")
    assert response["Location"].endswith(
        f"?assignmentId={assignment.assignment_id}&hitId={assignment.hit.hit_id}"
        f"&workerId={assignment.worker.worker_id}&turkSubmitTo=http%3A%2F%2Ftestserver"
    )


def test_it_brings_pages_written_for_mturk_home(client: Client, worker: WorkerAccount):
    assignment = of(html_question(MTURK), worker)
    page = client.get(f"/work/frame/{assignment.assignment_id}/", follow=True).content.decode()
    action = f"http://testserver/mturk/externalSubmit?assignmentId={assignment.assignment_id}"
    assert f'action="{action}"' in page
    response = client.post(action.removeprefix("http://testserver"), {"s1": "present"})
    assert response.status_code == 200
    assignment.refresh_from_db()
    assert assignment.status == "Submitted"


def test_it_shows_a_form(client: Client, worker: WorkerAccount):
    assignment = of(FORM, worker)
    response = client.get(f"/work/frame/{assignment.assignment_id}/", follow=True)
    page = Page(response.content.decode())
    assert page.faults == []
    assert "Did it burst?" in page.text
    assert "<b>No" in page.text
    assert page.actions == ["/mturk/externalSubmit"]
    fields = {"assignmentId": page.values["assignmentId"], "burst": "yes"}
    client.post("/mturk/externalSubmit", fields)
    assignment.refresh_from_db()
    assert read_answer_xml(assignment.answer) == {"burst": "yes"}


def test_it_leads_nobody_to_another_site(client: Client, worker: WorkerAccount):
    """A link to this server, from anybody to anybody, must not end elsewhere."""
    assignment = of(external_question("https://lab.example.org/task"), worker)
    response = client.get(f"/work/frame/{assignment.assignment_id}/")
    assert response.status_code == 400
    assert "Location" not in response
    assert "another site" in response.content.decode()


def test_it_takes_answers_without_a_session(assignment: MarketAssignment):
    strict = Client(enforce_csrf_checks=True)
    fields = {"assignmentId": assignment.assignment_id, "s1": "present"}
    first = strict.post("/mturk/externalSubmit", fields, headers={"Origin": "null"})
    again = strict.post("/mturk/externalSubmit", fields | {"s1": "absent"})
    assert (first.status_code, again.status_code) == (200, 200)
    assert "<h1>Submitted</h1>" in first.content.decode()
    assert "<h1>Already submitted</h1>" in again.content.decode()
    for response in (first, again):
        assert "sandbox" in response["Content-Security-Policy"]
        assert Page(response.content.decode()).faults == []


@pytest.mark.parametrize(
    "fields, status, words",
    [
        ({"assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE", "s1": "x"}, 400, "This is a preview"),
        ({"assignmentId": "NONE", "s1": "x"}, 404, "There is no such assignment"),
        ({"s1": "x"}, 404, "There is no such assignment"),
    ],
)
def test_it_says_why_answers_are_refused(client: Client, db, fields, status, words):
    response = client.post("/mturk/externalSubmit", fields)
    assert response.status_code == status
    assert words in response.content.decode()


def test_it_takes_a_form_without_answers(client: Client, assignment: MarketAssignment):
    fields = {"assignmentId": assignment.assignment_id, "s1": " "}
    response = client.post("/mturk/externalSubmit", fields)
    assert response.status_code == 200
    assignment.refresh_from_db()
    assert read_answer_xml(assignment.answer) == fields
    assert client.get("/mturk/externalSubmit").status_code == 405
