"""What a worker has entered, and the time that it took, when a tab or a browser was closed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Page, expect

from tests.annotation.crowd.working import FORM
from tests.browser.rest import Rest
from tests.browser.workers import accept, expect_sent, html_question, make_market, worker_at
from tests.servers import Product, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

# Reports its time as our judging page does, and shows what it was handed.
CLOCK = """<!doctype html><html lang="en"><title>Task</title><body><p id="known"></p><script>
let worked = 0;
addEventListener("message", ({ data }) => {
  if (data.giza !== "kept") return;
  worked = Math.max(worked, JSON.parse(data.draft).seconds);
  document.querySelector("#known").textContent = `Worked ${worked}`;
});
setInterval(() => {
  worked += 0.2;
  const text = JSON.stringify({ answers: {}, seconds: worked });
  parent.postMessage({ giza: "keep", kind: "draft", text }, "*");
}, 200);
parent.postMessage({ giza: "ask", rules: "r1" }, "*");
</script></body></html>"""


def drafts(page: Page) -> list[str]:
    """What the page around the frame keeps on this device."""
    saved: dict[str, str] = page.evaluate("({ ...localStorage })")
    return [text for name, text in saved.items() if name.startswith("giza-judge:draft:")]


def worked_here(page: Page) -> float:
    return max((json.loads(text)["seconds"] for text in drafts(page)), default=0)


def saved_time(page: Page, address: str) -> float:
    page.goto(address)
    return float(page.locator("iframe").get_attribute("data-seconds") or 0)


@pytest.fixture(scope="module")
def market(product: Product) -> Any:
    return make_market(product)


@pytest.fixture
def worker_page(browser: Browser, product: Product, rest: Rest) -> Iterator[Page]:
    with worker_at(browser, product, rest) as page:
        yield page


def test_the_time_worked_is_known_on_another_device(
    browser: Browser, product: Product, worker_page: Page, market: Any
) -> None:
    accept(worker_page, market, html_question(CLOCK))
    here = worker_page.url
    expect(worker_page.frame_locator("iframe").get_by_text("Worked 0")).to_be_visible()
    wait_until(lambda: worked_here(worker_page) >= 2, "two seconds are worked")
    # Who leaves the page has the time saved; the other device has only the session.
    worker_page.goto("/work/")
    other = browser.new_context(base_url=product.base_url)
    other.add_cookies(worker_page.context.cookies())  # type: ignore[arg-type]
    page = other.new_page()
    wait_until(lambda: saved_time(page, here) >= 2, "the server knows of two seconds")
    known = page.frame_locator("iframe").locator("#known")
    expect(known).to_contain_text("Worked")
    assert float(known.inner_text().removeprefix("Worked ")) >= 2
    other.close()


def test_a_form_outlives_its_tab(worker_page: Page, market: Any) -> None:
    accept(worker_page, market, FORM)
    here = worker_page.url
    frame = worker_page.frame_locator("iframe")
    frame.get_by_label("Yes").check()
    frame.get_by_label("Why").fill("It says <so>.")
    wait_until(lambda: "<so>" in "".join(drafts(worker_page)), "the answer is saved")
    again = worker_page.context.new_page()
    worker_page.close()
    again.goto(here)
    frame = again.frame_locator("iframe")
    expect(frame.get_by_label("Yes")).to_be_checked()
    expect(frame.get_by_label("Why")).to_have_value("It says <so>.")
    frame.get_by_role("button", name="Submit").click()
    again.wait_for_url(here)
    expect_sent(again)
    assert drafts(again) == []
