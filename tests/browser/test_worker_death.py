"""A worker that is killed half-way costs nobody anything, and the page says so by itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.corpora import BIG_EXAMPLES
from tests.browser.importing import (
    count_in_navigation,
    send,
    wait_until_half_written,
    wait_until_imported,
    wait_until_ready,
)
from tests.browser.sessions import sign_in, watched_pages
from tests.servers import Product


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Product]:
    """A product of this test's own, whose jobs are soon taken up again."""
    running = Product.at(tmp_path / "var", JOB_LEASE_SECONDS=2, JOB_SWEEP_SECONDS=1).start()
    yield running
    running.stop()


@pytest.fixture
def own_page(browser: Browser, own: Product) -> Iterator[Page]:
    with watched_pages(browser, own.base_url) as open_page:
        page = open_page()
        page.goto("/sign-in/")
        sign_in(page)
        yield page


def kill_worker(product: Product) -> None:
    """Kill Celery and its pool, all at once, as a machine short of memory does."""
    children = psutil.Process(product.part.process.pid).children()
    (worker,) = (child for child in children if "worker" in child.cmdline())
    for process in [worker, *worker.children(recursive=True)]:
        process.kill()


def test_it_finishes_the_import_whose_worker_was_killed(
    own: Product, own_page: Page, big_corpus: Path
) -> None:
    own_page.goto("/p/demo/")
    before = int(count_in_navigation(own_page, "Examples").inner_text())
    send(own_page, "demo", big_corpus)
    wait_until_ready(own_page)
    own_page.keyboard.press("w")
    wait_until_half_written(own_page)
    kill_worker(own)
    wait_until_imported(own_page)
    expect(count_in_navigation(own_page, "Examples")).to_have_text(f"{before + BIG_EXAMPLES:,}")
    own_page.goto("/p/demo/jobs/")
    own_page.get_by_role("link", name="Import big.jsonl").press("Enter")
    expect(own_page.locator(".log")).to_contain_text("Taken up again, attempt 2.")
