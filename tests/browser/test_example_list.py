"""The example browser: searched, walked, paged and filtered without the mouse."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.sessions import path_of, press

PAGE_SIZE = 25


@pytest.fixture
def listing(desk: Page, reading: str) -> Page:
    """The first page of examples."""
    desk.goto(f"/p/{reading}/examples/")
    return desk


def rows(page: Page) -> Locator:
    return page.locator("#example-rows tbody tr")


def keys_shown(page: Page) -> Locator:
    return rows(page).get_by_role("rowheader")


def search(page: Page, words: str) -> None:
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.type(words)
    page.keyboard.press("Enter")


def test_it_searches_and_comes_back(listing: Page) -> None:
    start = path_of(listing)
    listing.evaluate("window.wasHereBefore = true")
    search(listing, "volunteers")
    expect(keys_shown(listing)).to_have_text(["lighthouse"])
    expect(rows(listing).locator("mark.hit")).to_have_text("Volunteers")
    assert listing.evaluate("window.wasHereBefore"), "only the rows were fetched anew"
    expect(listing).to_have_url(re.compile("q=volunteers"))
    listing.go_back()
    expect(rows(listing)).to_have_count(PAGE_SIZE)
    expect(listing.get_by_role("heading", level=1)).to_have_text("Examples")
    expect(listing.get_by_role("searchbox")).to_have_value("")
    assert path_of(listing) == start
    listing.wait_for_load_state("load")
    listing.go_forward()
    expect(keys_shown(listing)).to_have_text(["lighthouse"])
    expect(listing.get_by_role("searchbox")).to_have_value("volunteers")


def test_it_goes_back_past_a_search_that_was_typed_slowly(listing: Page) -> None:
    start = path_of(listing)
    listing.keyboard.press("/")
    for typed in ("v", "vo", "volunteers"):
        listing.keyboard.type(typed[-1] if len(typed) < 3 else typed[2:])
        listing.wait_for_url(f"**/?q={typed}&*")
    with listing.expect_response("**/?q=volunteers&*"):
        listing.keyboard.press("Enter")
    expect(keys_shown(listing)).to_have_text(["lighthouse"])
    listing.go_back()
    expect(rows(listing)).to_have_count(PAGE_SIZE)
    assert path_of(listing) == start


def test_it_shows_the_whole_page_on_the_way_back_from_an_example(listing: Page) -> None:
    search(listing, "volunteers")
    expect(keys_shown(listing)).to_have_text(["lighthouse"])
    listing.get_by_role("link", name="lighthouse").press("Enter")
    expect(listing.get_by_role("heading", level=1)).to_have_text("lighthouse")
    listing.go_back()
    expect(listing.get_by_role("heading", level=1)).to_have_text("Examples")
    expect(keys_shown(listing)).to_have_text(["lighthouse"])


def test_it_says_that_nothing_was_found(listing: Page) -> None:
    search(listing, "<b>unheard of</b>")
    expect(listing.get_by_role("heading", name="No results")).to_be_visible()
    expect(listing.get_by_text("No reference contains “<b>unheard of</b>”")).to_be_visible()


def test_it_walks_the_rows_and_opens_one(listing: Page) -> None:
    listing.keyboard.press("j")
    listing.keyboard.press("j")
    expect(listing.get_by_role("link", name="hostile")).to_be_focused()
    listing.keyboard.press("k")
    expect(listing.get_by_role("link", name="lighthouse")).to_be_focused()
    listing.keyboard.press("Enter")
    expect(listing.get_by_role("heading", level=1)).to_have_text("lighthouse")


def test_it_turns_the_pages(listing: Page) -> None:
    pager = listing.get_by_role("navigation", name="Pages")
    expect(pager).to_contain_text("1–25 of 60 examples")
    press(listing, "n")
    expect(pager).to_contain_text("26–50 of 60 examples")
    press(listing, "n")
    expect(pager).to_contain_text("51–60 of 60 examples")
    expect(rows(listing)).to_have_count(10)
    press(listing, "p")
    expect(pager).to_contain_text("26–50 of 60 examples")


@pytest.mark.parametrize(
    "choice, found",
    [("Missing a summary", "unsummarised"), ("Missing a reference", "unreferenced")],
)
def test_it_shows_what_is_missing(listing: Page, choice: str, found: str) -> None:
    listing.get_by_label("Show").select_option(label=choice)
    expect(keys_shown(listing)).to_have_text([found])
    listing.reload()
    expect(keys_shown(listing)).to_have_text([found])
    expect(listing.get_by_label("Show").locator("option:checked")).to_have_text(choice)
