"""What must hold on every page, whatever it is about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.inspection import (
    BUILD,
    FAINT_TEXT,
    MISSED,
    NOTE_STOPS,
    SOUND,
    STEPS,
    UNSEEN_FOCUS,
    axe_source,
    find_barriers,
)
from tests.browser.page_ids import make_ids
from tests.browser.page_list import ALL_PAGES, FORMS, PAGES
from tests.browser.rest import Rest
from tests.browser.sessions import watched_pages
from tests.browser.studio import Studio
from tests.servers import Product

# How often Tab is pressed on a page, and between two looks at where it went.
MOST_STOPS, AT_A_TIME = 400, 8
ABSENT = ("not found", "not here")
WIDTHS = (1440, 390)
SCHEMES: tuple[Literal["light", "dark"], ...] = ("dark", "light")
VISITED_SIGNED_OUT = (
    *("sign in", "join as a worker", "invitation", "shared report"),
    *("forgotten password", "password link sent", "password link not valid"),
)


@pytest.fixture(scope="module")
def ids(rest: Rest, reading: str, example_ids: dict[str, int]) -> dict[str, Any]:
    return make_ids(rest, reading, example_ids)


class Tour:
    """Two browsers' windows, one signed in and one not, that go from page to page."""

    def __init__(self, member: Page, visitor: Page, ids: dict[str, Any]) -> None:
        self.member, self.visitor, self.ids = member, visitor, ids

    def visit(self, name: str) -> Page:
        page = self.visitor if name in VISITED_SIGNED_OUT else self.member
        page.set_viewport_size({"width": WIDTHS[0], "height": 900})
        answer = page.goto(ALL_PAGES[name].format(**self.ids))
        assert answer is not None
        assert answer.status == (404 if name in ABSENT else 200)
        if name == "REST":
            page.locator(".opblock").first.wait_for()
        if "studio" in name:
            Studio(page).ready()
        return page


# Tables that have to be scrolled aside; a matrix has a column for each system or worker.
CLIPPED = """() => [...document.querySelectorAll("table")]
  .filter((table) => !table.closest(".presence, .pairs, .votes, details:not([open])"))
  .map((table) => table.parentElement)
  .filter((box) => box.clientWidth > 0 && box.scrollWidth > box.clientWidth + 1)
  .map((box) => `${box.className}: ${box.scrollWidth} in ${box.clientWidth}`)"""


@pytest.fixture(scope="module")
def tour(browser: Browser, product: Product, signed_in: Any, ids: dict[str, Any]) -> Iterator[Tour]:
    with watched_pages(browser, product.base_url) as open_page:
        member, visitor = open_page(storage_state=signed_in), open_page()
        for page in (member, visitor):
            page.add_init_script(axe_source())
        yield Tour(member, visitor, ids)


@pytest.mark.parametrize("name", ALL_PAGES)
def test_it_is_fit_to_be_shown(tour: Tour, name: str, pytestconfig: pytest.Config) -> None:
    page = tour.visit(name)
    with_colours = pytestconfig.getoption("--axe-colours")
    if name in PAGES:
        skip_to_the_content(page)
    else:
        page.keyboard.press("Tab")
    if name in FORMS:
        fill_in_by_keyboard(page)
    found = page.evaluate(UNSEEN_FOCUS)
    assert found["stops"] > 0
    assert found["unseen"] == []
    assert page.evaluate(BUILD) == SOUND
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate(FAINT_TEXT) == [], scheme
        if scheme == "light" or with_colours:
            assert find_barriers(page, with_colours=with_colours) == [], scheme
    page.set_viewport_size({"width": 1280, "height": 900})
    assert page.evaluate(CLIPPED) == []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def fill_in_by_keyboard(page: Page) -> None:
    """Tab stops at every control of the content, down the page and then out of it."""
    page.evaluate(NOTE_STOPS)
    for _ in range(MOST_STOPS // AT_A_TIME):
        for _ in range(AT_A_TIME):
            page.keyboard.press("Tab")
        steps = page.evaluate(STEPS)
        assert steps["backward"] == []
        if steps["hasLeft"]:
            break
    assert steps["hasLeft"], "Tab does not come to an end"
    assert page.evaluate(MISSED) == []


def skip_to_the_content(page: Page) -> None:
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()


@pytest.mark.parametrize(
    "spoil, script, found",
    [
        ("outline: none !important", UNSEEN_FOCUS, "<button"),
        ("color: #999 !important; background: #888 !important", FAINT_TEXT, "Sign in"),
    ],
)
def test_it_would_see_what_is_wrong(page: Page, spoil: str, script: str, found: str) -> None:
    page.goto("/sign-in/")
    page.locator("main button").evaluate("(button, spoil) => (button.style.cssText = spoil)", spoil)
    page.keyboard.press("Tab")
    assert found in str(page.evaluate(script))


def test_it_would_see_a_barrier(page: Page) -> None:
    page.goto("/sign-in/")
    assert find_barriers(page) == []
    page.get_by_label("E-mail").evaluate("(field) => field.labels[0].remove()")
    assert [found["rule"] for found in find_barriers(page)] == ["label"]
