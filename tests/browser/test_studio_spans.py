"""The words of the reference that a unit stands on: they follow its text, by key and by mouse."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.rest import Rest
from tests.browser.sessions import OpenPage
from tests.browser.studio import REFERENCE, Room, Studio, make_room
from tests.servers import Product


@pytest.fixture(scope="module")
def room(rest: Rest, product: Product) -> Room:
    return make_room(rest, product, "spans")


def lit(studio: Studio, sentence: int = 0) -> list[str]:
    return studio.words(sentence).and_(studio.page.locator(".is-lit")).all_text_contents()


def stands_on(room: Room, key: str) -> list[list[str]]:
    """For each unit on the server, the words of the reference under its spans."""
    state = room.state(key)
    texts = {row["id"]: row["text"] for row in state["references"]}
    return [[_slice(texts, span) for span in unit["spans"]] for unit in state["units"]]


def _slice(texts: dict[int, str], span: Any) -> str:
    return texts[span["reference"]][span["start"] : span["end"]]


def test_a_span_narrows_while_the_text_is_cut_down(desk: Page, room: Room) -> None:
    studio = Studio(desk).open(room.path("harbour")).press("n")
    assert lit(studio) == ["The", "harbour", "at", "Brack", "opened", "again", "on", "Friday"]
    studio.press("Control+a").type("The harbour opened.")
    expect(studio.in_hand.locator("q")).to_have_text(["The harbour", "opened"])
    assert lit(studio) == ["The", "harbour", "opened"]
    expect(studio.shares.first).to_have_text("2 of 4 words uncovered")
    studio.press("Shift+Enter").expect_saved()
    assert stands_on(room, "harbour") == [["The harbour", "opened"]]
    assert pyramid_parts(desk, room, "harbour") == ["The harbour", "opened"]


def pyramid_parts(page: Page, room: Room, key: str) -> list[str]:
    """What the .pyr of an example says that its first unit stands on."""
    answer = page.request.get(f"/p/{room.slug}/units/{room.set_id}/export/pyramid/")
    with zipfile.ZipFile(io.BytesIO(answer.body())) as files:
        text = files.read(f"{key}.pyr").decode()
    unit = text[text.index("<scu ") : text.index("</scu>")]
    return [part.partition('"')[0] for part in unit.split('<part label="')[1:]]


def test_a_span_follows_later_changes_and_is_undone_with_them(desk: Page, room: Room) -> None:
    studio = Studio(desk).open(room.path("orchard")).press("n", "Control+a")
    studio.type("The orchard opened.").press("Shift+Enter").expect_saved()
    studio.press("e", "End", "Backspace").type(" on Friday.").press("Escape").expect_saved()
    follows = [["The orchard", "opened again on Friday"]]
    assert stands_on(room, "orchard") == follows
    studio.press("z").expect_saved()
    assert stands_on(room, "orchard") == [["The orchard", "opened"]]
    studio.press("Shift+Z").expect_saved()
    assert stands_on(room, "orchard") == follows


def test_what_was_narrowed_outlives_the_page(open_desk: OpenPage, room: Room) -> None:
    desk = open_desk()
    desk.clock.install(time=0)
    studio = Studio(desk).open(room.path("station"))
    desk.clock.pause_at(600_000)
    studio.press("n", "Control+a").type("The station opened.")
    desk.clock.resume()
    desk.reload()
    studio.ready()
    expect(studio.units.locator("q")).to_have_text(["The station", "opened"])


def test_words_are_added_and_taken_by_key(desk: Page, room: Room) -> None:
    studio = Studio(desk).open(room.path("museum")).press("n", "Control+a")
    studio.type("The museum opened.").press("Escape").expect_saved()
    studio.press("w", "w", "w", "w", "c").expect_saved()
    assert stands_on(room, "museum") == [["The museum", "Brack opened"]]
    studio.press("c", "Escape", "Shift+Q").expect_saved()
    assert stands_on(room, "museum") == [["The museum at Brack opened again on Friday."]]
    studio.press("q").expect_saved()
    assert stands_on(room, "museum") == [["The museum", "opened"]]
    studio.press("q")
    expect(studio.message).to_contain_text("Nothing to change")


def test_words_are_added_by_mouse_while_somebody_types(desk: Page, room: Room) -> None:
    studio = Studio(desk).open(room.path("library")).press("n", "Control+a")
    studio.type("The library opened.")
    studio.words(0).filter(has_text="Friday").click()
    desk.get_by_role("button", name="Add to unit").click()
    expect(studio.field).to_be_focused()
    expect(studio.in_hand.locator("q")).to_have_text(["The library", "opened", "Friday"])
    expect(desk.get_by_role("button", name="Remove from unit")).to_be_visible()
    studio.type(" Really.").press("Shift+Enter").expect_saved()
    assert stands_on(room, "library") == [["The library", "opened", "Friday"]]


def test_each_half_of_a_unit_stands_on_its_own_words(desk: Page, room: Room) -> None:
    studio = Studio(desk).open(room.path("tower")).press("n", "Control+a")
    studio.type("The tower opened and Brack is a place.").press("Shift+Enter", "s").expect_saved()
    assert stands_on(room, "tower") == [["The tower", "opened"], ["Brack"]]


def test_enter_goes_on_with_the_words_that_are_left(desk: Page, room: Room) -> None:
    """Two content words in a row are worth a unit: here those of the second sentence."""
    studio = Studio(desk).open(room.path("market")).press("j", "n", "Control+a")
    studio.type("Volunteers had mended.").press("Enter")
    left = REFERENCE.split(". ")[1].removeprefix("Volunteers had mended ")
    expect(studio.field).to_have_value(f"{left[0].upper()}{left[1:]}.")
