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
PATIENCE = 15_000
# For what a worker does: a busy machine may be slow.
LONG_PATIENCE = 90_000

OpenPage = Callable[..., "Page"]


@contextlib.contextmanager
def watched_pages(browser: Browser, home: str, **defaults: Any) -> Iterator[OpenPage]:
    """Pages in contexts of their own; all are closed, and their faults told, at the end."""
    expect.set_options(timeout=PATIENCE)
    watch = Watch(home)
    with contextlib.ExitStack() as stack:

        def open_page(**options: Any) -> Page:
            context = browser.new_context(base_url=home, **{**defaults, **options})
            stack.callback(context.close)
            context.set_default_timeout(PATIENCE)
            watch.follow(context)
            return context.new_page()

        yield open_page
    watch.check()


def sign_in(page: Page, email: str = EMAIL, password: str = PASSWORD) -> None:
    """Fill in the sign-in form that is shown, and wait until it has let us in."""
    page.get_by_label("E-mail").fill(email)
    page.get_by_label("Password").fill(password)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Sign out").wait_for()


def path_of(page: Page) -> str:
    """The address of the page without the server, which differs from run to run."""
    return "/" + page.url.split("/", 3)[3]
