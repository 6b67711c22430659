"""`python -m tests.screenshots`: take the pictures that README shows, from the running demo."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, sync_playwright

from tests.conftest import CHROMIUM_OPTIONS, CHROMIUMS
from tests.servers import ROOT, Product

FOLDER = ROOT / "docs" / "screenshots"
EMAIL, PASSWORD = "demo@example.org", "pyramid-demo"
# name, page (None: the first example), width, height, colour scheme
PICTURES: list[tuple[str, str | None, int, int, Literal["light", "dark"]]] = [
    ("overview", "/p/demo/", 1440, 860, "light"),
    ("example", None, 1440, 1000, "light"),
    ("example-dark", None, 1440, 1000, "dark"),
    ("example-phone", None, 390, 844, "light"),
    ("studio", "/p/demo/units/1/next/", 1440, 900, "light"),
]


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = next(filter(None, map(shutil.which, CHROMIUMS)))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        product = Product.at(Path(folder) / "var").start()
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_OPTIONS)
        try:
            for picture in PICTURES:
                take(browser, product.base_url, *picture)
        finally:
            browser.close()
            product.stop()


def take(
    browser: Browser,
    base: str,
    name: str,
    address: str | None,
    width: int,
    height: int,
    scheme: Literal["light", "dark"],
) -> None:
    context = browser.new_context(
        base_url=base, viewport={"width": width, "height": height}, color_scheme=scheme
    )
    page = context.new_page()
    sign_in(page, base)
    if address is None:
        page.goto("/p/demo/examples/")
        page.locator("[data-row] a").first.click()
    else:
        page.goto(address)
    page.wait_for_load_state("networkidle")
    page.screenshot(path=FOLDER / f"{name}.png")
    context.close()


def sign_in(page: Page, base: str) -> None:
    page.goto("/sign-in/")
    page.fill("[name=username]", EMAIL)
    page.fill("[name=password]", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{base}/")


if __name__ == "__main__":
    main()
