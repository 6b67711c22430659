"""The table of a budget's plans, unfolded where it is long."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.browser.sessions import LONG_PATIENCE, press


def list_plan_rows(page: Page) -> Locator:
    """Rows of all plans, once they are reckoned; the fold is opened by its key."""
    expect(page.locator("#plans-title")).to_be_visible(timeout=LONG_PATIENCE)
    fold = page.locator("#all-plans")
    if not fold.count():
        return page.locator(".plans-table tbody tr")
    if fold.get_attribute("open") is None:
        press(page, "v")
    rows = fold.locator("tbody tr")
    expect(rows.first).to_be_visible()
    return rows
