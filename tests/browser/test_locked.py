"""Somebody holds the database's lock: what was typed stays, and is saved without a further word."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.mortal import Mortal
from tests.browser.rest import rest_of
from tests.browser.sessions import LONG_PATIENCE, STILL
from tests.browser.studio import Studio


@contextlib.contextmanager
def locked(mortal: Mortal) -> Iterator[None]:
    path = mortal.product.data_dir / "giza.sqlite3"
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA busy_timeout = 30000")
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


@pytest.fixture
def page(browser: Browser, mortal: Mortal, mortal_cookies: Any) -> Iterator[Page]:
    """Without the watch, which lets no answer tell of a fault: here each test asks for one."""
    context = browser.new_context(base_url=mortal.base_url, storage_state=mortal_cookies, **STILL)
    yield context.new_page()
    context.close()


def test_a_form_is_sent_again_until_it_is_saved(page: Page, mortal: Mortal) -> None:
    page.goto("/projects/new/")
    page.get_by_label("Name").fill("Dams & <b>bridges</b>")
    page.locator("[name=description]").fill("Two\nlines")
    with locked(mortal):
        page.locator("main form button[type=submit]").first.click()
        expect(page.get_by_role("heading", name="The database is busy")).to_be_visible(
            timeout=LONG_PATIENCE
        )
        expect(page.get_by_text("sends it again every 5 seconds")).to_be_visible()
    page.wait_for_url("**/p/**", timeout=LONG_PATIENCE)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Dams & <b>bridges</b>")


def test_the_studio_keeps_what_is_typed_and_says_why(
    page: Page, mortal: Mortal, browser: Browser, mortal_cookies: Any
) -> None:
    with rest_of(browser, mortal.base_url, mortal_cookies) as rest:
        made = rest.post("projects/demo/unit-sets/", data={"name": "locked"})["id"]
        example = rest.get("projects/demo/examples/")["results"][0]["id"]
    studio = Studio(page).open(f"/p/demo/units/{made}/examples/{example}/")
    studio.press("n", "Control+a").type("Tram line 7 reopens").expect_saved()
    with locked(mortal):
        studio.type(" on Monday.").press("Enter")
        expect(studio.saved).to_contain_text(
            "The database is busy: kept on this device", timeout=LONG_PATIENCE
        )
    expect(studio.saved).to_contain_text("Saved", timeout=LONG_PATIENCE)
    page.reload()
    studio.ready().press("l").expect_texts("Tram line 7 reopens on Monday.")
