"""A run in a browser: begun, watched to its end, looked into, and where it differs, settled."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.sessions import LONG_PATIENCE, press

RUNS = "/p/demo/runs/"


def choose(desk: Page, judge: str) -> None:
    """A new run's judge, of units that people have labelled."""
    desk.goto(f"{RUNS}new/")
    desk.locator(f"input[name=judge][value={judge}]").check()
    desk.get_by_label("Unit set").select_option(label="SCUs, judged v1")


def begin(desk: Page, judge: str = "lexical", function: str = "") -> None:
    choose(desk, judge)
    desk.get_by_label("Function").select_option(function)
    desk.get_by_role("button", name="Start run").click()
    expect(desk).to_have_url(re.compile(r"/runs/\d+/$"))


def test_it_leads_from_a_judge_to_an_expert(desk: Page) -> None:
    begin(desk)
    # The page finds by itself that the run is over.
    expect(desk.get_by_role("heading", level=1)).to_have_text(
        "Scores by a judge", timeout=LONG_PATIENCE
    )
    expect(desk.get_by_role("region", name="Correlation, system level")).to_be_visible()
    press(desk, "m")
    expect(desk.get_by_role("heading", level=1)).to_have_text("Presence matrix")
    desk.evaluate("() => (document.body.dataset.same = 'page')")
    desk.locator(".value").first.focus()
    reason = desk.locator("#reason")
    expect(reason).to_contain_text("Judge:")
    expect(reason.locator("mark")).to_be_visible()
    desk.locator(".value").nth(1).click()
    expect(reason).to_contain_text(desk.locator(".presence__system").nth(1).inner_text())
    assert desk.evaluate("() => document.body.dataset.same") == "page"
    press(desk, "d")
    statements = desk.locator("[data-statement]")
    first = statements.nth(0).get_by_role("heading").inner_text()
    with desk.expect_navigation():
        press(desk, "1")
    expect(desk.get_by_role("status").filter(has_text="Decided")).to_contain_text(first)
    expect(desk).to_have_url(re.compile("/disagreements/"))
    with desk.expect_navigation():
        press(desk, "z")
    expect(statements.nth(0).get_by_role("heading")).to_have_text(first)


def test_it_says_at_once_what_a_choice_means(desk: Page) -> None:
    begin(desk)
    expect(desk.locator(".page-head .badge")).to_have_text("✓ Ready", timeout=LONG_PATIENCE)
    choose(desk, "lexical")
    plan = desk.locator("#plan")
    expect(plan).to_contain_text("0 pairs to judge")
    desk.locator("input[name=judge][value=anli]").check()
    expect(plan).to_contain_text("known when the judge is loaded")
    desk.locator("#judge-other").check()
    desk.get_by_role("textbox", name="Model name").fill("./secret")
    desk.get_by_label("Note").focus()
    expect(plan.get_by_role("alert")).to_contain_text("there is no judge")
