"""Everything that matters works in a browser that runs no script."""

from __future__ import annotations

from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.corpora import line_files, zipped
from tests.browser.importing import count_in_navigation, file_of, send, state_of
from tests.browser.rest import Rest
from tests.browser.sessions import OpenPage, sign_in, watched_pages
from tests.servers import Product, wait_until


def reload_until(page: Page, place: Locator, words: str) -> None:
    def shows() -> bool:
        page.goto(page.url)
        return place.inner_text() == words

    wait_until(shows, f"the page says {words}")


def test_it_signs_in_browses_and_searches(browser: Browser, product: Product, reading: str) -> None:
    with watched_pages(browser, product.base_url, java_script_enabled=False) as open_page:
        plain = open_page()
        plain.goto("/sign-in/")
        sign_in(plain)
        browse_and_search(plain)


def browse_and_search(plain: Page) -> None:
    plain.get_by_role("link", name="Reading", exact=True).click()
    plain.locator("#subnav").get_by_role("link", name="Corpus").click()
    plain.get_by_label("Search", exact=True).fill("volunteers")
    plain.get_by_label("Search", exact=True).press("Enter")
    expect(plain.locator("#example-rows tbody tr")).to_have_count(1)
    plain.get_by_role("link", name="lighthouse").click()
    expect(plain.get_by_role("heading", level=1)).to_have_text("lighthouse")
    plain.locator("#sentence-1-2").click()
    expect(plain.locator(".legend")).to_contain_text("sentence 2")
    expect(plain.locator(".summary mark")).to_have_text(["volunteers"])


def test_it_imports_and_shows_the_result_after_a_reload(open_desk: OpenPage, rest: Rest) -> None:
    plain = open_desk(java_script_enabled=False)
    slug = rest.make_project("plain")
    send(plain, slug, file_of("corpus.zip", zipped(line_files())))
    expect(state_of(plain)).to_be_visible()
    reload_until(plain, state_of(plain), "Ready to import")
    with plain.expect_navigation():
        plain.get_by_role("button", name="Import 3 examples").click()
    reload_until(plain, state_of(plain), "Imported")
    # A page that was begun before the import was over may have counted too early.
    reload_until(plain, count_in_navigation(plain, "Examples"), "3")
