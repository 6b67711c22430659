"""The story's first half by clicks and keys: texts, people, a plan, units."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.importing import file_of, wait_until_imported, wait_until_ready
from tests.browser.planning import list_plan_rows
from tests.browser.sessions import LONG_PATIENCE
from tests.browser.story_corpus import JUDGES, REFERENCES, pack_study
from tests.browser.studio import Studio

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.sessions import OpenPage

NAME = "Town news, judged"
PASSWORD = "lighthouse-keeper"
# Half of the sentences: each reference has two.
TO_WRITE = len(REFERENCES)


def go_on(page: Page, slug: str, title: str | re.Pattern[str]) -> None:
    """Follow what the overview says is next, which must be this."""
    page.goto(f"/p/{slug}/")
    expect(page.locator(".next-step__title")).to_have_text(title)
    with page.expect_navigation():
        page.locator("#next-step").click()


def bring_in_texts(owner: Page, slug: str) -> None:
    """From the list of projects to a project with its texts."""
    owner.goto("/")
    owner.get_by_role("link", name="New project").click()
    owner.get_by_label("Name").fill(NAME)
    owner.get_by_label("Address").fill(slug)
    with owner.expect_navigation():
        owner.get_by_role("button", name="Create project").click()
    go_on(owner, slug, "Import a corpus")
    owner.get_by_label("Corpus files").set_input_files(file_of("pyrxsum.zip", pack_study()))
    owner.get_by_role("button", name="Check files").click()
    wait_until_ready(owner)
    owner.get_by_role("button", name=f"Import {len(REFERENCES)} examples").click()
    wait_until_imported(owner)
    owner.get_by_role("link", name="Back to the overview").click()
    expect(owner.get_by_role("heading", level=1)).to_have_text(NAME)


def invite(owner: Page, guest: Page, name: str, email: str) -> None:
    """An annotator gets a link, and joins by it in a browser of their own."""
    with owner.expect_navigation():
        owner.get_by_role("link", name="Members", exact=True).click()
    owner.get_by_label("Role", exact=True).select_option("annotator")
    owner.locator("#id_note").fill(f"for {name}")
    owner.get_by_role("button", name="Create invitation link").click()
    expect(owner.get_by_role("status").filter(has_text="link is ready")).to_be_visible()
    guest.goto(owner.get_by_label("Invitation link").first.input_value())
    guest.get_by_label("Name").fill(name)
    guest.get_by_label("E-mail").fill(email)
    guest.get_by_label("Password").fill(PASSWORD)
    guest.get_by_role("button", name="Create account and join").click()
    expect(guest.get_by_role("heading", level=1)).to_have_text(NAME)


def sign_up(owner: Page, open_page: OpenPage, names: list[str], tag: str) -> dict[str, Page]:
    """Workers join the marketplace by a link that the owner creates on the members' page."""
    owner.get_by_label("Number of workers").fill(str(len(names)))
    owner.get_by_role("button", name="Create link for workers").click()
    expect(owner.get_by_role("status").filter(has_text="Link created")).to_be_visible()
    address = owner.get_by_label("Link for workers", exact=True).first.input_value()
    pages = {name: open_page() for name in names}
    for name, page in pages.items():
        page.goto(address)
        page.get_by_label("Name").fill(name)
        page.get_by_label("E-mail").fill(f"{name.lower()}-{tag}@example.org")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_label("Country").select_option("DE")
        page.get_by_label("I am legally an adult").check()
        page.get_by_role("button", name="Join as a worker").click()
        expect(page.get_by_role("heading", name="Work", exact=True)).to_be_visible()
    return pages


def extract_stus(owner: Page, slug: str) -> None:
    """From the overview by the page about units, which tells the ways to get some."""
    go_on(owner, slug, "Create content units")
    owner.get_by_role("link", name="Extract STUs").click()
    owner.get_by_role("button", name="Extract STUs").click()
    frozen = owner.locator(".page-head .badge", has_text="Frozen")
    expect(frozen).to_be_visible(timeout=LONG_PATIENCE)


def plan_with_budget(owner: Page, slug: str, author: str) -> None:
    """The hardest half of the sentences for a person, all summaries for four judges."""
    go_on(owner, slug, "Plan with a budget")
    owner.get_by_label("Money ($)").fill("20")
    owner.get_by_label("Hours of writing").fill("1")
    owner.get_by_role("button", name="Show plans").click()
    plans = list_plan_rows(owner).filter(has_text="50 % STUs")
    people = f"{len(REFERENCES)} ({JUDGES} judges per HIT)"
    plans.filter(has_text=people).get_by_role("link").click()
    expect(owner.locator("#shown")).to_contain_text("predicted to be hardest")
    owner.get_by_label("Author").select_option(label=author)
    owner.get_by_role("button", name="Use this plan").click()
    expect(owner.locator(".page-head .badge")).to_have_text("✓ In use")
    expect(owner.locator(".next-step__title")).to_have_text(
        f"{TO_WRITE} of {TO_WRITE} sentences are still to be written"
    )


def write_units(author: Page, slug: str) -> None:
    """Every planned sentence by keys, until the queue is empty."""
    go_on(author, slug, re.compile("to write$"))
    studio = Studio(author)
    while author.locator(".studio").count():
        studio.ready()
        studio.press("u", "n", "Enter")
        if studio.field.count():  # with what is still to be written, as it was offered
            studio.press("Shift+Enter")
        studio.expect_saved()
        studio.press("f")
        expect(author.locator("[data-part=review]")).to_contain_text("To check")
        with author.expect_navigation():
            studio.press("g", "n")
    expect(author.get_by_text("You have nothing to do in this set.").first).to_be_visible()
    mine = author.get_by_role("row").filter(has_text="Ada Author")
    expect(mine.get_by_role("cell").first).to_have_text(str(TO_WRITE))


def review_units(reviewer: Page, slug: str) -> None:
    """Somebody other than the author reads every example and signs it off."""
    go_on(reviewer, slug, re.compile("to check$"))
    studio = Studio(reviewer)
    while reviewer.locator(".studio").count():
        studio.ready().press("f")
        expect(reviewer.locator("[data-part=review]")).to_contain_text("Signed off")
        with reviewer.expect_navigation():
            studio.press("g", "n")


def freeze(owner: Page, slug: str) -> None:
    go_on(owner, slug, re.compile("send to review$"))
    owner.get_by_role("button", name="Send to review").click()
    owner.get_by_role("button", name=re.compile("^Freeze")).click()
    expect(owner.locator(".page-head .badge")).to_contain_text("Frozen")
