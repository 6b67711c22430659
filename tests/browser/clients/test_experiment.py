"""An experiment as psiTurk's: an ad in the frame, a window of its own, its own backend."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from annotation.crowd.market.answers import read_answer_xml
from tests.browser.clients.clients import create_hit, open_group, read_answer, take
from tests.browser.task_app import TaskApp, running_app
from tests.browser.workers import expect_sent, external_question

if TYPE_CHECKING:
    from playwright.sync_api import Page


AD = """<!doctype html><title>Ad</title><h1>Call for participants</h1>
<button onclick="begin()" hidden>Begin experiment</button><p>Accept the HIT to begin.</p>
<script>
const query = new URLSearchParams(location.search);
if (query.get("assignmentId") !== "ASSIGNMENT_ID_NOT_AVAILABLE") {
  document.querySelector("button").hidden = false;
  document.querySelector("p").remove();
}
function begin() {
  const options = "toolbar=no,location=no,menubar=no,width=1024,height=768";
  window.open(`/consent${location.search}`, "Popup", options);
}
</script>"""
# It keeps a cookie and a trial, tells its own server of both, asks once, and closes itself. It
# also tries to replace and to read the page around the frame that opened it.
CONSENT = """<!doctype html><title>Consent</title><h1>Consent</h1><button>I agree</button>
<script>
const query = new URLSearchParams(location.search);
document.cookie = "seat=7; path=/";
localStorage.trial = "3";
document.querySelector("button").addEventListener("click", async () => {
  let tried = "";
  try { window.opener.top.location.href = "https://evil.test/"; tried = "asked"; }
  catch (error) { tried = error.name; }
  try { tried += window.opener.parent.document.title; } catch (error) { tried += error.name; }
  const sync = await fetch("/sync", { method: "POST", body: query.get("assignmentId") });
  const { seat } = await sync.json();
  const kept = `${seat} ${localStorage.trial}`;
  const body = `${query.get("workerId")} ${kept} ${confirm("Done?")} ${tried}`;
  await fetch("/finished", { method: "POST", body });
  window.opener.location.reload();
  window.close();
});
</script>"""
THANKS = """<!doctype html><title>Thanks</title><h1>Thanks</h1>
<form id="mturk_form" method="post"><input type="hidden" name="assignmentId">
<input type="hidden" name="hitId"><input type="hidden" name="workerId"></form>
<button>Complete HIT</button>
<script>
const query = new URLSearchParams(location.search);
const form = document.getElementById("mturk_form");
form.action = `${query.get("turkSubmitTo")}/mturk/externalSubmit`;
for (const input of form.elements) input.value = query.get(input.name);
document.querySelector("button").addEventListener("click", async () => {
  await fetch("/worker_submitted", { method: "POST", body: query.get("workerId") });
  form.submit();
});
</script>"""


@pytest.fixture
def app() -> Iterator[TaskApp]:
    with running_app() as app:

        def show_ad() -> str:
            is_done = any(path.startswith("/finished ") for path, _ in app.asked)
            return THANKS if is_done else AD

        app.pages |= {"/ad": show_ad, "/consent": CONSENT}
        yield app


def test_an_experiment_in_a_window_of_its_own_is_done(
    worker_page: Page, market: Any, app: TaskApp
) -> None:
    page = worker_page
    page.context.on("dialog", lambda dialog: dialog.accept())
    hit = create_hit(market, Question=external_question(app.address("/ad?mode=live"), 600))
    expect(open_group(page, hit).get_by_text("Accept the HIT to begin")).to_be_visible()
    frame = take(page, hit)
    assignment_id = page.url.rstrip("/").rpartition("/")[2]
    with page.expect_popup() as opened:
        frame.get_by_role("button", name="Begin experiment").click()
    with opened.value.expect_event("close"):
        opened.value.get_by_role("button", name="I agree").click()
    frame.get_by_role("button", name="Complete HIT").click()
    expect_sent(page)
    (sent,) = market.list_assignments_for_hit(HITId=hit["HITId"])["Assignments"]
    worker_id = sent["WorkerId"]
    paths = [path for path, _ in app.asked]
    assert f"/sync {assignment_id}" in paths
    assert f"/finished {worker_id} 7 3 true SecurityErrorSecurityError" in paths
    assert f"/worker_submitted {worker_id}" in paths
    assert read_answer_xml(read_answer(market, hit)) == {
        "assignmentId": assignment_id,
        "hitId": hit["HITId"],
        "workerId": worker_id,
    }
