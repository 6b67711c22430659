"""The studio says one thing about what is saved, and closes nothing that nobody has read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.rest import Rest
from tests.browser.sessions import OpenPage, Seat
from tests.browser.studio import Room, Studio, make_room, seat_guests, write_first_unit
from tests.servers import Product


@pytest.fixture(scope="module")
def room(rest: Rest, product: Product) -> Room:
    return make_room(rest, product, "states")


@pytest.fixture(scope="module")
def annas_seat(browser: Browser, product: Product, room: Room) -> Iterator[Seat]:
    with seat_guests(browser, product) as seats:
        yield seats["anna"]


@pytest.fixture
def annas(annas_seat: Seat) -> Iterator[Page]:
    with annas_seat.pages() as open_page:
        yield open_page()


# Only what is on screen ----------------------------------------------------------------------


@pytest.mark.parametrize("key, state", [("y", "accepted"), ("d", "rejected")])
def test_a_key_closes_only_a_comment_that_is_on_screen(
    desk: Page, annas: Page, room: Room, key: str, state: str
) -> None:
    name = {"y": "chapel", "d": "tower"}[key]
    room.write(name, "It opened.")
    reviewer = Studio(annas).open(room.path(name))
    reviewer.press("ArrowDown", "r", "Tab", "Control+a").type("A roof opened.").press("Enter")
    expect(reviewer.message).to_have_text("Comment sent.")
    author = Studio(desk).open(room.path(name))
    expect(desk.get_by_role("tab", name="Comments 1")).to_be_visible()
    author.press("1", key)
    comment = desk.locator("[data-comment]")
    expect(comment).to_be_focused()
    expect(author.message).to_contain_text(f"press {key} again")
    assert room.state(name)["comments"][0]["state"] == "open"
    author.press("1", key)
    expect(comment).to_be_focused()
    author.press(key)
    expect(desk.locator(".comment .badge")).to_have_text([state.capitalize()])
    assert room.state(name)["comments"][0]["state"] == state


def test_an_answer_is_typed_into_a_field_that_is_on_screen(
    desk: Page, annas: Page, room: Room
) -> None:
    room.write("granary", "It opened.")
    reviewer = Studio(annas).open(room.path("granary"))
    reviewer.press("ArrowDown", "r").type("What opened?").press("Enter")
    expect(reviewer.message).to_have_text("Comment sent.")
    author = Studio(desk).open(room.path("granary"))
    expect(desk.get_by_role("tab", name="Comments 1")).to_be_visible()
    author.press("1", "Shift+A").type("The granary.")
    expect(desk.get_by_label("Answer to Anna Berg")).to_have_value("The granary.")


def test_a_key_adds_only_a_suggestion_that_is_on_screen(desk: Page, room: Room) -> None:
    studio = Studio(desk).open(room.path("market")).press("1", "a")
    expect(studio.message).to_contain_text("press a again")
    expect(desk.locator(".suggestion[aria-current]")).to_be_visible()
    assert room.texts("market") == []
    studio.press("a").expect_saved()
    assert room.texts("market") == ["Brack opened on Friday."]


def test_a_key_settles_only_a_conflict_that_is_on_screen(
    desk: Page, annas: Page, room: Room
) -> None:
    mine, theirs = Studio(desk), Studio(annas)
    write_first_unit(mine.open(room.path("bridge")))
    theirs.open(room.path("bridge")).press("ArrowDown", "e", "Control+a")
    desk.context.set_offline(True)
    mine.press("e", "Control+a").type("Mine.").press("Escape", "j", "j")
    theirs.type("Theirs.").press("Escape").expect_saved()
    desk.context.set_offline(False)
    expect(mine.saved).to_contain_text("changed by two people")
    mine.press("Alt+KeyM")
    expect(desk.get_by_text("Theirs: Anna Berg")).to_be_visible()
    assert room.texts("bridge") == ["Theirs."]
    mine.press("Alt+KeyM").expect_texts("Mine.").expect_saved()


# One truth ---------------------------------------------------------------------------------------


def test_nothing_says_saved_while_a_change_waits(desk: Page, room: Room) -> None:
    studio = Studio(desk).open(room.path("castle"))
    for _ in range(4):
        studio.press("n", "Enter")
    studio.press("Escape").expect_saved()
    desk.context.set_offline(True)
    studio.press("e").type(" Again.").press("Enter")
    expect(studio.saved).to_contain_text("1 change waiting")
    expect(desk.locator(".status")).not_to_contain_text(re.compile("saved[ .]", re.IGNORECASE))
    expect(studio.units.filter(has_text="not saved yet")).to_have_count(1)
    desk.context.set_offline(False)
    studio.press("Escape").expect_saved()
    expect(studio.units.filter(has_text="not saved yet")).to_have_count(0)


@dataclass
class HungServer:
    """It takes what the page sends and never answers, until it is let go."""

    page: Page
    held: list[Route] = field(default_factory=list)

    def hang(self) -> None:
        for address in ("**/ops/", "**/changes/*"):
            self.page.route(address, self._hold)

    def _hold(self, route: Route) -> None:
        self.held.append(route)

    def recover(self) -> None:
        self.page.unroute_all(behavior="ignoreErrors")


def test_it_says_that_the_server_hangs_and_what_is_unsaved(open_desk: OpenPage, room: Room) -> None:
    desk = open_desk()
    desk.clock.install(time=0)
    studio, server = Studio(desk).open(room.path("cellar")), HungServer(desk)
    desk.clock.pause_at(600_000)
    server.hang()
    studio.press("n", "Control+a").type("The cellar opened.").press("Shift+Enter")
    expect(studio.saved).to_have_text("Saving…")
    desk.clock.run_for(5_000)
    expect(studio.saved).to_contain_text("the server is slow: kept on this device, 1 change")
    expect(studio.units).to_contain_text(["not saved yet"])
    desk.clock.run_for(20_000)
    expect(studio.saved).to_contain_text(
        "The server isn’t responding: kept on this device, 1 change"
    )
    expect(desk.get_by_role("button", name="Try now")).to_be_visible()
    sent = len([route for route in server.held if route.request.url.endswith("/ops/")])
    server.recover()
    desk.clock.run_for(2_000)
    studio.expect_saved()
    expect(studio.units.filter(has_text="not saved yet")).to_have_count(0)
    assert sent >= 1
    assert room.texts("cellar") == ["The cellar opened."]


# Earlier wordings --------------------------------------------------------------------------------


def test_an_earlier_wording_is_restored_from_the_history(desk: Page, room: Room) -> None:
    studio = Studio(desk).open(room.path("stadium"))
    studio.press("n", "Control+a").type("The stadium opened.").press("Shift+Enter").expect_saved()
    studio.press("e", "Control+a").type("Friday came.").press("Shift+Enter").expect_saved()
    desk.goto(f"{room.path('stadium')}#history")
    desk.reload()
    studio.ready()
    history = desk.get_by_role("tabpanel", name="History")
    earlier = history.get_by_role("listitem").filter(has_text="The stadium opened.")
    earlier.get_by_role("button", name="Restore this wording").click()
    studio.expect_texts("The stadium opened.").expect_saved()
    expect(studio.in_hand.locator("q")).to_have_text(["The stadium", "opened"])
    studio.press("x").expect_saved()
    history.get_by_role("button", name="Restore unit").first.click()
    studio.expect_saved()
    assert len(room.texts("stadium")) == 1
