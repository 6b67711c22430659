"""The story's middle by clicks and keys: HITs go out, four people work, they are paid."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.judging import hand_keys_to
from tests.browser.sessions import LONG_PATIENCE, press
from tests.browser.story_corpus import HITS, JUDGES, is_said
from tests.browser.story_setup import go_on

if TYPE_CHECKING:
    from playwright.sync_api import Page

ASSIGNMENTS = HITS * JUDGES
READ = """() => ({
  summary: document.querySelector("#reading").innerText,
  statements: [...document.querySelectorAll(".statement legend")].map((line) => line.textContent),
})"""


def price(count: int, more: float = 0) -> str:
    """Dollars for so many assignments at the usual reward, and what comes on top."""
    return f"{count * 0.15 + more:.2f}"


def publish(owner: Page, slug: str, title: str) -> str:
    """Give the planned draft a title and a reserve for bonuses; what it costs is asked once."""
    go_on(owner, slug, re.compile(r"Budget \d+: set up and publish"))
    owner.get_by_role("link", name="Setup", exact=True).click()
    owner.get_by_label("Title").fill(title)
    owner.get_by_label("Auto-approval", exact=True).select_option("off")
    owner.get_by_role("group").filter(has_text="Practice").locator("summary").click()
    owner.get_by_role("button", name="Add a practice item").click()
    expect(owner.locator("[name=training-1-summary]")).to_be_focused()
    owner.locator("[name=budget]").fill(price(ASSIGNMENTS, 1.00))
    owner.locator("[name=bonus_reserve]").fill("1.00")
    owner.get_by_role("button", name="Save and check before publishing").click()
    expect(owner.locator(".toasts")).to_contain_text("Settings saved.")
    prepay(owner, price(ASSIGNMENTS, 1.00))
    owner.get_by_role("link", name=f"Publish for ${price(ASSIGNMENTS, 1.00)}").click()
    owner.get_by_role("button", name=f"Publish for ${price(ASSIGNMENTS, 1.00)}").click()
    badge = owner.locator(".page-head .badge")
    expect(badge).to_contain_text("Live", timeout=LONG_PATIENCE)
    return owner.url


def prepay(owner: Page, amount: str) -> None:
    """The researcher is staff here, and adds what the check says is missing."""
    expect(owner.get_by_text(f"Ask staff to add ${amount}.")).to_be_visible()
    draft = owner.url
    owner.get_by_role("link", name="Open prepaid budget").click()
    owner.get_by_label("Amount to add").fill(amount)
    owner.get_by_label("Where the money comes from").fill("Grant 4711")
    owner.get_by_role("button", name="Add money").click()
    expect(owner.get_by_role("row").filter(has_text="Grant 4711")).to_be_visible()
    owner.goto(draft)


def work_all(page: Page, title: str, is_careless: bool) -> int:
    """Every HIT that is open, one after the other, by keys; how many there were."""
    page.goto("/work/")
    page.get_by_role("button", name=f"Accept and work on {title}").click()
    page.get_by_label("Accept the next HIT automatically").check()
    count = 0
    while "/work/assignments/" in page.url:
        judge_one(page, is_careless)
        count += 1
    expect(page.get_by_text("No more HITs of this kind")).to_be_visible()
    return count


def judge_one(page: Page, is_careless: bool) -> None:
    here = page.url
    frame = page.frame_locator("iframe")
    frame.locator("form.is-live").wait_for()
    task = frame.locator("body").evaluate(READ)
    hand_keys_to(frame, page)
    for statement in task["statements"]:
        is_present = is_careless or is_said(task["summary"], statement)
        page.keyboard.press("1" if is_present else "2")
    expect(frame.locator("#submit")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url(lambda address: address != here)


def watch(owner: Page, campaign: str) -> None:
    """Wage and alpha, as they are shown while work comes in."""
    owner.goto(campaign)
    owner.get_by_role("button", name="Collect now").click()
    expect(owner.get_by_text(f"{ASSIGNMENTS} assignments to review.")).to_be_visible()
    expect(owner.get_by_text(f"from {ASSIGNMENTS} timed assignments")).to_be_visible()
    alpha = owner.get_by_role("region", name="Krippendorff’s alpha, pooled")
    expect(alpha).to_contain_text(re.compile(r"\d\.\d{3}"))


def approve(owner: Page) -> None:
    """The first by its key, the others at once: so many are a job, which leads back."""
    owner.get_by_role("link", name="Review", exact=True).first.click()
    with owner.expect_navigation():
        owner.locator("tr[data-row] .row-link").first.click()
    press(owner, "a")
    expect(owner.get_by_text("1 assignment approved.")).to_be_visible()
    press(owner, "u")
    owner.get_by_role("button", name=f"Approve all {ASSIGNMENTS - 1}").click()
    asked = owner.get_by_role("heading", name=f"Approve {ASSIGNMENTS - 1} assignments?")
    expect(asked).to_be_visible()
    owner.get_by_role("button", name=f"Pay ${price(ASSIGNMENTS - 1)}").click()
    expect(owner.locator("#job")).to_contain_text("Done", timeout=LONG_PATIENCE)
    press(owner, "o")
    expect(owner.get_by_text(f"{ASSIGNMENTS} approved")).to_be_visible()


def pay_bonus(owner: Page) -> None:
    owner.get_by_role("link", name="Review", exact=True).first.click()
    owner.get_by_label("Status").select_option("approved")
    with owner.expect_navigation():
        owner.get_by_role("button", name="Filter assignments").click()
    owner.locator("input[name=assignment]").first.check()
    owner.get_by_label("With selected").select_option("bonus")
    owner.get_by_label("Message to the worker").fill("Thank you for your care.")
    owner.get_by_label("Bonus ($)").fill("0.50")
    owner.get_by_role("button", name="Continue").click()
    owner.get_by_role("button", name="Pay $0.50").click()
    expect(owner.get_by_text("Bonus paid for 1 assignment.")).to_be_visible()
    owner.get_by_role("link", name="Ledger").click()
    expect(owner.get_by_text("Every entry is settled.")).to_be_visible()


def look_at_earnings(workers: Iterable[Page]) -> None:
    """Every HIT's reward, and one worker's bonus."""
    shown = []
    for page in workers:
        page.goto("/work/")
        shown.append(page.locator(".page-head__lead").inner_text())
    assert sum(f"You have earned ${price(HITS)}" in words for words in shown) == JUDGES - 1
    assert sum(f"You have earned ${price(HITS, 0.50)}" in words for words in shown) == 1
