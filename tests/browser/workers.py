"""Workers in a browser, and the requester's script that gives them something to do."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import boto3
from playwright.sync_api import FrameLocator, Page, expect

from tests.browser.sessions import EMAIL, PATIENCE
from tests.servers import Product

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.browser.rest import Rest

SCHEMAS = "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas"


def make_market(product: Product, name: str = "") -> Any:
    """A requester's client."""
    name = name or f"Lab {uuid4().hex[:6]}"
    options = ["--owner", EMAIL, "--deposit", "100", "--note", "Grant 4711", "--json"]
    made = json.loads(product.manage("create_requester", name, *options))
    return boto3.client("mturk", **made["client"])


def html_question(html: str, height: int = 0) -> str:
    return (
        f'<HTMLQuestion xmlns="{SCHEMAS}/2011-11-11/HTMLQuestion.xsd">'
        f"<HTMLContent><![CDATA[{html}]]></HTMLContent>"
        f"<FrameHeight>{height}</FrameHeight></HTMLQuestion>"
    )


def external_question(url: str, height: int = 0) -> str:
    return (
        f'<ExternalQuestion xmlns="{SCHEMAS}/2006-07-14/ExternalQuestion.xsd">'
        f"<ExternalURL>{url}</ExternalURL>"
        f"<FrameHeight>{height}</FrameHeight></ExternalQuestion>"
    )


def publish(market: Any, title: str, question: str, count: int = 1) -> list[str]:
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


@contextlib.contextmanager
def worker_at(browser: Browser, product: Product, rest: Rest, **options: Any) -> Iterator[Page]:
    """Not watched: a page that means harm is refused by the policy, and that counts as a fault."""
    settings = {"viewport": {"width": 390, "height": 800}, **options}
    context = browser.new_context(base_url=product.base_url, **settings)
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
    page.get_by_label("I am legally an adult").check()
    page.get_by_role("button", name="Join as a worker").click()
    expect(page.get_by_role("heading", name="Work", exact=True)).to_be_visible()


def accept(page: Page, market: Any, question: str) -> str:
    """Publish a HIT and have the worker accept it. Gives the id of the HIT."""
    title = f"Task {uuid4().hex[:6]}"
    (hit_id,) = publish(market, title, question)
    page.goto("/work/")
    page.get_by_role("button", name=f"Accept and work on {title}").click()
    # Not until all is loaded: the task's own server may be silent.
    page.wait_for_url("**/work/assignments/*/", wait_until="domcontentloaded")
    return hit_id


def task_in(page: Page) -> FrameLocator:
    return page.frame_locator("iframe.task__frame")


def expect_sent(page: Page) -> None:
    expect(page.get_by_role("main").get_by_text("Submitted", exact=True)).to_be_visible()


def return_hit(page: Page) -> None:
    page.get_by_text("Return", exact=True).click()
    page.get_by_role("button", name="Return HIT").click()
    expect(page.get_by_text("HIT returned")).to_be_visible()
