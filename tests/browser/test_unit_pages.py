"""The pages about unit sets in a browser: filling a set, merging by keys, copying the hash."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.rest import Rest
from tests.browser.sessions import LONG_PATIENCE, OpenPage, path_of, press

if TYPE_CHECKING:
    from playwright.sync_api import FilePayload

FIRST = ["The dam burst on Monday.", "Nobody was hurt.", "The mayor opened a shelter."]
SECOND = ["On Monday the dam burst.", "Nobody in town was hurt.", "The mayor opened two shelters."]


def corpus() -> bytes:
    references = [" ".join(FIRST), " ".join(SECOND)]
    line = {"type": "example", "id": "dam", "references": references, "summaries": {"lead": "Dam."}}
    flat = {"type": "example", "id": "flat", "references": ["Rain fell."], "summaries": {}}
    return "".join(json.dumps(row) + "\n" for row in (line, flat)).encode()


def unit_file() -> bytes:
    units = []
    for number, sentences in enumerate((FIRST, SECOND)):
        start = 0
        for text in sentences:
            words = {"reference": number, "start": start, "end": start + len(text)}
            units.append({"text": text, "contributors": [words]})
            start += len(text) + 1
    return (json.dumps({"id": "dam", "units": units}) + "\n").encode()


@pytest.fixture(scope="module")
def weighed(rest: Rest) -> str:
    """A project with one example of two references and one of one."""
    slug = rest.make_project("weighed", "Weighed")
    rest.bring_in(slug, "corpus.jsonl", corpus())
    return slug


@pytest.fixture
def filled(desk: Page, weighed: str, request: pytest.FixtureRequest) -> Page:
    """The page of a fresh set of six units, weighed by references, filled by the worker."""
    desk.goto(f"/p/{weighed}/units/settings/")
    desk.get_by_label("Merged: the weight").check()
    desk.get_by_role("button", name="Save").click()
    expect(desk.get_by_role("status").first).to_be_visible()
    desk.goto(f"/p/{weighed}/units/import/")
    file: FilePayload = {
        "name": "units.jsonl",
        "mimeType": "text/plain",
        "buffer": unit_file(),
    }
    desk.get_by_label("Name of the new set").fill(request.node.name[:80])
    desk.get_by_label("File", exact=True).set_input_files(file)
    desk.get_by_role("button", name="Check and import").click()
    expect(desk.get_by_role("heading", name="Progress")).to_be_visible(timeout=LONG_PATIENCE)
    expect(desk.locator("#unit-set")).to_contain_text("6 units")
    return desk


def open_pyramid(page: Page) -> Locator:
    """Go to the pyramid of the set that is shown, and give its clusters."""
    page.get_by_role("link", name="Pyramids", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Pyramid of dam")
    page.wait_for_load_state("load")
    return page.locator("[data-cluster]:visible")


def test_it_merges_clusters_by_keys_and_sets_others_aside(filled: Page) -> None:
    clusters = open_pyramid(filled)
    set_aside_and_bring_back(filled, clusters)
    walk_to_the_next_example_and_back(filled)
    second = clusters.nth(1)
    kept = second.locator("textarea").input_value()
    press(filled, "j", "j")
    expect(second.get_by_role("link")).to_be_focused()
    press(filled, "y")
    expect(filled.get_by_role("status").filter(has_text="one unit of weight 2")).to_be_visible()
    heaviest = filled.locator(".tier").first
    expect(heaviest).to_contain_text("Weight 2 1 unit")
    expect(heaviest.locator("li")).to_have_text([kept])
    press(filled, "y")
    expect(heaviest).to_contain_text("Weight 2 2 units")


def set_aside_and_bring_back(page: Page, clusters: Locator) -> None:
    count = clusters.count()
    assert count >= 2
    second = clusters.nth(1).get_attribute("id")
    press(page, "x")
    expect(page.locator(f"#{second} h3 a")).to_be_focused()
    expect(clusters).to_have_count(count - 1)
    page.reload()
    expect(clusters).to_have_count(count - 1)
    press(page, *["x"] * (count - 1))
    expect(page.get_by_role("heading", name="Nothing left to merge")).to_be_visible()
    expect(page.locator("[data-dismissed]")).to_contain_text(str(count))
    page.get_by_role("button", name="Show again").press("Enter")
    expect(clusters).to_have_count(count)


def walk_to_the_next_example_and_back(page: Page) -> None:
    here = path_of(page)
    press(page, "l")
    expect(page.get_by_role("heading", level=1)).to_have_text("Pyramid of flat")
    press(page, "h")
    expect(page.get_by_role("heading", level=1)).to_have_text("Pyramid of dam")
    assert path_of(page) == here


def test_it_merges_by_hand_and_freezes_what_came_of_it(filled: Page, open_desk: OpenPage) -> None:
    address = path_of(filled)
    clusters = open_pyramid(filled)
    filled.set_viewport_size({"width": 390, "height": 844})
    assert filled.evaluate("document.documentElement.scrollWidth") == 390
    clusters.first.locator("textarea").fill("A dam burst, y'know.")
    clusters.first.get_by_role("button", name="Merge units").click()
    expect(filled.locator(".tier").first.locator("li")).to_have_text(["A dam burst, y'know."])
    merge_without_a_script(open_desk(java_script_enabled=False), path_of(filled))
    filled.goto(address)
    press(filled, "u")
    expect(filled.get_by_role("heading", level=1)).to_contain_text("Unit sets")
    filled.goto(address)
    freeze_and_copy_the_hash(filled)


def merge_without_a_script(bare: Page, path: str) -> None:
    bare.goto(path)
    expect(bare.get_by_role("button", name="Keep apart")).to_have_count(0)
    bare.get_by_role("button", name="Merge units").first.click()
    expect(bare.get_by_role("heading", name="Weight 2")).to_contain_text("2 units")


def freeze_and_copy_the_hash(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Send to review").click()
    expect(page.get_by_role("heading", name="In review: units are being checked")).to_be_visible()
    page.get_by_label("Reason").fill("A test needs it.")
    page.get_by_role("button", name="with 4 units").click()
    shown = page.locator("dd .hash code").inner_text()
    press(page)
    page.get_by_role("button", name="Copy the hash").click()
    expect(page.locator("#announcer")).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert len(copied) == 64
    assert copied.startswith(shown)
    assert len(shown) == 12
