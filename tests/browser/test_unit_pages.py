"""The pages about unit sets in a browser: filling a set, merging by keys, copying the hash."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.rest import Rest
from tests.browser.sessions import LONG_PATIENCE, OpenPage, path_of

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
    desk.goto(f"/p/{weighed}/units/import/")
    file: FilePayload = {
        "name": "units.jsonl",
        "mimeType": "text/plain",
        "buffer": unit_file(),
    }
    desk.get_by_label("Into the new set").fill(request.node.name[:80])
    desk.get_by_label("File", exact=True).set_input_files(file)
    desk.get_by_role("button", name="Check and import").click()
    expect(desk.get_by_role("heading", name="How far it is")).to_be_visible(timeout=LONG_PATIENCE)
    return desk


@pytest.fixture
def pyramid(filled: Page) -> Page:
    filled.get_by_role("link", name="Pyramid of dam").click()
    return filled


def clusters(page: Page) -> Locator:
    return page.locator("[data-cluster]:visible")


def test_it_fills_a_set_and_shows_it_by_itself(filled: Page) -> None:
    expect(filled.locator("#unit-set")).to_contain_text("6 units")
    filled.keyboard.press("u")
    expect(filled.get_by_role("heading", level=1)).to_have_text("Units")


def test_it_merges_the_first_cluster_by_one_key(pyramid: Page) -> None:
    before = clusters(pyramid).count()
    assert before >= 2
    pyramid.keyboard.press("y")
    expect(pyramid.get_by_role("status").filter(has_text="one unit of weight 2")).to_be_visible()
    expect(clusters(pyramid)).to_have_count(before - 1)
    expect(pyramid.get_by_role("heading", name="Weight 2")).to_contain_text("1 unit")


def test_it_merges_the_cluster_in_hand(pyramid: Page) -> None:
    second = clusters(pyramid).nth(1)
    kept = second.locator("textarea").input_value()
    pyramid.keyboard.press("j")
    pyramid.keyboard.press("j")
    expect(second.get_by_role("link")).to_be_focused()
    pyramid.keyboard.press("y")
    expect(pyramid.locator(".tier").first).to_contain_text("Weight 2")
    expect(pyramid.locator(".tier").first.locator("li")).to_have_text([kept])


def test_it_merges_under_a_text_of_ones_own(pyramid: Page) -> None:
    pyramid.locator("[data-cluster] textarea").first.fill("A dam burst, y'know.")
    clusters(pyramid).first.get_by_role("button", name="Make them one unit").click()
    expect(pyramid.locator(".tier").first.locator("li")).to_have_text(["A dam burst, y'know."])


def test_it_sets_clusters_aside_and_brings_them_back(pyramid: Page) -> None:
    count = clusters(pyramid).count()
    second = clusters(pyramid).nth(1).get_attribute("id")
    pyramid.keyboard.press("x")
    expect(pyramid.locator(f"#{second} h3 a")).to_be_focused()
    expect(clusters(pyramid)).to_have_count(count - 1)
    pyramid.reload()
    expect(clusters(pyramid)).to_have_count(count - 1)
    for _ in range(count - 1):
        pyramid.keyboard.press("x")
    expect(pyramid.get_by_role("heading", name="Nothing left to merge")).to_be_visible()
    expect(pyramid.locator("[data-dismissed]")).to_contain_text(f"{count} set aside")
    pyramid.get_by_role("button", name="Show again").press("Enter")
    expect(clusters(pyramid)).to_have_count(count)


def press(page: Page, key: str) -> None:
    """A key, once the page's scripts listen to it."""
    page.wait_for_load_state("load")
    page.keyboard.press(key)


def test_it_walks_from_example_to_example(pyramid: Page) -> None:
    here = path_of(pyramid)
    press(pyramid, "l")
    expect(pyramid.get_by_role("heading", level=1)).to_have_text("Pyramid of flat")
    press(pyramid, "h")
    expect(pyramid.get_by_role("heading", level=1)).to_have_text("Pyramid of dam")
    assert path_of(pyramid) == here


def test_it_merges_without_a_script(pyramid: Page, open_desk: OpenPage) -> None:
    bare = open_desk(java_script_enabled=False)
    bare.goto(path_of(pyramid))
    expect(bare.get_by_role("button", name="Not the same")).to_have_count(0)
    bare.get_by_role("button", name="Make them one unit").first.click()
    expect(bare.get_by_role("heading", name="Weight 2")).to_contain_text("1 unit")


def test_it_copies_the_whole_hash_of_a_frozen_set(filled: Page) -> None:
    filled.context.grant_permissions(["clipboard-read", "clipboard-write"])
    filled.get_by_label("Reason").fill("A test needs it.")
    filled.get_by_role("button", name="with 6 units for good").click()
    shown = filled.locator("dd .hash code").inner_text()
    filled.get_by_role("button", name="Copy the hash").click()
    expect(filled.get_by_role("button", name="Copy the hash")).to_have_text("Copied")
    copied = filled.evaluate("navigator.clipboard.readText()")
    assert len(copied) == 64
    assert copied.startswith(shown)
    assert len(shown) == 12


def test_it_fits_a_phone(pyramid: Page, open_desk: OpenPage) -> None:
    phone = open_desk(viewport={"width": 390, "height": 844})
    here = path_of(pyramid)
    unit_set = here.split("examples/")[0]
    sets = unit_set.rsplit("/", 2)[0]
    history = here.replace("pyramid", "history")
    for address in (here, history, unit_set, f"{sets}/", f"{sets}/import/", f"{sets}/settings/"):
        phone.goto(address)
        assert phone.evaluate("document.documentElement.scrollWidth") == 390, address
