"""A completion form as psiTurk and Mephisto write it: hidden ids and a button, nothing else."""

from __future__ import annotations

import pytest
from django.test import Client

from annotation.crowd.answers import read_answer_xml
from tests.annotation.conftest import sign_in
from tests.annotation.crowd.market.requesting import HIT, make_requester, make_wired_client
from tests.annotation.crowd.working import html_question, make_worker

pytestmark = pytest.mark.django_db

PAGE = """<form action="https://www.mturk.com/mturk/externalSubmit" method="post">
<input type="hidden" name="hitId"><input type="hidden" name="workerId">
<input type="hidden" name="assignmentId"><button>Complete HIT</button></form>"""


def test_a_completion_form_without_fields_is_an_answer():
    market = make_wired_client(make_requester())
    hit_id = market.create_hit(**{**HIT, "Question": html_question(PAGE)})["HIT"]["HITId"]
    worker = make_worker()
    at_work = sign_in(worker.user)
    start = at_work.post(f"/work/hits/{hit_id}/accept/")["Location"]
    assignment_id = start.rstrip("/").rpartition("/")[2]
    fields = {"hitId": hit_id, "workerId": worker.worker_id, "assignmentId": assignment_id}
    response = Client().post("/mturk/externalSubmit", fields)
    assert response.status_code == 200
    (sent,) = market.list_assignments_for_hit(HITId=hit_id)["Assignments"]
    assert sent["AssignmentStatus"] == "Submitted"
    assert read_answer_xml(sent["Answer"]) == fields
