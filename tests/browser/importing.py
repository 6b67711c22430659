"""The steps of an import that several stories take."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.sessions import LONG_PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import FilePayload, Locator, Page


def file_of(name: str, data: bytes) -> FilePayload:
    return {"name": name, "mimeType": "application/octet-stream", "buffer": data}


def send(page: Page, slug: str, files: Path | FilePayload) -> None:
    """Choose the files and have them checked."""
    page.goto(f"/p/{slug}/imports/new/")
    page.get_by_label("Files with the texts").set_input_files(files)
    page.get_by_role("button", name="Check the files").press("Enter")


def wait_until_ready(page: Page) -> None:
    expect(state_of(page)).to_have_text("Ready to import", timeout=LONG_PATIENCE)


def wait_until_imported(page: Page) -> None:
    expect(state_of(page)).to_have_text("Imported", timeout=LONG_PATIENCE)


def wait_until_half_written(page: Page) -> None:
    """Some steps are written, but not all."""
    expect(page.locator("progress[value]:not([value='0'])")).to_be_visible(timeout=LONG_PATIENCE)
    expect(page.get_by_role("main")).to_contain_text("Writing")


def state_of(page: Page) -> Locator:
    """The word beside the import's name."""
    return page.locator("#import .page-head .badge")


def count_in_navigation(page: Page, name: str) -> Locator:
    return page.locator("#subnav").get_by_role("link", name=name).locator(".subnav__count")
