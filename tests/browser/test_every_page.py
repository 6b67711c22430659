"""What must hold on every page, whatever it is about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.corpora import LONG, example, jsonl, line_files, zipped
from tests.browser.rest import Rest
from tests.browser.sessions import PATIENCE, watched_pages
from tests.servers import Product

# Pages of the application, with its bars; {name} is the id of something in the reading project.
PAGES = {
    "projects": "/",
    "new project": "/projects/new/",
    "account": "/account/",
    "glossary": "/glossary/",
    "REST": "/api/docs/",
    "overview": "/p/reading/",
    "settings": "/p/reading/settings/",
    "members": "/p/reading/members/",
    "examples": "/p/reading/examples/",
    "examples found": "/p/reading/examples/?q=bridge&where=summary",
    "example": "/p/reading/examples/{example}/?reference=1&sentence=2&order=coverage",
    "long example": "/p/reading/examples/{long}/",
    "unreferenced example": "/p/reading/examples/{unreferenced}/",
    "hebrew example": "/p/reading/examples/{hebrew}/",
    "systems": "/p/reading/systems/",
    "system": "/p/reading/systems/{system}/",
    "imports": "/p/reading/imports/",
    "new import": "/p/reading/imports/new/",
    "import done": "/p/reading/imports/{done}/",
    "import ready": "/p/reading/imports/{ready}/",
    "import refused": "/p/reading/imports/{refused}/",
    "export": "/p/reading/export/",
    "jobs": "/p/reading/jobs/",
    "job": "/p/reading/jobs/{job}/",
    "stretched overview": "/p/stretched/",
    "stretched example": "/p/stretched/examples/{stretched_example}/",
    "stretched systems": "/p/stretched/systems/",
    "stretched system": "/p/stretched/systems/{stretched_system}/",
    "stretched settings": "/p/stretched/settings/",
    "empty overview": "/p/bare/",
    "empty examples": "/p/bare/examples/",
    "empty systems": "/p/bare/systems/",
    "empty imports": "/p/bare/imports/",
    "empty jobs": "/p/bare/jobs/",
}
# One card on an empty ground: nothing stands before the content that one could wish to skip.
BARE_PAGES = {
    "sign in": "/sign-in/",
    "invitation": "/invitations/{invitation}/",
    "not found": "/no-such-page/",
    "not here": "/p/no-such-project/",
}
ALL_PAGES = PAGES | BARE_PAGES
ABSENT = ("not found", "not here")
WIDTHS = (1440, 390)
VISITED_SIGNED_OUT = ("sign in", "invitation")

INSPECT = """() => {
  const FIELDS = "input:not([type=hidden]), select, textarea";
  const all = (selector) => [...document.querySelectorAll(selector)];
  const short = (element) => element.outerHTML.slice(0, 120);
  const ids = all("[id]").map((element) => element.id);
  const isNamed = (field) =>
    field.labels?.length || field.ariaLabel || field.getAttribute("aria-labelledby");
  return {
    headings: all("h1").length,
    mains: all("main, [role=main]").length,
    unlabelled: all(FIELDS).filter((field) => !isNamed(field)).map(short),
    repeated: ids.filter((id, at) => ids.indexOf(id) !== at),
    pulledForward: all("[tabindex]").filter((element) => element.tabIndex > 0).map(short),
  };
}"""
SOUND = {"headings": 1, "mains": 1, "unlabelled": [], "repeated": [], "pulledForward": []}

# Looks at each place where Tab stops, with and without the focus.
FIND_UNSEEN_FOCUS = """() => {
  const STOPS = "a[href], button, input, select, textarea, summary, [tabindex='0']";
  const canStop = (element) =>
    element.checkVisibility() && !element.disabled && element.type !== "hidden";
  const look = (element) => {
    const { outlineStyle, outlineWidth, outlineColor, boxShadow } = getComputedStyle(element);
    const isDrawn = outlineStyle !== "none" && outlineWidth !== "0px";
    return [boxShadow, ...(isDrawn ? [outlineWidth, outlineColor] : [])].join();
  };
  const isUnseen = (element) => {
    const before = look(element);
    element.focus();
    const isSeen = document.activeElement === element && look(element) !== before;
    element.blur();
    return !isSeen;
  };
  document.activeElement.blur();
  const stops = [...document.querySelectorAll(STOPS)].filter(canStop);
  const unseen = stops.filter(isUnseen).map((element) => element.outerHTML.slice(0, 120));
  return { stops: stops.length, unseen };
}"""


@pytest.fixture(scope="module")
def ids(rest: Rest, reading: str, example_ids: dict[str, int]) -> dict[str, Any]:
    """What stands in the addresses, with an import in every state."""
    rest.make_project("bare")
    stretched = rest.make_project("stretched", LONG[:120])
    corpus = [example(LONG[:150], LONG, summaries={LONG[:150]: LONG})]
    rest.bring_in(stretched, f"{LONG[:150]}.jsonl", jsonl(corpus))
    done = rest.first(reading, "imports")
    ready = rest.send(reading, "more.zip", zipped(line_files()))
    refused = rest.send(reading, f"{LONG[:150]}.jsonl", b"no json\n" * 30)
    link = rest.invite(reading, note=LONG[:100])
    return {
        "example": example_ids["lighthouse"],
        "long": next(pk for key, pk in example_ids.items() if key.startswith("long-")),
        "unreferenced": example_ids["unreferenced"],
        "hebrew": example_ids["hebrew"],
        "system": rest.first(reading, "systems"),
        "done": done,
        "ready": ready,
        "refused": refused,
        "job": rest.first(reading, "jobs"),
        "stretched_example": rest.first(stretched, "examples"),
        "stretched_system": rest.first(stretched, "systems"),
        "invitation": link.rstrip("/").rsplit("/", 1)[1],
    }


class Tour:
    """Two browsers' windows, one signed in and one not, that go from page to page."""

    def __init__(self, member: Page, visitor: Page, ids: dict[str, Any]) -> None:
        self.member, self.visitor, self.ids = member, visitor, ids

    def visit(self, name: str) -> Page:
        page = self.visitor if name in VISITED_SIGNED_OUT else self.member
        page.set_viewport_size({"width": WIDTHS[0], "height": 900})
        answer = page.goto(ALL_PAGES[name].format(**self.ids))
        assert answer is not None
        assert answer.status == (404 if name in ABSENT else 200)
        if name == "REST":
            page.locator(".opblock").first.wait_for(timeout=PATIENCE)
        return page


@pytest.fixture(scope="module")
def tour(browser: Browser, product: Product, signed_in: Any, ids: dict[str, Any]) -> Iterator[Tour]:
    with watched_pages(browser, product.base_url, reduced_motion="reduce") as open_page:
        yield Tour(open_page(storage_state=signed_in), open_page(), ids)


@pytest.fixture(scope="module", params=ALL_PAGES)
def place(request: pytest.FixtureRequest, tour: Tour) -> Page:
    """Each page in turn, opened once for all that is looked at on it."""
    return tour.visit(request.param)


@pytest.mark.parametrize("width", WIDTHS)
def test_it_never_scrolls_sideways(place: Page, width: int) -> None:
    place.set_viewport_size({"width": width, "height": 900})
    assert place.evaluate("document.documentElement.scrollWidth") <= width


def test_it_is_built_soundly(place: Page) -> None:
    assert place.evaluate(INSPECT) == SOUND


def test_it_shows_where_the_focus_is(place: Page) -> None:
    place.set_viewport_size({"width": WIDTHS[0], "height": 900})
    place.keyboard.press("Tab")
    found = place.evaluate(FIND_UNSEEN_FOCUS)
    assert found["stops"] > 0
    assert found["unseen"] == []


@pytest.mark.parametrize("name", PAGES)
def test_it_skips_to_the_content(tour: Tour, name: str) -> None:
    page = tour.visit(name)
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to the content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()


def test_it_would_see_a_focus_that_does_not_show(page: Page) -> None:
    page.goto("/sign-in/")
    page.evaluate(
        "document.querySelector('button').style.setProperty('outline', 'none', 'important')"
    )
    page.keyboard.press("Tab")
    assert len(page.evaluate(FIND_UNSEEN_FOCUS)["unseen"]) == 1
