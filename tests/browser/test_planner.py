"""From “I have 150 dollars and 6 hours” to assigned sentences and a draft campaign, by keys."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from tests.browser.corpora import example, jsonl
from tests.browser.planning import list_plan_rows
from tests.browser.rest import Rest
from tests.browser.sessions import LONG_PATIENCE, press

REFERENCES = (
    "The dam near Brack burst on Monday. Nobody was hurt, said the mayor.",
    "Volunteers mended the lighthouse for three years. The town paid for the glass.",
    "A fire destroyed the old market hall. Traders lost their goods.",
    "The school opened its doors again. Parents had painted every room.",
)


@pytest.fixture
def study(rest: Rest) -> str:
    """A project with four examples, three systems, and STUs that are ranked."""
    slug = rest.make_project(f"budget-{uuid4().hex[:6]}", "The budget")
    lines = [
        example(f"e{number}", text, text, text.split(".")[0] + ".", "Nothing happened.")
        for number, text in enumerate(REFERENCES)
    ]
    rest.bring_in(slug, "corpus.jsonl", jsonl(lines))
    rest.extract_stus(slug, name="STUs")
    return slug


def ask(desk: Page, study: str) -> None:
    """By keys alone, from the project's overview to the frontier of plans."""
    desk.goto(f"/p/{study}/")
    press(desk, "g", "b")
    expect(desk.get_by_role("heading", level=1)).to_have_text("Plans")
    press(desk, "n")
    expect(desk.get_by_role("heading", level=1)).to_have_text("New budget")
    desk.get_by_label("Money ($)").focus()
    desk.keyboard.press("ControlOrMeta+a")
    desk.keyboard.type("150")
    desk.keyboard.press("Tab")
    desk.keyboard.press("ControlOrMeta+a")
    desk.keyboard.type("6")
    desk.keyboard.press("Enter")
    expect(desk.get_by_role("heading", level=1)).to_have_text("$150 and 6 hours of writing")
    # The page finds by itself that the plans are there.
    expect(desk.locator("#plans-title")).to_be_visible(timeout=LONG_PATIENCE)


def look_at(desk: Page, words: str) -> None:
    """Open the first plan of the table that asks people and whose row has these words."""
    row = list_plan_rows(desk).filter(has_text=words).filter(has_text="per HIT").first
    name = row.get_by_role("link").inner_text()
    row.get_by_role("link").focus()
    with desk.expect_navigation():
        desk.keyboard.press("Enter")
    expect(desk.locator("#shown-title")).to_contain_text(name)


def test_it_leads_from_a_budget_to_work(desk: Page, rest: Rest, study: str) -> None:
    ask(desk, study)
    look_at(desk, "50 % STUs")
    expect(desk.locator("#shown")).to_contain_text("predicted to be hardest")
    with desk.expect_navigation():
        press(desk, "m")
    expect(desk.locator(".page-head .badge")).to_have_text("✓ In use")
    expect(desk.locator(".next-step__title")).to_have_text(
        re.compile(r"^(\d) of \1 sentences are still to be written$")
    )
    taken = desk.url
    with desk.expect_navigation():
        press(desk, "n")
    expect(desk.get_by_role("heading", level=1)).to_contain_text("Budget")
    desk.goto(taken)
    plan = rest.get(f"projects/{study}/plans/")["results"][0]
    work = rest.get(f"projects/{study}/plans/{plan['id']}/")["work"]
    # The studio has the sentences: what people write, and what STUs stand in for.
    sentences = rest.get(f"projects/{study}/unit-sets/{plan['unit_set']}/sentences/")["results"]
    assert {row["human"] for row in sentences} == {True, False}
    desk.locator("#campaign").focus()
    with desk.expect_navigation():
        desk.keyboard.press("Enter")
    expect(desk.locator(".page-head .badge")).to_contain_text("Draft")
    expect(desk.get_by_text("its units can still change")).to_be_visible()
    campaign = rest.get(f"projects/{study}/campaigns/{plan['campaign']}/")
    assert campaign["scope"]["examples"] == work["people"]
