"""A requester with a script, and a worker in Chromium who does what it publishes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.rest import Rest
from tests.browser.workers import make_market, worker_at
from tests.servers import Product

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture(scope="session")
def market(product: Product) -> Any:
    return make_market(product)


@pytest.fixture
def worker_page(browser: Browser, product: Product, rest: Rest) -> Iterator[Page]:
    with worker_at(browser, product, rest) as page:
        yield page
