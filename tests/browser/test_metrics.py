"""Choosing several metrics: all of them or none at once, by keys and by mouse."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.sessions import press


def test_it_chooses_all_or_none_at_once(desk: Page) -> None:
    desk.goto("/p/demo/metrics/several/")
    boxes = desk.locator("input[name=metrics]")
    ticked = desk.locator("input[name=metrics]:checked")
    told = desk.locator("[data-choose-count]")
    count = boxes.count()
    expect(told).to_have_text(f"{ticked.count()} of {count} selected")
    assert 0 < ticked.count() < count
    press(desk, "a")
    expect(told).to_have_text(f"{count} of {count} selected")
    press(desk, "0")
    expect(told).to_have_text(f"0 of {count} selected")
    desk.get_by_label("rouge", exact=False).first.check()
    expect(told).to_have_text(f"1 of {count} selected")
    desk.locator("[data-choose=all]").click()
    expect(ticked).to_have_count(count)
