"""Opening pages on a running product, and signing in on them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

from tests.browser.watch import Watch

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

EMAIL, PASSWORD = "demo@example.org", "pyramid-demo"
# A busy machine may be slow; what a worker does takes longer still.
PATIENCE = 60_000
LONG_PATIENCE = 120_000

# What moves is drawn anew at every step of it, which nobody here looks at.
STILL: Any = {"reduced_motion": "reduce"}

OpenPage = Callable[..., "Page"]


@contextlib.contextmanager
def watched_pages(browser: Browser, home: str, **defaults: Any) -> Iterator[OpenPage]:
    """Pages in contexts of their own; all are closed, and their faults told, at the end."""
    expect.set_options(timeout=PATIENCE)
    watch = Watch(home)
    with contextlib.ExitStack() as stack:

        def open_page(**options: Any) -> Page:
            context = browser.new_context(base_url=home, **{**STILL, **defaults, **options})
            stack.callback(context.close)
            context.set_default_timeout(PATIENCE)
            watch.follow(context)
            return context.new_page()

        yield open_page
    watch.check()


class Seat:
    """A context that tests use one after the other.

    Scripts and styles that it has fetched once stay fetched; what a test left in it goes.
    """

    def __init__(self, browser: Browser, home: str, cookies: Any = None) -> None:
        expect.set_options(timeout=PATIENCE)
        self.home = home
        self.cookies = cookies["cookies"] if cookies else []
        self.context = browser.new_context(base_url=home, **STILL)
        self.context.set_default_timeout(PATIENCE)
        self.watch = Watch(home)
        self.watch.follow(self.context)
        # Keeps the process that shows our pages, which would end with the last of them.
        self.first = self.context.new_page()
        self.first.goto("/healthz")

    @contextlib.contextmanager
    def pages(self) -> Iterator[OpenPage]:
        """Opens pages as if nobody had sat here before; tells of their faults at the end."""
        self._tidy()
        first = [self._page_without_memory()]
        yield lambda: first.pop() if first else self.context.new_page()
        self._close_pages()
        self.watch.check()

    def _close_pages(self) -> None:
        for page in self.context.pages:
            if page is not self.first:
                page.close()

    def _tidy(self) -> None:
        self._close_pages()
        self.watch.faults.clear()
        self.context.set_offline(False)
        self.context.clear_permissions()
        self.context.clear_cookies()
        self.context.add_cookies(self.cookies)

    def _page_without_memory(self) -> Page:
        page = self.context.new_page()
        session = self.context.new_cdp_session(page)
        forgotten = {"origin": self.home, "storageTypes": "local_storage"}
        session.send("Storage.clearDataForOrigin", forgotten)
        session.detach()
        return page


def sign_in(page: Page, email: str = EMAIL, password: str = PASSWORD) -> None:
    """Fill in the sign-in form that is shown, and wait until it has let us in."""
    page.get_by_label("E-mail").fill(email)
    page.get_by_label("Password").fill(password)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Sign out").wait_for()


def cookies_of(browser: Browser, home: str, email: str = EMAIL) -> Any:
    """What a browser keeps of somebody who has signed in."""
    with watched_pages(browser, home) as open_page:
        page = open_page()
        page.goto("/sign-in/")
        sign_in(page, email)
        return page.context.storage_state()


def press(page: Page, *keys: str) -> None:
    """Keys, once the scripts of the page that is shown listen to them."""
    page.wait_for_load_state("load")
    for key in keys:
        page.keyboard.press(key)


def path_of(page: Page) -> str:
    """The address of the page without the server, which differs from run to run."""
    return "/" + page.url.split("/", 3)[3]
