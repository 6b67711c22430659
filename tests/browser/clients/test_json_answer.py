"""JSON in one hidden field, as simple-amt sends it, read back by a regular expression."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

from tests.browser.clients.clients import (
    FREE_TEXT,
    create_hit,
    open_group,
    read_answer,
    take,
)
from tests.browser.workers import expect_sent, html_question

if TYPE_CHECKING:
    from playwright.sync_api import Page

# The form has the id of the assignment first, and its address is put together by a script.
TASK = """<!doctype html><title>Words</title>
<script type="text/json" id="input">{"word": "dam"}</script>
<label>Why? <input id="why"></label>
<form id="results" method="post" action="dummy">
<input type="hidden" name="assignmentId" id="assignmentId">
<input type="hidden" name="output" id="output">
<input type="submit" id="submit-btn" value="Submit" disabled></form>
<script>
function getParam(name) {
  const found = RegExp("[?&]" + name + "=([^&]*)").exec(window.location.search);
  return found ? decodeURIComponent(found[1].replace(/\\+/g, " ")) : null;
}
const form = document.getElementById("results");
form.action = getParam("turkSubmitTo") + "/mturk/externalSubmit";
document.getElementById("assignmentId").value = getParam("assignmentId");
const isPreview = getParam("assignmentId") === "ASSIGNMENT_ID_NOT_AVAILABLE";
document.getElementById("submit-btn").disabled = isPreview;
form.addEventListener("submit", () => {
  const input = JSON.parse(document.getElementById("input").textContent);
  const output = [{ ...input, why: document.getElementById("why").value }];
  document.getElementById("output").value = JSON.stringify(output);
});
</script>"""


def test_json_comes_back_as_it_was_sent(worker_page: Page, market: Any) -> None:
    hit = create_hit(market, Question=html_question(TASK))
    frame = open_group(worker_page, hit)
    expect(frame.get_by_role("button", name="Submit")).to_be_disabled()
    frame = take(worker_page, hit)
    frame.get_by_label("Why?").fill('It said "burst", didn\'t it?')
    frame.get_by_role("button", name="Submit").click()
    expect_sent(worker_page)
    found = FREE_TEXT.search(read_answer(market, hit))
    assert found is not None
    assert json.loads(found["text"]) == [{"word": "dam", "why": 'It said "burst", didn\'t it?'}]
