"""A worker's day: joining, a task that strangers wrote, the next one, what came of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from playwright.sync_api import Page, expect

from annotation.crowd.market.answers import read_answer_xml
from tests.browser.judging import hand_keys_to
from tests.browser.rest import Rest
from tests.browser.sessions import watched_pages
from tests.browser.workers import accept, expect_sent, html_question, join, publish, return_hit
from tests.servers import Product

if TYPE_CHECKING:
    from playwright.sync_api import Browser


# What a page that means harm tries; what it learns is sent with the answers, so that we see it.
HOSTILE = """<!doctype html><html lang="en"><title>Task</title><body>
<form method="post" action="https://www.mturk.com/mturk/externalSubmit">
<label>Is it so? <input name="s1"></label><input type="hidden" name="learnt">
<button>Send</button></form>
<script>
const learnt = {};
const tries = {
  cookie: () => document.cookie,
  storage: () => localStorage.length,
  parent: () => parent.document.title,
  frame: () => parent.frames.length && parent.location.href,
  top: () => { top.location.href = "/glossary/"; return "asked"; },
  origin: () => String(self.origin),
};
for (const [name, attempt] of Object.entries(tries)) {
  try { learnt[name] = String(attempt()); } catch (error) { learnt[name] = error.name; }
}
fetch("/work/earnings/").then(() => "read", (error) => error.name).then((said) => {
  learnt.fetch = said;
  document.querySelector("[name=learnt]").value = JSON.stringify(learnt);
  document.body.append("ready");
});
parent.postMessage({ giza: "submitted" }, "*");
</script></body></html>"""


KEYS = """<!doctype html><html lang="en"><title>Task</title><body><p id="keys"></p><script>
addEventListener("keydown", ({ key }) => { document.querySelector("#keys").textContent += key; });
</script></body></html>"""


def test_keys_reach_the_task_after_a_look_at_the_bar(worker_page: Page, market: Any) -> None:
    """A number that is pressed outside the task leads into it."""
    accept(worker_page, market, html_question(KEYS))
    hand_keys_to(worker_page.frame_locator("iframe"), worker_page)
    keys = worker_page.frame_locator("iframe").locator("#keys")
    link = worker_page.get_by_role("link", name="Contact requester")
    link.focus()
    worker_page.keyboard.press("1")
    worker_page.keyboard.press("2")
    expect(keys).to_have_text("2")


def test_it_keeps_a_hostile_task_in_its_frame(worker_page: Page, market: Any) -> None:
    title = f"Hostile {uuid4().hex[:6]}"
    hits = publish(market, title, html_question(HOSTILE), 2)
    page = worker_page
    page.goto("/work/")
    page.get_by_role("button", name=f"Accept and work on {title}").click()
    frame = page.frame_locator("iframe")
    # The frame claimed to be done at once; what is in hand comes back, and stays.
    page.wait_for_url("**/work/assignments/*/")
    expect(frame.get_by_text("ready")).to_be_visible()
    here = page.url
    page.get_by_label("Accept the next HIT automatically").check()
    expect(page.get_by_role("timer")).to_contain_text("left")
    frame.get_by_label("Is it so?").fill("yes")
    frame.get_by_role("button", name="Send").click()
    page.wait_for_url(lambda url: "/work/assignments/" in url and url != here)
    expect(page.get_by_label("Accept the next HIT automatically")).to_be_checked()
    sent = [a for hit in hits for a in market.list_assignments_for_hit(HITId=hit)["Assignments"]]
    fields = read_answer_xml(sent[0]["Answer"])
    assert fields["s1"] == "yes"
    assert json.loads(fields["learnt"]) == {
        "cookie": "SecurityError",
        "storage": "SecurityError",
        "parent": "SecurityError",
        "frame": "SecurityError",
        "top": "SecurityError",
        "origin": "null",
        "fetch": "TypeError",
    }
    return_hit(page)


def test_it_works_without_scripts(
    browser: Browser, product: Product, market: Any, rest: Rest
) -> None:
    title = f"Plain {uuid4().hex[:6]}"
    plain = '<form method="post" action="https://www.mturk.com/mturk/externalSubmit"><label>Is it so? <input name="s1"></label><button>Send</button></form>'  # noqa: E501
    publish(market, title, html_question(plain))
    with watched_pages(browser, product.base_url, java_script_enabled=False) as open_page:
        page = open_page()
        join(page, rest.invite_workers("demo"))
        page.get_by_role("button", name=f"Accept and work on {title}").click()
        frame = page.frame_locator("iframe")
        frame.get_by_label("Is it so?").fill("yes")
        frame.get_by_role("button", name="Send").click()
        expect(frame.get_by_role("heading", name="Submitted")).to_be_visible()
        page.get_by_role("button", name="I’ve submitted it").click()
        expect_sent(page)
