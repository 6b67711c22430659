"""Light and dark: system default has it, or as somebody chose, from the first paint on."""

from __future__ import annotations

from typing import Literal

import pytest
from playwright.sync_api import Page, expect

GROUND = {"light": "rgb(250, 248, 244)", "dark": "rgb(20, 22, 26)"}
# Runs before any script of ours, and writes down the theme when the body first appears.
NOTE_FIRST_THEME = """
  new MutationObserver((_, observer) => {
    if (!document.body) return;
    window.firstTheme = document.documentElement.dataset.theme ?? "system";
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true });
"""


def theme_of(page: Page) -> str | None:
    theme: str | None = page.evaluate("document.documentElement.dataset.theme ?? null")
    return theme


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_follows_the_system(desk: Page, scheme: Literal["light", "dark"]) -> None:
    desk.emulate_media(color_scheme=scheme)
    desk.goto("/")
    assert theme_of(desk) is None
    expect(desk.locator("html")).to_have_css("background-color", GROUND[scheme])


def test_it_goes_round_by_key_and_says_where_it_is(desk: Page) -> None:
    desk.emulate_media(color_scheme="light")
    desk.goto("/")
    button = desk.locator("[data-theme-toggle]")
    for name, ground in [("light", "light"), ("dark", "dark"), ("system default", "light")]:
        desk.keyboard.press("t")
        expect(button).to_have_accessible_name(f"Theme: {name}. Change theme.")
        expect(desk.locator("html")).to_have_css("background-color", GROUND[ground])


def test_it_keeps_the_chosen_theme_from_the_first_paint_on(desk: Page) -> None:
    desk.emulate_media(color_scheme="light")
    desk.add_init_script(NOTE_FIRST_THEME)
    desk.goto("/")
    assert desk.evaluate("window.firstTheme") == "system"
    desk.keyboard.press("t")
    desk.keyboard.press("t")
    expect(desk.locator("html")).to_have_attribute("data-theme", "dark")
    desk.reload()
    assert desk.evaluate("window.firstTheme") == "dark"
    expect(desk.locator("html")).to_have_css("background-color", GROUND["dark"])
    desk.goto("/glossary/")
    assert desk.evaluate("window.firstTheme") == "dark"


def test_it_keeps_the_theme_on_pages_without_the_button(desk: Page) -> None:
    desk.emulate_media(color_scheme="light")
    desk.goto("/")
    desk.keyboard.press("t")
    desk.keyboard.press("t")
    desk.goto("/no-such-page/")
    assert theme_of(desk) == "dark"
    expect(desk.locator("html")).to_have_css("background-color", GROUND["dark"])


def test_paper_is_light_whatever_was_chosen(desk: Page) -> None:
    desk.emulate_media(color_scheme="dark")
    desk.goto("/")
    desk.keyboard.press("t")
    desk.keyboard.press("t")
    expect(desk.locator("html")).to_have_css("background-color", GROUND["dark"])
    desk.emulate_media(color_scheme="dark", media="print")
    expect(desk.locator("html")).to_have_css("background-color", GROUND["light"])
