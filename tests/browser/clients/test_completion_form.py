"""A completion form as psiTurk and Mephisto write it: hidden ids and a button, nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from annotation.crowd.market.answers import read_answer_xml
from tests.browser.clients.clients import create_hit, read_answer, take
from tests.browser.workers import expect_sent, html_question

if TYPE_CHECKING:
    from playwright.sync_api import Page


FORM = """<!doctype html><title>Thanks</title><h1>Thanks for taking part</h1>
<form id="mturk_form" method="post" action="{action}">
<input type="hidden" id="assignmentId" name="assignmentId"><input type="hidden" id="hitId"
name="hitId"><input type="hidden" id="workerId" name="workerId"></form>
<button onclick="complete()">Complete HIT</button>
<script>
const query = new URLSearchParams(location.search);
for (const name of ["assignmentId", "hitId", "workerId"]) {{
  document.getElementById(name).value = query.get(name);
}}
function complete() {{ document.getElementById("mturk_form").submit(); }}
</script>"""
# A script that makes the form when the task is done, for the address that came along.
MADE = """<!doctype html><title>Thanks</title><button onclick="send()">Complete HIT</button>
<script>
function send() {
  const query = new URLSearchParams(window.location.search);
  const form = document.createElement("form");
  document.body.appendChild(form);
  for (const name of ["assignmentId", "workerId"]) {
    const input = document.createElement("input");
    Object.assign(input, { type: "hidden", name, value: query.get(name) });
    form.appendChild(input);
  }
  form.method = "POST";
  form.action = query.get("turkSubmitTo") + "/mturk/externalSubmit";
  form.submit();
}
</script>"""


@pytest.mark.parametrize(
    "task",
    [
        FORM.format(action="https://www.mturk.com/mturk/externalSubmit"),
        FORM.format(action="https://workersandbox.mturk.com/mturk/externalSubmit"),
        FORM.format(action="//www.mturk.com/mturk/externalSubmit"),
        FORM.format(action="/mturk/externalSubmit"),
        MADE,
    ],
    ids=["live", "sandbox", "without scheme", "path", "made by a script"],
)
def test_a_completion_form_without_fields_is_an_answer(
    worker_page: Page, market: Any, task: str
) -> None:
    hit = create_hit(market, Question=html_question(task))
    take(worker_page, hit).get_by_role("button", name="Complete HIT").click()
    expect_sent(worker_page)
    fields = read_answer_xml(read_answer(market, hit))
    assignment_id = worker_page.url.rstrip("/").rpartition("/")[2]
    assert fields["assignmentId"] == assignment_id
    assert set(fields) <= {"assignmentId", "hitId", "workerId"}
    (sent,) = market.list_assignments_for_hit(HITId=hit["HITId"])["Assignments"]
    assert fields["workerId"] == sent["WorkerId"]
