"""A browser on the running product: pages of visitors and of the signed-in demo account."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.corpora import reading_corpus, write_big_corpus
from tests.browser.rest import Rest
from tests.browser.sessions import OpenPage, sign_in, watched_pages
from tests.servers import Product

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture(scope="session")
def signed_in(browser: Browser, product: Product) -> Any:
    """The cookies of a session of the demo account. Tests that sign out make their own."""
    with watched_pages(browser, product.base_url) as open_page:
        page = open_page()
        page.goto("/sign-in/")
        sign_in(page)
        return page.context.storage_state()


@pytest.fixture
def page(browser: Browser, product: Product) -> Iterator[Page]:
    """A visitor's page: nobody is signed in."""
    with watched_pages(browser, product.base_url) as open_page:
        yield open_page()


@pytest.fixture
def open_desk(browser: Browser, product: Product, signed_in: Any) -> Iterator[OpenPage]:
    """Opens pages of the demo account with options of the browser's."""
    with watched_pages(browser, product.base_url, storage_state=signed_in) as open_page:
        yield open_page


@pytest.fixture
def desk(open_desk: OpenPage) -> Page:
    """A page of the signed-in demo account."""
    return open_desk()


@pytest.fixture(scope="session")
def rest(browser: Browser, product: Product, signed_in: Any) -> Iterator[Rest]:
    cookies = {cookie["name"]: cookie["value"] for cookie in signed_in["cookies"]}
    headers = {"X-CSRFToken": cookies["csrftoken"], "Referer": f"{product.base_url}/"}
    context = browser.new_context(base_url=product.base_url, storage_state=signed_in)
    yield Rest(context.request, headers)
    context.close()


@pytest.fixture(scope="session")
def reading(rest: Rest) -> str:
    """A project with three pages of examples, awkward ones among them. Nobody changes it."""
    slug = rest.make_project("reading", "Reading")
    rest.bring_in(slug, "reading.jsonl", reading_corpus())
    return slug


@pytest.fixture(scope="session")
def example_ids(rest: Rest, reading: str) -> dict[str, int]:
    """The ids of the first examples of the reading project, by key."""
    return {row["key"]: row["id"] for row in rest.get(f"projects/{reading}/examples/")["results"]}


@pytest.fixture(scope="session")
def big_corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_big_corpus(tmp_path_factory.mktemp("big") / "big.jsonl")
