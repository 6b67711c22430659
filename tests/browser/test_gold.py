"""Gold in a browser: thresholds that answer at once, statements settled by keys."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.rest import Rest
from tests.browser.sessions import LONG_PATIENCE, OpenPage, press

WHATIF = "/p/demo/gold/what-if/"


def tile(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name=name, exact=True).locator(".tile__figure")


def test_it_shows_at_once_what_follows_from_a_threshold(desk: Page) -> None:
    desk.goto(WHATIF)
    expect(tile(desk, "Excluded")).to_have_text("0 assignments")
    desk.evaluate("() => (document.body.dataset.same = 'page')")
    desk.get_by_role("slider", name="Maximum disagreement with the majority").press("ArrowLeft")
    # Who moves a threshold wants its rule.
    expect(desk.get_by_label("Noisy workers")).to_be_checked()
    expect(tile(desk, "Excluded")).to_have_text("30 assignments")
    expect(desk.locator("#announcer")).to_contain_text("30 assignments excluded")
    desk.get_by_role("slider", name="Maximum disagreement with the majority").press("End")
    expect(tile(desk, "Excluded")).to_have_text("0 assignments")
    expect(desk.get_by_label("Maximum disagreement with the majority").first).to_have_value("100")
    expect(desk).to_have_url(re.compile("max_disagreement=100"))
    assert desk.evaluate("() => document.body.dataset.same") == "page"


def test_it_can_keep_nothing_where_everybody_is_left_out(desk: Page) -> None:
    desk.goto(WHATIF)
    desk.get_by_role("slider", name="Minimum per statement").press("End")
    expect(desk.locator("#no-label")).to_be_visible()
    expect(desk.locator("#keep")).to_be_disabled()
    expect(desk.locator("#announcer")).to_contain_text("No labels left")
    desk.get_by_label("Too fast").uncheck()
    expect(tile(desk, "Excluded")).to_have_text("0 assignments")
    expect(desk.locator("#keep")).to_be_enabled()


def test_it_is_shared_by_its_address(desk: Page) -> None:
    desk.goto(f"{WHATIF}?summary=on&tie=present&min_hits=25")
    expect(desk.get_by_label("Noisiest assignment per summary")).to_be_checked()
    expect(desk.get_by_label("Ties", exact=True)).to_have_value("present")
    expect(desk.get_by_role("spinbutton", name="Minimum HITs")).to_have_value("25")
    expect(desk.get_by_role("slider", name="Minimum HITs")).to_have_value("25")


def test_it_says_what_is_wrong_without_a_reload(desk: Page) -> None:
    desk.goto(WHATIF)
    desk.get_by_role("spinbutton", name="Seed").fill("-1")
    expect(desk.get_by_role("alert")).to_be_visible()
    desk.get_by_role("spinbutton", name="Seed").fill("1")
    expect(tile(desk, "Excluded")).to_be_visible()


def test_it_has_the_votes_compared(desk: Page) -> None:
    desk.goto(f"{WHATIF}?summary=on&seed=5")
    desk.get_by_role("link", name="Compare methods").click()
    desk.get_by_role("button", name="Compare methods").click()
    table = desk.get_by_role("group", name="Comparison of methods")
    expect(table).to_contain_text("Dawid–Skene", timeout=LONG_PATIENCE)


def test_it_settles_statements_by_keys(desk: Page) -> None:
    desk.goto("/p/demo/gold/contested/")
    statements = desk.locator("[data-statement]")
    texts = [statements.nth(place).get_by_role("heading").inner_text() for place in range(3)]
    expect(statements.nth(0)).to_have_class("card statement statement--current")
    press(desk, "j")
    press(desk, "j")
    expect(statements.nth(1)).to_have_class("card statement statement--current")
    with desk.expect_navigation():
        press(desk, "2")
    expect(desk.get_by_role("status").filter(has_text="Decided")).to_contain_text(texts[1])
    # What was third is second now, and in hand.
    expect(statements.nth(1)).to_have_class("card statement statement--current")
    expect(statements.nth(1).get_by_role("heading")).to_have_text(texts[2])
    with desk.expect_navigation():
        press(desk, "z")
    expect(statements.nth(1).get_by_role("heading")).to_have_text(texts[1])


def test_it_walks_from_a_worker_to_a_decision(desk: Page) -> None:
    desk.goto("/p/demo/gold/workers/?sort=departures")
    press(desk, "j")
    press(desk, "Enter")
    expect(desk.get_by_role("heading", level=1)).to_have_text("demo-worker-noisy")
    desk.get_by_role("textbox", name="Reason").first.fill("Guesses.")
    desk.get_by_role("button", name="Exclude", exact=True).first.click()
    expect(desk.locator(".page-head .badge")).to_have_text("✕ Excluded")
    press(desk, "z")
    expect(desk.locator(".page-head .badge")).to_have_count(0)


def test_it_needs_no_script(open_desk: OpenPage) -> None:
    plain = open_desk(java_script_enabled=False)
    plain.goto(WHATIF)
    plain.get_by_label("Noisy workers").check()
    plain.get_by_role("spinbutton", name="Maximum disagreement with the majority").fill("20")
    plain.get_by_role("button", name="Show results").click()
    expect(tile(plain, "Excluded")).to_have_text("30 assignments")
    plain.get_by_role("link", name="Compare methods").click()
    expect(plain.get_by_role("heading", level=1)).to_have_text("Aggregation methods")


@pytest.mark.parametrize(
    "width, shown, hidden", [(1440, "wide", "narrow"), (390, "narrow", "wide")]
)
def test_it_draws_for_the_screen(desk: Page, width: int, shown: str, hidden: str) -> None:
    desk.set_viewport_size({"width": width, "height": 900})
    desk.goto(WHATIF)
    expect(desk.locator(f".plot--{shown}")).to_be_visible()
    expect(desk.locator(f".plot--{hidden}")).to_be_hidden()


def test_a_matrix_is_printed_whole(desk: Page, rest: Rest) -> None:
    """A system's name stays one vertical line; its single letters would be a column each."""
    desk.set_viewport_size({"width": 720, "height": 1000})
    desk.emulate_media(media="print")
    desk.goto(f"/p/demo/gold/labels/{rest.first('demo', 'labels')}/scores/")
    systems = desk.locator(".presence__system")
    assert systems.count() == 5
    for place in range(5):
        box = systems.nth(place).bounding_box()
        assert box is not None
        assert box["width"] < 30
    assert desk.evaluate("document.documentElement.scrollWidth") <= 720
