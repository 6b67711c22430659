"""The steps of an import that several stories take."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.sessions import LONG_PATIENCE
from tests.servers import Product, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import FilePayload, Locator, Page


def file_of(name: str, data: bytes) -> FilePayload:
    return {"name": name, "mimeType": "application/octet-stream", "buffer": data}


def send(page: Page, slug: str, files: Path | FilePayload) -> None:
    """Choose the files and have them checked."""
    page.goto(f"/p/{slug}/imports/new/")
    page.get_by_label("Corpus files").set_input_files(files)
    page.get_by_role("button", name="Check files").press("Enter")


def wait_until_ready(page: Page) -> None:
    expect(state_of(page)).to_have_text("Ready to import", timeout=LONG_PATIENCE)


def wait_until_imported(page: Page) -> None:
    expect(state_of(page)).to_have_text("Imported", timeout=LONG_PATIENCE)


@contextlib.contextmanager
def held_half_written(page: Page, product: Product) -> Iterator[None]:
    """Meanwhile some steps are written, but not all, and the page has come to show it.

    The worker stands between two steps: nobody waits for a database that it has locked.
    """
    wait_until(lambda: _has_begun(product), "some steps are written", longest_pause=0.05)
    with contextlib.ExitStack() as held:
        wait_until(
            lambda: _stands_between_steps(product, held), "it is between steps", longest_pause=0.01
        )
        _expect_half_written(page)
        yield


def _has_begun(product: Product) -> bool:
    """Asked of the database: pages look less often, and the import could be over by then."""
    begun = "SELECT 1 FROM corpora_job WHERE kind = 'write_import' AND done AND state = 'running'"
    with _database(product) as database:
        return database.execute(begun).fetchone() is not None


def _stands_between_steps(product: Product, held: contextlib.ExitStack) -> bool:
    """Stop the worker; if it was writing, let it go on."""
    held.enter_context(product.standing_worker())
    with _database(product) as database:
        try:
            database.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            held.close()
            return False
        return True


def _database(product: Product) -> contextlib.closing[sqlite3.Connection]:
    path = product.data_dir / "giza.sqlite3"
    return contextlib.closing(sqlite3.connect(path, timeout=0, isolation_level=None))


def _expect_half_written(page: Page) -> None:
    expect(page.locator("progress[value]:not([value='0'])")).to_be_visible(timeout=LONG_PATIENCE)
    expect(page.get_by_role("main")).to_contain_text("Writing")


def state_of(page: Page) -> Locator:
    """The word beside the import's name."""
    return page.locator("#import .page-head .badge")


def count_in_navigation(page: Page, name: str) -> Locator:
    return page.locator("#subnav").get_by_role("link", name=name).locator(".subnav__count")
