"""The keys: listed behind `?`, switched off by choice, and silent while somebody types."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.browser.sessions import OpenPage, path_of, press


def keys_of(page: Page) -> Locator:
    return page.get_by_role("dialog", name="Keyboard shortcuts")


def test_it_lists_the_keys_of_the_page_and_gives_the_focus_back(desk: Page, reading: str) -> None:
    desk.goto(f"/p/{reading}/examples/")
    desk.keyboard.press("j")
    expect(desk.get_by_role("link", name="lighthouse")).to_be_focused()
    desk.keyboard.press("?")
    expect(keys_of(desk)).to_be_visible()
    for words in ("Search", "Next or previous row", "Next page", "Systems", "Show this list"):
        expect(keys_of(desk).get_by_text(words, exact=True)).to_be_visible()
    desk.keyboard.press("Escape")
    expect(keys_of(desk)).to_be_hidden()
    expect(desk.get_by_role("link", name="lighthouse")).to_be_focused()


def test_it_opens_the_list_from_its_button(desk: Page, reading: str) -> None:
    desk.goto(f"/p/{reading}/")
    button = desk.get_by_role("button", name="Keyboard shortcuts")
    button.press("Enter")
    expect(keys_of(desk)).to_be_visible()
    keys_of(desk).get_by_role("button", name="Close").press("Enter")
    expect(keys_of(desk)).to_be_hidden()
    expect(button).to_be_focused()


def test_it_goes_to_pages_by_two_keys(open_desk: OpenPage, reading: str) -> None:
    desk = open_desk()
    desk.clock.install(time=0)
    desk.goto(f"/p/{reading}/")
    desk.clock.pause_at(600_000)  # however slow the machine is, the second key comes in time
    desk.keyboard.press("g")
    desk.keyboard.press("s")
    expect(desk.get_by_role("heading", level=1)).to_have_text("Systems")


def test_it_switches_single_keys_off_and_on(desk: Page, reading: str) -> None:
    desk.goto(f"/p/{reading}/examples/")
    desk.keyboard.press("?")
    keys_of(desk).get_by_label("Use single-key shortcuts on this device").press("Space")
    desk.keyboard.press("Escape")
    desk.reload()
    search = desk.get_by_role("searchbox")
    desk.keyboard.press("j")
    desk.keyboard.press("/")
    desk.keyboard.press("?")
    expect(search).not_to_be_focused()
    expect(desk.locator("[data-row] a:focus")).to_have_count(0)
    expect(keys_of(desk)).to_be_hidden()
    desk.get_by_role("button", name="Keyboard shortcuts").press("Enter")
    keys_of(desk).get_by_label("Use single-key shortcuts on this device").press("Space")
    desk.keyboard.press("Escape")
    desk.keyboard.press("/")
    expect(search).to_be_focused()


def test_it_leaves_keys_alone_that_are_typed_into_a_field(desk: Page, reading: str) -> None:
    desk.goto(f"/p/{reading}/examples/")
    start = path_of(desk).split("?")[0]
    search = desk.get_by_role("searchbox")
    search.focus()
    desk.keyboard.type("jknpixut?/g s")
    expect(search).to_have_value("jknpixut?/g s")
    expect(desk.get_by_role("heading", name="No results")).to_be_visible()
    expect(keys_of(desk)).to_be_hidden()
    expect(search).to_be_focused()
    assert path_of(desk).split("?")[0] == start
    assert desk.evaluate("document.documentElement.dataset.theme") is None


def test_it_leaves_the_browsers_own_keys_alone(desk: Page, reading: str) -> None:
    desk.goto(f"/p/{reading}/examples/")
    desk.keyboard.press("Control+j")
    desk.keyboard.press("Alt+j")
    expect(desk.locator("[data-row] a:focus")).to_have_count(0)


def test_it_finds_things_from_any_page_of_a_project(desk: Page, reading: str) -> None:
    desk.goto(f"/p/{reading}/systems/")
    desk.keyboard.press("/")
    expect(desk.get_by_label("Search this project")).to_be_focused()
    desk.keyboard.type("not bold")
    desk.keyboard.press("Enter")
    expect(desk.get_by_role("heading", level=1)).to_contain_text("not bold")
    expect(desk.locator("mark.hit").first).to_have_text("not bold")
    press(desk, "j")
    expect(desk.get_by_role("link", name="hostile").first).to_be_focused()


def test_it_lets_a_new_projects_address_follow_its_name(desk: Page) -> None:
    desk.goto("/projects/new/")
    address = desk.get_by_label("Address")
    desk.get_by_label("Name").fill("Türme & Dämme, 2026")
    expect(address).to_have_value("turme-damme-2026")
    address.fill("towers")
    desk.get_by_label("Name").fill("Towers and dams")
    expect(address).to_have_value("towers")


def test_the_list_is_in_the_language_of_the_catalogue(open_desk: OpenPage, reading: str) -> None:
    desk = open_desk()
    # As Django's catalogue of scripts has it, for a language of brackets.
    desk.add_init_script("globalThis.django = { gettext: (message) => `⟦${message}⟧` };")
    desk.goto(f"/p/{reading}/examples/")
    desk.keyboard.press("?")
    expect(keys_of(desk).get_by_text("⟦Show this list⟧")).to_be_visible()
