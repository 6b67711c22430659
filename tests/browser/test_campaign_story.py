"""A researcher and four workers, from the first draft to the last approval."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from tests.browser.corpora import example, jsonl
from tests.browser.rest import Rest
from tests.browser.sessions import LONG_PATIENCE, OpenPage, watched_pages
from tests.browser.studio import write_unit
from tests.servers import Product

if TYPE_CHECKING:
    from playwright.sync_api import Browser

UNITS = ["The dam burst.", "Nobody was hurt."]
SUMMARIES = {"lead": "The dam burst.", "soup": "dam dam hurt"}
# What each worker answers to the two statements of every HIT.
WORKERS = {
    "Ann": ("present", "absent"),
    "Bob": ("present", "absent"),
    "Cy": ("present", "present"),
    "Dee": ("present", "absent"),
}


@pytest.fixture
def study(rest: Rest) -> str:
    """A project with one example, two systems and a frozen set of two units."""
    slug = rest.make_project(f"story-{uuid4().hex[:6]}", "The dam")
    texts = example("dam", "The dam burst. Nobody was hurt.", summaries=SUMMARIES)
    rest.bring_in(slug, "dam.jsonl", jsonl([texts]))
    made = rest.post(f"projects/{slug}/unit-sets/", data={"name": "SCUs"})["id"]
    there = f"projects/{slug}/unit-sets/{made}/"
    for text in UNITS:
        write_unit(rest, f"{there}examples/{rest.first(slug, 'examples')}/", text)
    rest.post(f"{there}review/")
    rest.post(f"{there}freeze/", data={"reason": "A story."})
    return slug


@pytest.fixture
def open_visitor(browser: Browser, product: Product) -> Iterator[OpenPage]:
    with watched_pages(browser, product.base_url) as open_page:
        yield open_page


def draft(page: Page, study: str, title: str) -> None:
    """From the project's tab to a draft with a title of its own and a rule that decides nothing."""
    page.goto(f"/p/{study}/")
    page.get_by_role("link", name="Crowd", exact=True).first.click()
    page.get_by_role("link", name="New campaign").click()
    page.get_by_label("Name").fill("First round")
    page.get_by_role("button", name="Draft with these settings of Plain").click()
    page.get_by_label("Title").fill(title)
    page.get_by_label("Approved without anybody looking").select_option("off")
    page.get_by_role("group").filter(has_text="Practice").locator("summary").click()
    page.get_by_role("button", name="Add a practice item").click()
    expect(page.locator("[name=training-1-summary]")).to_be_focused()
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".toasts")).to_contain_text("Saved.")


def publish(page: Page) -> str:
    page.get_by_role("link", name="Check before publishing").click()
    page.get_by_role("link", name="Publish for $1.20").click()
    page.get_by_role("button", name="Publish for $1.20").click()
    # The page follows the job by itself.
    expect(page.get_by_text("2 open, nothing yet")).to_be_visible(timeout=LONG_PATIENCE)
    expect(page.locator(".page-head .badge")).to_contain_text("Live")
    return page.url


def join(page: Page, name: str) -> None:
    page.goto("/work/join/")
    page.get_by_label("Name").fill(name)
    page.get_by_label("E-mail").fill(f"{name.lower()}-{uuid4().hex[:8]}@example.org")
    page.get_by_label("Password").fill("correct-horse-battery")
    page.get_by_label("Country").fill("DE")
    page.get_by_label("I am of age").check()
    page.get_by_role("button", name="Join as a worker").click()
    expect(page.get_by_role("heading", name="Work", exact=True)).to_be_visible()


def judge(page: Page, title: str, answers: tuple[str, ...]) -> None:
    """One HIT in its frame, from the list of work to the receipt."""
    page.goto("/work/")
    page.get_by_role("button", name=f"Accept and work on {title}").click()
    frame = page.frame_locator("iframe")
    frame.locator("form.is-live").wait_for()
    for number, answer in enumerate(answers, 1):
        frame.locator(f"#s{number} .choice--{answer}").click()
    frame.get_by_role("button", name="Submit").click()
    expect(page.get_by_text("It is paid when the requester approves it.")).to_be_visible()


def test_it_goes_from_a_draft_to_the_last_approval(
    desk: Page, open_visitor: OpenPage, rest: Rest, study: str
) -> None:
    title = f"Does it say so? {uuid4().hex[:6]}"
    draft(desk, study, title)
    campaign = publish(desk)

    workers = [open_visitor() for _ in WORKERS]
    for worker, (name, answers) in zip(workers, WORKERS.items(), strict=True):
        join(worker, name)
        for _ in SUMMARIES:
            judge(worker, title, answers)
        worker.goto("/work/")
        expect(worker.get_by_role("button", name=title)).to_have_count(0)

    desk.goto(campaign)
    desk.get_by_role("button", name="Collect now").click()
    expect(desk.get_by_text("8 assignments to review.")).to_be_visible()
    expect(desk.get_by_text("95 % interval over 4 statements with 16 answers")).to_be_visible()
    expect(desk.get_by_text("Measured on 8 assignments")).to_be_visible()

    approve_all(desk)
    desk.goto(f"{campaign}ledger/")
    expect(desk.get_by_text("Everything is settled.")).to_be_visible()
    number = int(campaign.rstrip("/").rsplit("/", 1)[1])
    assert sum_approved(rest, study, number) == Decimal("1.20")
    for worker in workers:
        worker.goto("/work/")
        expect(worker.get_by_text("You have earned $0.30")).to_be_visible()


def approve_all(page: Page) -> None:
    """The first by its key, the others at once."""
    page.get_by_role("link", name="Review", exact=True).first.click()
    page.locator("tr[data-row] .row-link").first.click()
    expect(
        page.get_by_text("0 of 3 say present").or_(page.get_by_text("1 of 3 say present"))
    ).to_be_visible()
    page.keyboard.press("a")
    expect(page.get_by_text("1 assignment settled.")).to_be_visible()
    page.keyboard.press("u")
    page.get_by_role("button", name="All 7 answered in full").click()
    expect(page.get_by_role("heading", name="Approve 7 assignments?")).to_be_visible()
    page.get_by_role("button", name="Pay $1.05").click()
    expect(page.get_by_text("7 assignments settled.")).to_be_visible(timeout=LONG_PATIENCE)
    expect(page.get_by_text("Nothing to review")).to_be_visible()


def sum_approved(rest: Rest, study: str, campaign: int) -> Decimal:
    """By the campaign's ledger, of which every entry must be settled."""
    rows = rest.get(f"projects/{study}/campaigns/{campaign}/ledger/")["results"]
    assert {row["outcome"] for row in rows} == {"done"}
    return sum((Decimal(row["amount"]) for row in rows if row["kind"] == "approve"), Decimal(0))
