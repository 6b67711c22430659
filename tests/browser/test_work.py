"""A worker's day: joining, a task that strangers wrote, the next one, what came of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import boto3
import pytest
from playwright.sync_api import Page, expect

from annotation.crowd.answers import read_answer_xml
from tests.browser.rest import Rest
from tests.browser.sessions import EMAIL, PATIENCE, watched_pages
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
KIND = "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2011-11-11"


@pytest.fixture(scope="module")
def market(product: Product) -> Any:
    """A requester's script."""
    said = ["--owner", EMAIL, "--deposit", "100", "--note", "Grant 4711", "--json"]
    made = json.loads(product.manage("create_requester", f"Lab {uuid4().hex[:6]}", *said))
    return boto3.client("mturk", **made["client"])


def publish(market: Any, title: str, html: str, count: int) -> list[str]:
    question = (
        f'<HTMLQuestion xmlns="{KIND}/HTMLQuestion.xsd"><HTMLContent><![CDATA[{html}]]>'
        "</HTMLContent><FrameHeight>0</FrameHeight></HTMLQuestion>"
    )
    kind = market.create_hit_type(
        Title=title,
        Description="Read and answer.",
        Reward="0.15",
        AssignmentDurationInSeconds=600,
    )["HITTypeId"]
    return [
        market.create_hit_with_hit_type(
            HITTypeId=kind, Question=question, LifetimeInSeconds=3600, MaxAssignments=1
        )["HIT"]["HITId"]
        for _ in range(count)
    ]


@pytest.fixture
def worker_page(browser: Browser, product: Product, rest: Rest) -> Iterator[Page]:
    """Not watched: a page that means harm is refused by the policy, and that is told as a fault."""
    context = browser.new_context(base_url=product.base_url, viewport={"width": 390, "height": 800})
    context.set_default_timeout(PATIENCE)
    expect.set_options(timeout=PATIENCE)
    page = context.new_page()
    join(page, rest.invite_workers("demo"))
    yield page
    context.close()


def join(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_label("Name").fill("Wilma Worker")
    page.get_by_label("E-mail").fill(f"{uuid4().hex[:8]}@example.org")
    page.get_by_label("Password").fill("correct-horse-battery")
    page.get_by_label("Country").select_option("DE")
    page.get_by_label("I am of age").check()
    page.get_by_role("button", name="Join as a worker").click()
    expect(page.get_by_role("heading", name="Work", exact=True)).to_be_visible()


def test_it_keeps_a_hostile_task_in_its_frame(worker_page: Page, market: Any) -> None:
    title = f"Hostile {uuid4().hex[:6]}"
    hits = publish(market, title, HOSTILE, 2)
    page = worker_page
    page.goto("/work/")
    page.get_by_role("button", name=f"Accept and work on {title}").click()
    frame = page.frame_locator("iframe")
    # The frame claimed to be done at once; what is in hand comes back, and stays.
    page.wait_for_url("**/work/assignments/*/")
    expect(frame.get_by_text("ready")).to_be_visible()
    here = page.url
    page.get_by_label("Next HIT by itself").check()
    expect(page.get_by_role("timer")).to_contain_text("left")
    frame.get_by_label("Is it so?").fill("yes")
    frame.get_by_role("button", name="Send").click()
    page.wait_for_url(lambda url: "/work/assignments/" in url and url != here)
    expect(page.get_by_label("Next HIT by itself")).to_be_checked()
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
    page.get_by_text("Return", exact=True).click()
    page.get_by_role("button", name="Return HIT").click()
    expect(page.get_by_text("The HIT was given back")).to_be_visible()


def test_it_works_without_scripts(
    browser: Browser, product: Product, market: Any, rest: Rest
) -> None:
    title = f"Plain {uuid4().hex[:6]}"
    plain = '<form method="post" action="https://www.mturk.com/mturk/externalSubmit"><label>Is it so? <input name="s1"></label><button>Send</button></form>'  # noqa: E501
    publish(market, title, plain, 1)
    with watched_pages(browser, product.base_url, java_script_enabled=False) as open_page:
        page = open_page()
        join(page, rest.invite_workers("demo"))
        page.get_by_role("button", name=f"Accept and work on {title}").click()
        frame = page.frame_locator("iframe")
        frame.get_by_label("Is it so?").fill("yes")
        frame.get_by_role("button", name="Send").click()
        expect(frame.get_by_text("Your work is with the requester now.")).to_be_visible()
        page.get_by_role("button", name="I have sent it").click()
        expect(page.get_by_text("It is paid when the requester approves it.")).to_be_visible()
