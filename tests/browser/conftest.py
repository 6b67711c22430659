"""A browser on the running product: pages of visitors and of the signed-in demo account."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.corpora import reading_corpus, write_big_corpus
from tests.browser.mortal import Mortal
from tests.browser.rest import Rest, rest_of
from tests.browser.sessions import OpenPage, Seat, cookies_of, watched_pages
from tests.browser.task_app import TaskApp, running_app
from tests.browser.workers import make_market, worker_at
from tests.servers import Product

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page


@pytest.fixture(scope="session")
def signed_in(browser: Browser, product: Product) -> Any:
    """The cookies of a session of the demo account. Tests that sign out make their own."""
    return cookies_of(browser, product.base_url)


@pytest.fixture(scope="session")
def visitors_seat(browser: Browser, product: Product) -> Iterator[Seat]:
    seat = Seat(browser, product.base_url)
    yield seat
    seat.context.close()


@pytest.fixture(scope="session")
def members_seat(browser: Browser, product: Product, signed_in: Any) -> Iterator[Seat]:
    seat = Seat(browser, product.base_url, signed_in)
    yield seat
    seat.context.close()


@pytest.fixture
def page(visitors_seat: Seat) -> Iterator[Page]:
    """A visitor's page: nobody is signed in."""
    with visitors_seat.pages() as open_page:
        yield open_page()


@pytest.fixture
def desk(members_seat: Seat) -> Iterator[Page]:
    """A page of the signed-in demo account."""
    with members_seat.pages() as open_page:
        yield open_page()


@pytest.fixture
def open_desk(browser: Browser, product: Product, signed_in: Any) -> Iterator[OpenPage]:
    """Opens pages of the demo account with options of the browser's."""
    with watched_pages(browser, product.base_url, storage_state=signed_in) as open_page:
        yield open_page


@pytest.fixture(scope="session")
def rest(browser: Browser, product: Product, signed_in: Any) -> Iterator[Rest]:
    with rest_of(browser, product.base_url, signed_in) as calls:
        yield calls


@pytest.fixture(scope="session")
def market(product: Product) -> Any:
    """A requester's script on the marketplace."""
    return make_market(product)


@pytest.fixture
def worker_page(browser: Browser, product: Product, rest: Rest) -> Iterator[Page]:
    """A new worker's, on a phone."""
    with worker_at(browser, product, rest) as page:
        yield page


@pytest.fixture(scope="module")
def workers_context(browser: Browser, product: Product, rest: Rest) -> Iterator[BrowserContext]:
    with worker_at(browser, product, rest) as page:
        yield page.context


@pytest.fixture
def seated(workers_context: BrowserContext) -> Iterator[Page]:
    """The page of a worker who has done the tasks of the tests before."""
    page = workers_context.new_page()
    yield page
    page.close()


@pytest.fixture
def app() -> Iterator[TaskApp]:
    """A task on a server of its own."""
    with running_app() as app:
        yield app


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


@pytest.fixture(scope="session")
def mortal(prepared: Product, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mortal]:
    """A product for tests that kill; it runs between them."""
    running = Mortal(prepared, tmp_path_factory.mktemp("mortal") / "var")
    yield running
    running.product.stop()


@pytest.fixture(scope="session")
def mortal_cookies(browser: Browser, mortal: Mortal) -> Any:
    return cookies_of(browser, mortal.base_url)


@pytest.fixture
def mortal_page(browser: Browser, mortal: Mortal, mortal_cookies: Any) -> Iterator[Page]:
    """The demo account's page on the product that may be killed."""
    with watched_pages(browser, mortal.base_url, storage_state=mortal_cookies) as open_page:
        yield open_page()
