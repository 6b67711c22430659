"""A worker that is killed half-way costs nobody anything, and the page says so by itself."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.corpora import BIG_EXAMPLES
from tests.browser.importing import (
    count_in_navigation,
    held_half_written,
    send,
    state_of,
    wait_until_imported,
    wait_until_ready,
)
from tests.browser.mortal import Mortal
from tests.browser.sessions import path_of, press


def reload_and_see_the_same(page: Page) -> None:
    address = path_of(page)
    before = int(page.locator("progress").get_attribute("value") or 0)
    page.reload()
    expect(state_of(page)).to_have_text("Importing")
    after = int(page.locator("progress").get_attribute("value") or 0)
    assert before <= after < 100
    assert path_of(page) == address


def test_it_finishes_the_import_whose_worker_was_killed(
    mortal: Mortal, mortal_page: Page, big_corpus: Path
) -> None:
    mortal_page.goto("/p/demo/examples/")
    before = int(count_in_navigation(mortal_page, "Examples").inner_text())
    send(mortal_page, "demo", big_corpus)
    wait_until_ready(mortal_page)
    press(mortal_page, "w")
    with held_half_written(mortal_page, mortal.product):
        reload_and_see_the_same(mortal_page)
        mortal.kill_worker()
    wait_until_imported(mortal_page)
    expect(count_in_navigation(mortal_page, "Examples")).to_have_text(f"{before + BIG_EXAMPLES:,}")
    mortal_page.goto("/p/demo/jobs/")
    mortal_page.get_by_role("link", name="Import big.jsonl").press("Enter")
    expect(mortal_page.locator(".log")).to_contain_text("Resumed, attempt 2.")
