"""Nothing typed in the studio is lost: not with the server, the browser or the session."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, Route, expect

from tests.browser.mortal import Mortal
from tests.browser.rest import rest_of
from tests.browser.sessions import LONG_PATIENCE, cookies_of, sign_in, watched_pages
from tests.browser.studio import Studio


@pytest.fixture(scope="module")
def paths(browser: Browser, mortal: Mortal, mortal_cookies: Any) -> list[str]:
    """The addresses of the demo's first examples in a new set."""
    with rest_of(browser, mortal.base_url, mortal_cookies) as rest:
        made = rest.post("projects/demo/unit-sets/", data={"name": "outage"})["id"]
        examples = rest.get("projects/demo/examples/")["results"][:5]
    return [f"/p/demo/units/{made}/examples/{row['id']}/" for row in examples]


@pytest.fixture
def page(mortal_page: Page) -> Page:
    return mortal_page


@pytest.fixture
def leaving(browser: Browser, mortal: Mortal) -> Iterator[Page]:
    """A page with a sign-in of its own, which it may end."""
    cookies = cookies_of(browser, mortal.base_url)
    with watched_pages(browser, mortal.base_url, storage_state=cookies) as open_page:
        yield open_page()


def test_it_keeps_what_is_typed_while_the_server_is_dead(
    page: Page, mortal: Mortal, paths: list[str]
) -> None:
    """On a page that stays, and on one that is loaded again in vain."""
    studio, context = Studio(page).open(paths[0]), page.context
    reloaded = Studio(context.new_page()).open(paths[1])
    reloaded.press("n", "Control+a").type("Marshes store carbon").expect_saved()
    page.bring_to_front()
    studio.press("n", "Control+a").type("Tram line 7 reopens")
    studio.expect_saved()
    mortal.kill()
    studio.type(" on Monday.").press("Enter").type(" It was long")
    expect(studio.saved).to_contain_text("Offline: kept on this device, ")
    expect(studio.saved).to_contain_text("changes waiting")
    draft = studio.field.input_value()
    type_and_reload(reloaded)
    mortal.start_again()
    page.bring_to_front()
    expect(studio.saved).to_contain_text("Saved", timeout=LONG_PATIENCE)
    studio.press("Escape", "l")
    studio.expect_texts("Tram line 7 reopens on Monday.", draft)
    page.reload()
    studio.ready().press("l").expect_texts("Tram line 7 reopens on Monday.", draft)
    reopened = Studio(context.new_page()).open(paths[1]).press("l")
    reopened.expect_texts("Marshes store carbon twice as fast", "Unfinis").expect_saved()


def type_and_reload(studio: Studio) -> None:
    """The server is dead; the page is gone before it is back, as a browser may load it again."""
    studio.page.bring_to_front()
    studio.type(" twice as fast").press("Shift+Enter", "n", "Control+a").type("Unfinis")
    with pytest.raises(Error, match="net::ERR_"):
        studio.page.reload()
    studio.page.close()


def open_once_dead(context: BrowserContext, path: str) -> Studio:
    """The page in a new tab. A renderer that is still going down may take one attempt with it."""
    try:
        return Studio(context.new_page()).open(path)
    except Error as error:
        if "net::ERR_ABORTED" not in error.message:
            raise
    return Studio(context.new_page()).open(path)


def test_it_finds_what_was_typed_when_the_browser_died(page: Page, paths: list[str]) -> None:
    page.clock.install(time=0)
    Studio(page).open(paths[1])
    page.clock.pause_at(600_000)  # no pause in typing is long enough for a save
    Studio(page).press("n", "Control+a").type("Half a sen")
    with pytest.raises(Error, match="crash"):
        page.goto("chrome://crash")
    context = page.context
    page.close()
    studio = open_once_dead(context, paths[1])
    expect(studio.field).to_have_value("Half a sen")
    studio.type("tence").press("Escape").expect_saved()
    expect(studio.texts.filter(has_text="Half a sentence")).to_be_visible()


def test_it_keeps_what_is_typed_after_a_sign_out(leaving: Page, paths: list[str]) -> None:
    studio = Studio(leaving).open(paths[2])
    studio.press("n", "Control+a").type("Kelderby won").expect_saved()
    other = leaving.context.new_page()
    other.goto("/account/")
    other.get_by_role("button", name="Sign out").press("Enter")
    other.get_by_label("E-mail").wait_for()
    studio.type(" after extra time.")
    expect(studio.saved).to_contain_text("Signed out: sign in again, your text is kept")
    leaving.reload()
    sign_in(leaving)
    studio.ready().expect_texts("Kelderby won after extra time.").expect_saved()
    leaving.reload()
    studio.ready().expect_texts("Kelderby won after extra time.")


class LostAnswers:
    """While it is deaf, the server hears what the page sends, and the page hears nothing."""

    def __init__(self, page: Page) -> None:
        self.is_deaf = False
        self.ops: list[str] = []
        page.route("**/ops/", self._hear)
        page.route("**/comments/", self._hear)
        page.route("**/changes/*", self._tell)

    def _hear(self, route: Route) -> None:
        if not self.is_deaf:
            route.continue_()
            return
        route.fetch()
        sent = route.request.post_data_json or {}
        self.ops.append(str(sent["op"]))
        route.abort()

    def _tell(self, route: Route) -> None:
        if self.is_deaf:
            route.abort()
        else:
            route.continue_()


def test_it_makes_once_what_was_heard_but_not_answered(page: Page, paths: list[str]) -> None:
    answers = LostAnswers(page)
    studio = Studio(page).open(paths[3])
    answers.is_deaf = True
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/ops/")):
        studio.press("n", "Control+a").put("Heard but not answered")
    expect(studio.saved).to_contain_text("Offline: kept on this device, 1 change waiting")
    answers.is_deaf = False
    studio.type(", once.").press("Shift+Enter").expect_saved()
    answers.is_deaf = True
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/comments/")):
        studio.press("r").type("Is it so?").press("Enter")
    expect(studio.saved).to_contain_text("Offline: kept on this device, 1 change waiting")
    expect(page.locator(".comment")).to_contain_text(["Not sent yet"])
    answers.is_deaf = False
    studio.expect_saved()
    expect(page.locator(".comment")).to_contain_text(["Open"])
    page.reload()
    studio.ready().press("l").expect_texts("Heard but not answered, once.")
    expect(page.locator(".comment")).to_have_count(1)
    assert len(set(answers.ops)) == 2


def test_it_sends_from_the_next_page_what_the_last_could_not(page: Page, paths: list[str]) -> None:
    studio = Studio(page).open(paths[4])
    page.context.set_offline(True)
    studio.press("n").type(" Really.").press("Escape")
    expect(studio.saved).to_contain_text("Offline")
    page.context.set_offline(False)
    studio.open(paths[0]).expect_saved()
    assert page.evaluate("Object.keys(localStorage).filter((name) => name.includes('/op/'))") == []
    studio.open(paths[4]).press("l")
    expect(studio.texts).to_have_count(1)
