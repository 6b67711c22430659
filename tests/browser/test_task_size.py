"""The frame of a task has the height of its content, and nobody loses their place by it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Page, expect

from annotation.crowd.judging_page.question import html_question_xml, render_page
from tests.browser.judging import TASK, hand_keys_to
from tests.browser.rest import Rest
from tests.browser.task_app import TaskApp
from tests.browser.workers import (
    accept,
    expect_sent,
    external_question,
    html_question,
    task_in,
    worker_at,
)
from tests.servers import Product, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser


LINES = "<p>The dam burst on Monday.</p>" * 60
FIELD = '<input id="field" aria-label="Answer">'


def show(page: Page, market: Any, body: str, style: str = "", kind: str = "<!doctype html>") -> str:
    head = f"<title>Task</title><style>{style}</style>"
    html = f'{kind}<html lang="en"><head>{head}</head><body>{body}</body></html>'
    return accept(page, market, html_question(html))


def outside(page: Page) -> int:
    """How far the page around the frame scrolls."""
    found: int = page.evaluate("() => document.scrollingElement.scrollHeight - innerHeight")
    return found


def inside(page: Page) -> int:
    """How far the page in the frame does."""
    script = "() => document.scrollingElement.scrollHeight - document.scrollingElement.clientHeight"
    found: int = task_in(page).locator("body").evaluate(script)
    return found


def wait_until_at_rest(page: Page) -> int:
    """Until the frame has had one height for a while; gives it."""
    heights: list[int] = []

    def is_at_rest() -> bool:
        frame = page.locator("iframe.task__frame")
        heights.append(frame.evaluate("(frame) => frame.offsetHeight"))
        page.wait_for_timeout(200)
        return len(heights) > 6 and len(set(heights[-6:])) == 1

    wait_until(is_at_rest, "the frame is at rest")
    return heights[-1]


@pytest.mark.parametrize("kind", ["<!doctype html>", ""], ids=["standard", "quirks"])
def test_it_grows_and_shrinks_with_its_content(seated: Page, market: Any, kind: str) -> None:
    page = seated
    toggle = "more.hidden = !more.hidden"
    body = (
        f'<button type="button" onclick="{toggle}">More</button><div id="more" hidden>{LINES}</div>'
    )
    show(page, market, body, "#more { height: 3000px }", kind)
    small = wait_until_at_rest(page)
    assert (outside(page), inside(page)) == (0, 0)
    more = task_in(page).get_by_role("button", name="More")
    more.click()
    wait_until(lambda: outside(page) > 2000 and inside(page) == 0, "the frame grows")
    wait_until_at_rest(page)
    more.click()
    assert wait_until_at_rest(page) == small
    assert (outside(page), inside(page)) == (0, 0)


@pytest.mark.parametrize(
    "body, style",
    [
        ('<div id="a">low</div>', "#a { position: absolute; top: 2000px }"),
        ('<div id="a"><div id="b">low</div></div>', "#b { float: left; height: 2000px }"),
        ("<div>low</div>", "html { padding: 900px 0 } body { margin: 200px 0 }"),
        ('<div id="a">low</div>', "#a { min-height: 80vh; padding-bottom: 30vh }"),
        ("<div>low</div>", "body { min-height: 100vh; margin: 0 } div { height: 1500px }"),
    ],
)
def test_it_comes_to_rest_and_shows_all(seated: Page, market: Any, body: str, style: str) -> None:
    show(seated, market, body, style)
    wait_until_at_rest(seated)
    assert 0 in (inside(seated), outside(seated))
    low = task_in(seated).get_by_text("low")
    low.scroll_into_view_if_needed()
    expect(low).to_be_in_viewport()


@pytest.mark.parametrize(
    "style",
    [
        "#a { position: sticky; top: 0 }",
        "#a { position: fixed; bottom: 0 }",
        "#a { position: fixed; display: none }",
        # As tall as its window and a bit: it would grow for ever.
        "#a { height: 100vh } .lines { display: none }",
    ],
)
def test_a_page_that_counts_on_its_window_keeps_one(seated: Page, market: Any, style: str) -> None:
    show(seated, market, f'<div id="a">Bar</div><div class="lines">{LINES}</div>', style)
    wait_until_at_rest(seated)
    assert outside(seated) == 0
    assert inside(seated) > 0


def test_it_keeps_focus_and_place_while_it_grows(seated: Page, market: Any) -> None:
    page = seated
    grow = "field.oninput = () => document.body.insertAdjacentHTML('beforeend', more.innerHTML)"
    body = f'{LINES}{FIELD}{LINES}<template id="more">{LINES}</template><script>{grow}</script>'
    show(page, market, body)
    before = wait_until_at_rest(page)
    field = task_in(page).get_by_label("Answer")
    field.click()
    place = field.bounding_box()
    assert page.evaluate("() => scrollY") > 0
    page.keyboard.type("a")
    assert wait_until_at_rest(page) > before
    page.keyboard.type("b")
    expect(field).to_have_value("ab")
    expect(field).to_be_focused()
    assert field.bounding_box() == place


def test_what_has_the_focus_is_not_behind_the_bar(seated: Page, market: Any) -> None:
    page = seated
    show(page, market, f'{LINES}<a id="up" href="#up">Up</a>{LINES}{FIELD}')
    wait_until_at_rest(page)
    task_in(page).get_by_label("Answer").click()
    page.keyboard.press("Shift+Tab")
    link = task_in(page).get_by_role("link", name="Up")
    expect(link).to_be_focused()
    bar, place = page.locator(".task__head").bounding_box(), link.bounding_box()
    assert bar
    assert place
    assert place["y"] >= bar["y"] + bar["height"]
    # The keys that scroll reach the page around the frame.
    scrolled = page.evaluate("() => scrollY")
    page.keyboard.press("PageDown")
    wait_until(lambda: page.evaluate("() => scrollY") > scrolled, "the page scrolls")


def test_a_new_page_in_the_frame_begins_at_its_top(seated: Page, market: Any) -> None:
    page = seated
    form = "<form method=post action='https://www.mturk.com/mturk/externalSubmit'>"
    show(page, market, f"{form}<input type=hidden name=s1 value=x>{LINES}<button>Send</button>")
    page.route("**/go-on/", lambda route: route.fulfill(status=204))
    wait_until_at_rest(page)
    task_in(page).get_by_role("button", name="Send").click()
    expect(task_in(page).get_by_role("heading", name="Submitted")).to_be_in_viewport()
    wait_until_at_rest(page)
    assert (outside(page), inside(page)) == (0, 0)


@pytest.mark.parametrize("height, is_taller", [(0, False), (1200, True), (90_000, True)])
def test_an_external_task_has_the_height_that_it_asks_for(
    seated: Page, market: Any, app: TaskApp, height: int, is_taller: bool
) -> None:
    accept(seated, market, external_question(app.address(), height))
    shown = wait_until_at_rest(seated)
    assert (outside(seated) > 0) == is_taller
    if is_taller:
        assert shown == min(height, 30_000)


def test_an_external_task_may_report_its_height(seated: Page, market: Any, app: TaskApp) -> None:
    app.pages["/tall"] = "<script>parent.postMessage({giza: 'size', height: 2500}, '*')</script>"
    accept(seated, market, external_question(app.address("/tall")))
    assert wait_until_at_rest(seated) == 2500


SIZES = {"phone": (390, 844), "desk": (1440, 900)}


@pytest.mark.parametrize("size", SIZES)
def test_our_judging_page_fits_the_window(
    browser: Browser, product: Product, rest: Rest, market: Any, size: str
) -> None:
    width, height = SIZES[size]
    many = tuple((f"s{number}", f"Statement {number}.") for number in range(1, 13))
    task = replace(TASK, statements=many, summary="\n".join(["A dam burst near Oslo."] * 40))
    screen = {"viewport": {"width": width, "height": height}}
    with worker_at(browser, product, rest, **screen) as page:
        hit_id = accept(page, market, html_question_xml(render_page(task)))
        wait_until_at_rest(page)
        assert outside(page) == 0
        assert inside(page) > 0
        frame = task_in(page)
        hand_keys_to(frame, page)
        page.keyboard.press("1")
        expect(frame.get_by_role("group", name="Statement 2.")).to_be_visible()
        for place in (frame.locator("#reading"), frame.locator(".choice:visible").first):
            expect(place).to_be_in_viewport()
        # The page around the frame has kept the first answer.
        page.reload()
        expect(frame.locator("#count")).to_contain_text("11 left")
        hand_keys_to(frame, page)
        for _ in many[1:]:
            page.keyboard.press("2")
        expect(frame.get_by_role("button", name="Submit")).to_be_focused()
        assert outside(page) == 0
        page.keyboard.press("Enter")
        expect_sent(page)
        (sent,) = market.list_assignments_for_hit(HITId=hit_id)["Assignments"]
        assert sent["AssignmentStatus"] == "Submitted"
