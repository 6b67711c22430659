"""The description of REST, drawn from our own files alone."""

from __future__ import annotations

from playwright.sync_api import Page, expect


def test_it_lists_the_calls(page: Page) -> None:
    page.goto("/api/docs/")
    for path in ("/api/v1/gold/import/", "/api/v1/me/", "/api/v1/projects/"):
        expect(page.locator(f".opblock-summary-path[data-path='{path}']").first).to_be_visible()
    page.locator("[id$=get_me]").get_by_role("button").first.press("Enter")
    expect(page.get_by_text("The account whose key this is.").last).to_be_visible()


def test_it_lists_them_to_the_last(page: Page) -> None:
    """A long list is drawn as far as it is read."""
    page.goto("/api/docs/")
    expect(page.locator(".opblock-summary-path").first).to_be_visible()
    page.keyboard.press("End")
    last = page.locator(".opblock-summary-path[data-path='/api/v1/tokens/{id}/']")
    expect(last.first).to_be_visible()
