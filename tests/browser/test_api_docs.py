"""The description of REST, drawn from our own files alone."""

from __future__ import annotations

from playwright.sync_api import Page, expect


def test_it_lists_the_calls_by_what_they_are_about(page: Page) -> None:
    page.goto("/api/docs/")
    for about in ("Activity", "Adjudications"):
        expect(page.get_by_role("heading", name=about)).to_be_visible()
    path = "/api/v1/projects/{slug}/activity/"
    expect(page.locator(f".opblock-summary-path[data-path='{path}']").first).to_be_visible()
    page.locator("[id$=list_activity]").get_by_role("button").first.press("Enter")
    expect(page.get_by_text("Who did what, newest first.").last).to_be_visible()


def test_it_lists_them_to_the_last(page: Page) -> None:
    """A long list is drawn as far as it is read."""
    page.goto("/api/docs/")
    expect(page.locator(".opblock-summary-path").first).to_be_visible()
    page.keyboard.press("End")
    last = page.locator(".opblock-summary-path[data-path='/api/v1/projects/{slug}/workers/']")
    expect(last.first).to_be_visible()
