"""A completion form as psiTurk and Mephisto write it: hidden ids and a button, nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from annotation.crowd.market.accepting import accept_hit
from annotation.crowd.market.answers import read_answer_xml
from annotation.crowd.market.models_accounts import WorkerAccount
from tests.annotation.crowd.market.requesting import HIT
from tests.annotation.crowd.working import html_question

pytestmark = pytest.mark.django_db(transaction=True)

PAGE = """<form action="https://www.mturk.com/mturk/externalSubmit" method="post">
<input type="hidden" name="hitId"><input type="hidden" name="workerId">
<input type="hidden" name="assignmentId"><button>Complete HIT</button></form>"""


@pytest.mark.parametrize("names", [["assignmentId"], ["assignmentId", "hitId", "workerId"]])
def test_a_completion_form_without_fields_is_an_answer(
    client: Any, worker: WorkerAccount, send: Callable[..., int], names: list[str]
):
    hit_id = client.create_hit(**{**HIT, "Question": html_question(PAGE)})["HIT"]["HITId"]
    taken = accept_hit(hit_id=hit_id, worker=worker)
    ids = {
        "hitId": hit_id,
        "workerId": worker.worker_id,
        "assignmentId": taken.assignment_id,
    }
    fields = {name: ids[name] for name in names}
    assert send(**fields) == 200
    (sent,) = client.list_assignments_for_hit(HITId=hit_id)["Assignments"]
    assert sent["AssignmentStatus"] == "Submitted"
    assert read_answer_xml(sent["Answer"]) == fields
