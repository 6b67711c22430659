"""The studio of a planned set: what a person writes, and what is left to STUs."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.corpora import example, jsonl
from tests.browser.rest import Rest
from tests.browser.studio import REFERENCE, SUGGESTIONS, Studio
from tests.servers import Product

KEYS = ("harbour", "orchard")


@pytest.fixture(scope="module")
def planned(rest: Rest, product: Product) -> dict[str, Any]:
    """A person writes the second and third sentence of the first example, and nothing else."""
    slug = rest.make_project("planned", "Planned")
    lines = [example(key, REFERENCE.format(key)) for key in KEYS]
    rest.bring_in(slug, "planned.jsonl", jsonl(lines))
    imports = "from annotation.corpora.models import Project"
    product.manage("shell", "-c", f"{imports}\nslug = {slug!r}\n{SUGGESTIONS}")
    sets = f"projects/{slug}/unit-sets/"
    stus = rest.first(slug, "unit-sets")
    made = rest.post(sets, data={"name": "mixed"})["id"]
    examples = {row["key"]: row["id"] for row in rest.get(f"projects/{slug}/examples/")["results"]}
    state = rest.get(f"{sets}{made}/examples/{examples['harbour']}/")
    sentences = [row["id"] for row in state["references"][0]["sentences"]]
    counts = rest.put(f"{sets}{made}/plan/", data={"stus": stus, "human": sentences[1:]})
    assert (counts["human"], counts["stus"]) == (2, 4)
    return {
        "set": f"/p/{slug}/units/{made}/",
        "sentences": sentences,
        **{key: f"/p/{slug}/units/{made}/examples/{pk}/" for key, pk in examples.items()},
    }


def test_it_marks_who_writes_what_and_opens_where_to_begin(
    desk: Page, planned: dict[str, Any]
) -> None:
    studio = Studio(desk).open(planned["harbour"])
    lines = desk.locator(".line")
    expect(lines.nth(0)).to_contain_text("◇ Left to STUs")
    expect(lines.nth(1)).to_contain_text("✎ To write · difficulty 1.00")
    expect(lines.nth(2)).to_contain_text("✎ To write")
    expect(lines.nth(1)).to_have_attribute("aria-current", "true")
    studio.press("p")
    expect(lines.nth(2)).to_have_attribute("aria-current", "true")
    studio.press("p")
    expect(lines.nth(1)).to_have_attribute("aria-current", "true")
    studio.press("k")
    studio.expect_texts("Brack opened on Friday")
    expect(studio.units.first).to_contain_text("◇ STU by rules")


def test_it_leads_only_to_words_that_a_person_writes(desk: Page, planned: dict[str, Any]) -> None:
    studio = Studio(desk).open(planned["harbour"])
    lines = desk.locator(".line")
    studio.press("k", "u")
    expect(lines.nth(1)).to_have_attribute("aria-current", "true")
    studio.press("n", "Enter")
    expect(studio.field).to_have_value("The town council paid for the glass.")
    studio.press("Enter", "Enter").expect_saved()
    expect(studio.message).to_contain_text("All words from here on are covered")


def test_it_opens_at_the_sentence_that_a_ranking_names(desk: Page, planned: dict[str, Any]) -> None:
    desk.goto(f"{planned['set']}ranking/?who=stus")
    first = planned["sentences"][0]
    desk.locator(f'a[href$="#s{first}"]').click()
    Studio(desk).ready()
    expect(desk.locator(".line").nth(0)).to_have_attribute("aria-current", "true")


def test_it_spares_an_example_until_somebody_takes_it_on(
    desk: Page, planned: dict[str, Any]
) -> None:
    Studio(desk).open(planned["orchard"])
    review = desk.locator("[data-part=review]")
    expect(review).to_contain_text("◇ Left to STUs")
    review.get_by_role("button", name="Write this example").click()
    expect(review).to_contain_text("To write")
