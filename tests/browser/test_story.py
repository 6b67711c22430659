"""The whole story, from the first click to the last, embedded and on a lab's server.

One researcher, an author, a reviewer and four workers; every step by clicks and keys on pages.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

from tests.browser import story_crowd as crowd
from tests.browser import story_results as results
from tests.browser import story_setup as setup
from tests.browser.sessions import OpenPage, cookies_of, watched_pages
from tests.browser.story_corpus import HITS
from tests.servers import Lab, Product

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WORKERS = ["Wim", "Xia", "Yan", "Zoe"]
CARELESS = "Zoe"


@dataclass(frozen=True)
class Home:
    """Where the story is told, and another server."""

    base_url: str
    other_url: str


@pytest.fixture(params=["product", "lab"])
def home(request: pytest.FixtureRequest, product: Product, lab: Lab) -> Home:
    """As `make run` serves it, and on PostgreSQL, Redis, two workers."""
    homes = [product.base_url, lab.base_url]
    return Home(*homes if request.param == "product" else reversed(homes))


@pytest.fixture
def open_page(browser: Browser, home: Home) -> Iterator[OpenPage]:
    with watched_pages(browser, home.base_url) as opened:
        yield opened


@pytest.fixture(scope="module")
def researchers(browser: Browser, product: Product, lab: Lab) -> dict[str, Any]:
    """What a browser keeps of the researcher, who has signed in, on either server."""
    return {home.base_url: cookies_of(browser, home.base_url) for home in (product, lab)}


@pytest.fixture
def elsewhere(browser: Browser, home: Home, researchers: dict[str, Any]) -> Iterator[Page]:
    """The researcher's page on the other server, which knows nothing of the study."""
    with watched_pages(browser, home.other_url) as opened:
        yield opened(storage_state=researchers[home.other_url])


@pytest.fixture
def owner(open_page: OpenPage, home: Home, researchers: dict[str, Any]) -> Page:
    return open_page(storage_state=researchers[home.base_url])


def test_it_goes_from_texts_to_a_dataset_that_comes_back_the_same(
    open_page: OpenPage, owner: Page, elsewhere: Page, tmp_path: Path
) -> None:
    tag = uuid4().hex[:6]
    slug, title = f"story-{tag}", f"Does it say so? {tag}"
    author, reviewer = open_page(), open_page()

    setup.bring_in_texts(owner, slug)
    setup.invite(owner, author, "Ada Author", f"ada-{tag}@example.org")
    setup.invite(owner, reviewer, "Rolf Reviewer", f"rolf-{tag}@example.org")
    workers = setup.sign_up(owner, open_page, WORKERS, tag)

    setup.extract_stus(owner, slug)
    setup.plan_with_budget(owner, slug, "Ada Author")
    setup.write_units(author, slug)
    setup.review_units(reviewer, slug)
    setup.freeze(owner, slug)

    campaign = crowd.publish(owner, slug, title)
    for name, page in workers.items():
        done = crowd.work_all(page, title, is_careless=name == CARELESS)
        assert done == HITS
    crowd.watch(owner, campaign)
    crowd.approve(owner)
    crowd.pay_bonus(owner)
    crowd.look_at_earnings(workers.values())

    setup.go_on(owner, slug, "Create labels from judgements")
    results.keep_labels(owner)
    first = results.make_gold(owner, "Town news")

    setup.go_on(owner, slug, "Score the summaries with a judge")
    results.run_judge(owner)
    results.settle_disagreements(owner, 2)
    results.remake_labels(owner, slug)
    second = results.make_gold(owner, "Town news")
    assert first != second
    results.retrain(owner)

    results.score(owner, slug, "rouge", "js")
    results.build_report(owner, slug)
    path = results.download_gold(owner, slug, tmp_path)
    assert results.restore(elsewhere, path, slug) == second
