"""An example: its document, its reference by sentence, and what each system made of it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.corpora import HEBREW, HOSTILE
from tests.browser.sessions import path_of, press


@pytest.fixture
def example(desk: Page, reading: str, example_ids: dict[str, int]) -> Page:
    """The example whose reference has three sentences."""
    desk.goto(f"/p/{reading}/examples/{example_ids['lighthouse']}/")
    return desk


def summary_of(page: Page, system: str) -> Locator:
    return page.locator(".summary").filter(has=page.get_by_role("link", name=system))


def systems_shown(page: Page) -> Locator:
    return page.locator(".summary h3")


def test_it_looks_at_one_sentence_at_a_time(example: Page) -> None:
    alpha, beta = summary_of(example, "alpha"), summary_of(example, "beta")
    legend = example.locator(".legend")
    expect(legend).to_contain_text("the whole reference")
    expect(alpha.locator("mark.phrase").first).to_be_visible()
    press(example, "2")
    expect(legend).to_contain_text("sentence 2")
    expect(example.locator("#sentence-1-2")).to_have_attribute("aria-current", "true")
    expect(alpha.locator("mark")).to_have_count(0)
    expect(beta.locator("mark")).to_have_text(["volunteers"])
    assert path_of(example).endswith("?reference=1&sentence=2")
    press(example, "0")
    expect(legend).to_contain_text("the whole reference")
    expect(alpha.locator("mark.phrase").first).to_be_visible()
    expect(example.locator("[id^=sentence][aria-current]")).to_have_count(0)


def test_it_keeps_the_sentence_over_a_reload_and_back(example: Page) -> None:
    press(example, "2")
    expect(example.locator(".legend")).to_contain_text("sentence 2")
    press(example, "3")
    expect(example.locator(".legend")).to_contain_text("sentence 3")
    example.reload()
    expect(example.locator(".legend")).to_contain_text("sentence 3")
    example.go_back()
    expect(example.locator(".legend")).to_contain_text("sentence 2")


def test_it_sorts_by_coverage_and_by_name(example: Page) -> None:
    expect(systems_shown(example)).to_have_text(["alpha", "beta", "gamma"])
    press(example, "3")
    expect(example.locator(".legend")).to_contain_text("sentence 3")
    press(example, "o")
    expect(systems_shown(example)).to_have_text(["beta", "alpha", "gamma"])
    expect(example.locator(".legend")).to_contain_text("sentence 3")
    press(example, "o")
    expect(systems_shown(example)).to_have_text(["alpha", "beta", "gamma"])


def test_it_walks_to_the_neighbours(example: Page) -> None:
    heading = example.get_by_role("heading", level=1)
    press(example, "l")
    expect(heading).to_have_text("hostile")
    press(example, "ArrowRight")
    expect(heading).to_have_text("hebrew")
    press(example, "h")
    expect(heading).to_have_text("hostile")
    press(example, "ArrowLeft")
    expect(heading).to_have_text("lighthouse")
    press(example, "u")
    expect(heading).to_have_text("Examples")


def test_it_folds_the_document(example: Page) -> None:
    text = example.get_by_text("More was said on the day.")
    expect(text).to_be_visible()
    press(example, "d")
    expect(text).to_be_hidden()
    press(example, "d")
    expect(text).to_be_visible()


def test_it_says_that_a_summary_is_empty(example: Page) -> None:
    expect(summary_of(example, "gamma")).to_contain_text("empty summary")
    expect(summary_of(example, "alpha")).not_to_contain_text("empty summary")


def test_it_shows_markup_in_a_text_as_text(
    desk: Page, reading: str, example_ids: dict[str, int]
) -> None:
    desk.goto(f"/p/{reading}/examples/{example_ids['hostile']}/")
    expect(summary_of(desk, "alpha").locator(".summary__text")).to_have_text(HOSTILE)
    expect(desk.locator(".sentence__text").first).to_contain_text("</script>")
    expect(desk.get_by_role("main").locator("img, b, script")).to_have_count(0)
    press(desk, "1")
    expect(desk.locator(".legend")).to_contain_text("sentence 1")
    expect(summary_of(desk, "alpha").locator(".summary__text")).to_have_text(HOSTILE)
    expect(desk.get_by_role("main").locator("img, b, script")).to_have_count(0)


def test_it_sets_each_text_in_its_own_direction(
    desk: Page, reading: str, example_ids: dict[str, int]
) -> None:
    desk.goto(f"/p/{reading}/examples/{example_ids['hebrew']}/")
    places = desk.locator(".sentence__text, .summary__text, .document p")
    assert places.count() >= 5
    for place in places.all():
        expect(place).to_have_attribute("dir", "auto")
        expect(place).to_have_css("direction", "rtl")
    expect(summary_of(desk, "alpha").locator(".summary__text")).to_have_text(HEBREW)
