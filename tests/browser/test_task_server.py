"""A task whose own server is silent, elsewhere or back again: the page around its frame says so."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.task_app import TaskApp
from tests.browser.workers import accept, external_question, task_in
from tests.servers import wait_until

LONG = """<!doctype html><title>Long</title><style>p { height: 1000px }</style>
<h1>Long</h1><p>a</p><input aria-label="Answer"><p>b</p>"""


def notice(page: Page) -> Locator:
    return page.get_by_role("alert")


def test_a_silent_server_is_named_until_it_is_back(seated: Page, market: Any, app: TaskApp) -> None:
    page = seated
    app.stop()
    hit_id = accept(page, market, external_question(app.address()))
    expect(notice(page)).to_contain_text("can’t be reached")
    expect(notice(page)).to_contain_text(app.address(""))
    expect(notice(page).get_by_role("link", name="tell the requester")).to_be_visible()
    here = page.url
    page.goto(f"/work/hits/{hit_id}/")
    expect(notice(page)).to_contain_text("choose other work")
    page.goto(here)
    expect(notice(page)).to_contain_text("can’t be reached")
    app.start()
    expect(notice(page).locator("[data-say=back]")).to_be_visible()
    notice(page).get_by_role("button", name="Reload task").click()
    expect(task_in(page).get_by_role("heading", name="Experiment")).to_be_visible()
    expect(notice(page)).to_be_hidden()


def test_a_server_that_takes_connections_and_says_nothing_is_silent(
    seated: Page, market: Any, app: TaskApp
) -> None:
    page = seated
    app.is_hanging = True
    accept(page, market, external_question(app.address()))
    expect(notice(page)).to_contain_text("can’t be reached")
    app.is_hanging = False
    expect(notice(page).locator("[data-say=back]")).to_be_visible()
    expect(task_in(page).get_by_role("heading", name="Experiment")).to_be_visible()
    notice(page).get_by_role("button", name="Hide message").click()
    expect(notice(page)).to_be_hidden()
    expect(page.locator("iframe.task__frame")).to_be_focused()


def test_a_server_that_refuses_or_redirects_has_answered(
    seated: Page, market: Any, app: TaskApp
) -> None:
    for redirects in ({}, {"/favicon.ico": "https://elsewhere.test/favicon.ico"}):
        app.redirects = redirects
        app.asked.clear()
        accept(seated, market, external_question(app.address()))
        wait_until(lambda: ("/favicon.ico", "") in app.asked, "the server is asked")
        seated.wait_for_timeout(4000)
        expect(notice(seated)).to_be_hidden()


def test_the_message_takes_neither_focus_nor_place(seated: Page, market: Any, app: TaskApp) -> None:
    page = seated
    app.pages["/long"] = LONG
    accept(page, market, external_question(app.address("/long"), 2400))
    field = task_in(page).get_by_label("Answer")
    field.click()
    page.keyboard.type("a")
    place = field.bounding_box()
    assert page.evaluate("() => scrollY") > 0
    app.stop()
    page.evaluate("() => dispatchEvent(new Event('online'))")
    expect(notice(page)).to_be_visible()
    expect(notice(page)).to_be_in_viewport()
    now = field.bounding_box()
    assert place
    assert now
    assert abs(now["y"] - place["y"]) <= 1
    page.keyboard.type("b")
    expect(field).to_have_value("ab")


def test_what_it_asks_the_server_carries_nothing(seated: Page, market: Any, app: TaskApp) -> None:
    """Not even the cookies of its own."""
    accept(seated, market, external_question(app.address()))
    expect(task_in(seated).get_by_text("ready")).to_be_visible()
    wait_until(lambda: "/favicon.ico" in dict(app.asked), "the server is asked")
    assert dict(app.asked)["/favicon.ico"] == ""
