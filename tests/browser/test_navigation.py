"""Six areas and the project, by mouse, by keys and on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.sessions import OpenPage

AREAS = ("Corpus", "Units", "Crowd", "Gold", "Scores", "Reports", "Project")
PAGES = ("Runs", "Judges", "Estimates", "Metrics", "Disagreements", "Robustness")


@pytest.mark.parametrize("width", [1440, 1280, 390])
def test_every_area_is_in_sight(open_desk: OpenPage, reading: str, width: int) -> None:
    desk = open_desk(viewport={"width": width, "height": 844})
    desk.goto(f"/p/{reading}/estimates/")
    areas, pages = desk.locator("#subnav > ul").all()
    assert areas.get_by_role("link").all_inner_texts() == list(AREAS)
    for name in AREAS:
        expect(areas.get_by_role("link", name=name, exact=True)).to_be_in_viewport(ratio=1)
    expect(desk.get_by_role("list", name="Scores")).to_have_count(1)
    for name in PAGES:
        expect(pages.get_by_role("link", name=name, exact=True)).to_be_in_viewport(ratio=1)
    expect(areas.locator("[aria-current]")).to_have_text("Scores")
    expect(areas.locator("[aria-current]")).to_have_attribute("aria-current", "true")
    expect(pages.locator("[aria-current]")).to_have_text("Estimates")
    expect(pages.locator("[aria-current]")).to_have_attribute("aria-current", "page")
    heights = [link.bounding_box()["height"] for link in areas.get_by_role("link").all()]  # type: ignore[index]
    assert min(heights) >= (36 if width == 390 else 24)


def test_keys_lead_into_other_areas_and_along_this_one(open_desk: OpenPage, reading: str) -> None:
    desk = open_desk()
    desk.clock.install(time=0)
    desk.goto(f"/p/{reading}/estimates/")
    desk.clock.pause_at(600_000)
    go(desk, "6")
    expect(desk.get_by_role("heading", level=1)).to_have_text("Robustness")
    desk.clock.pause_at(1_200_000)
    go(desk, "w")
    expect(desk.get_by_role("list", name="Gold")).to_be_visible()
    expect(desk.locator("#subnav [aria-current=page]")).to_have_text("What-if")


def go(desk: Page, key: str) -> None:
    with desk.expect_navigation():
        desk.keyboard.press("g")
        desk.keyboard.press(key)
    desk.keyboard.press("Escape")
