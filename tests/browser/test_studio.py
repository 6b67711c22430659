"""The SCU studio: written in by keyboard, by two at once, and through everything that breaks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.rest import Rest
from tests.browser.sessions import OpenPage, Seat
from tests.browser.studio import (
    REFERENCE,
    Room,
    Studio,
    make_room,
    seat_guests,
    write_first_unit,
)
from tests.servers import Product, wait_until

FIRST, SECOND, THIRD = (f"{part}." for part in REFERENCE.rstrip(".").split(". "))


@pytest.fixture(scope="module")
def room(rest: Rest, product: Product) -> Room:
    return make_room(rest, product, "studio")


@pytest.fixture(scope="module")
def guests(browser: Browser, product: Product, room: Room) -> Iterator[dict[str, Seat]]:
    with seat_guests(browser, product) as seats:
        yield seats


@pytest.fixture
def annas(guests: dict[str, Seat]) -> Iterator[Page]:
    with guests["anna"].pages() as open_page:
        yield open_page()


@pytest.fixture
def veras(guests: dict[str, Seat]) -> Iterator[Page]:
    with guests["vera"].pages() as open_page:
        yield open_page()


# By keyboard -------------------------------------------------------------------------------------


def test_it_writes_a_whole_example_by_keyboard(desk: Page, room: Room) -> None:
    studio = Studio(desk).open(room.path("harbour"))
    expect(studio.shares).to_contain_text(["uncovered"] * 5)
    studio.press("n")
    expect(studio.field).to_have_value(FIRST.format("harbour"))
    for following in (SECOND, THIRD, "Friday saw the harbour of Brack open its doors."):
        studio.press("Enter")
        expect(studio.field).to_have_value(following)
    studio.press("Enter", "Enter")
    expect(studio.field).to_have_value("")
    expect(studio.message).to_contain_text("Write another fact")
    studio.type("The council has new glass.").press("Enter")
    expect(studio.field).to_have_value("")
    studio.press("Enter")
    expect(studio.field).to_have_count(0)
    expect(studio.message).to_contain_text("mark the example as written")
    expect(studio.shares).to_have_text(["all words covered"] * 5)
    studio.expect_saved()
    assert room.texts("harbour")[4:] == [
        "The council bought new glass.",
        "The council has new glass.",
    ]
    studio.press("n").type("Glass is new.").press("Shift+Enter").expect_saved()
    assert "Glass is new." in room.texts("harbour")


def test_a_unit_whose_text_is_taken_away_again_leaves_nothing(desk: Page, room: Room) -> None:
    """It was saved while it was written; a unit without a text stops freezing."""
    studio = Studio(desk).open(room.path("cellar"))
    studio.press("n", "Enter", "Enter").expect_saved()
    before = room.texts("cellar")
    studio.press("n", "Control+a").type("It shut.").expect_saved()
    wait_until(lambda: "It shut." in room.texts("cellar"), "it is saved while it is written")
    studio.press("Control+a", "Delete", "Escape").expect_saved()
    wait_until(lambda: room.texts("cellar") == before, "no unit without a text stays")


def test_it_splits_merges_reorders_and_takes_it_all_back(desk: Page, room: Room) -> None:
    studio = Studio(desk).open(room.path("orchard"))
    whole, head, tail = FIRST.format("orchard"), "The orchard at Brack opened again.", "On Friday."
    write_first_unit(studio)
    studio.press("e", "Control+Home", *["ArrowRight"] * len(head), "Alt+KeyS").expect_texts(
        head, tail
    )
    expect(studio.in_hand).to_contain_text(tail)
    studio.press("Alt+ArrowUp").expect_texts(tail, head)
    studio.press("z").expect_texts(head, tail)
    studio.press("Shift+Z").expect_texts(tail, head)
    studio.press("z", "ArrowUp", "m")
    merged = "The orchard at Brack opened again and on Friday."
    studio.expect_texts(merged).press("z").expect_texts(head, tail)
    studio.press("z").expect_texts(whole).press("z").expect_texts().press("z")
    expect(studio.message).to_have_text("Nothing to undo.")
    studio.press(*["Shift+Z"] * 3).expect_texts(merged)
    studio.press("x").expect_texts().press("Control+z").expect_texts(merged).expect_saved()
    assert room.texts("orchard") == [merged]


def test_it_hangs_a_unit_on_words_of_several_sentences(desk: Page, room: Room) -> None:
    studio = Studio(desk).open(room.path("station"))
    write_first_unit(studio)
    studio.press("h", "j", "w", "w", "Shift+ArrowRight", "c")
    expect(studio.message).to_contain_text("added")
    expect(studio.in_hand.locator("q")).to_have_text([FIRST.format("station"), "had mended"])
    expect(studio.words(1).and_(desk.locator(".is-lit"))).to_have_text(["had", "mended"])
    studio.press("w", "w", "v", "w", "c").expect_saved()
    expect(studio.words(1).and_(desk.locator(".is-lit"))).to_have_count(0)
    (unit,) = room.state("station")["units"]
    assert [span["start"] for span in unit["spans"]] == [0]


def test_it_warns_while_somebody_types(desk: Page, room: Room) -> None:
    studio = Studio(desk).open(room.path("market"))
    studio.press("n", "Control+a").type("It opened in 1999.")
    warning = studio.in_hand.locator(".warning")
    expect(warning.filter(has_text="‘1999’ is not in any reference.")).to_be_visible()
    pronoun = warning.filter(has_text="‘It’ doesn’t say")
    pronoun.locator("summary").click()
    expect(pronoun.get_by_text("it must name its subject")).to_be_visible()
    pronoun.get_by_role("button", name="Dismiss").click()
    expect(pronoun).to_have_count(0)
    studio.expect_saved()
    desk.reload()
    studio.ready().press("ArrowDown")
    expect(warning).to_contain_text(["‘1999’ is not in any reference."])


def test_it_adds_what_an_extractor_suggests(desk: Page, room: Room) -> None:
    studio = Studio(desk).open(room.path("market")).press("3")
    suggestion = desk.locator(".suggestion", has_text="Brack opened on Friday")
    expect(suggestion).to_be_visible()
    studio.press("a").expect_saved()
    expect(suggestion).to_have_count(0)
    expect(studio.in_hand).to_contain_text("Brack opened on Friday")
    assert "Brack opened on Friday." in room.texts("market")


def test_it_offers_first_what_stands_on_the_sentence(desk: Page, room: Room) -> None:
    studio = Studio(desk).open(room.path("tower")).press("3", "i", "Shift+I")
    in_hand = desk.locator(".suggestion[aria-current]")
    expect(in_hand).to_contain_text("Brack opened on Friday")
    studio.press("j")
    expect(in_hand).to_contain_text("Volunteers mended the roof")


def test_it_leads_to_the_pyramid(desk: Page, room: Room) -> None:
    Studio(desk).open(room.path("tower"))
    desk.get_by_role("link", name="Pyramid", exact=True).press("Enter")
    expect(desk.get_by_role("heading", level=1)).to_have_text("Pyramid of tower")


def test_it_lists_every_key(desk: Page, room: Room) -> None:
    studio = Studio(desk).open(room.path("market")).press("?")
    dialog = desk.get_by_role("dialog", name="Keyboard shortcuts")
    for words in (
        "Next sentence",
        "Select words",
        "Split the unit at the cursor",
        "Merge with the next unit, or merge the marked units",
        "Move the unit up or down",
        "Undo",
        "Add the current suggestion as a unit",
        "Mark as written, or sign off",
        "Two versions: keep both",
        "Next in my queue",
        "Next example",
    ):
        expect(dialog.get_by_text(words, exact=True)).to_be_visible()
    studio.press("Escape")
    expect(dialog).to_be_hidden()


# Two at once -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "key, side, expected",
    [
        ("library", "Alt+KeyM", ["Mine."]),
        ("bridge", "Alt+KeyT", ["Theirs."]),
        ("museum", "Alt+KeyB", ["Theirs.", "Mine."]),
    ],
)
def test_it_shows_both_versions_when_two_change_one_unit(
    desk: Page, annas: Page, room: Room, key: str, side: str, expected: list[str]
) -> None:
    mine, theirs = Studio(desk), Studio(annas)
    write_first_unit(mine.open(room.path(key)))
    theirs.open(room.path(key)).press("ArrowDown", "e", "Control+a")
    desk.context.set_offline(True)
    mine.press("e", "Control+a").type("Min")
    theirs.type("Theirs.").press("Escape").expect_saved()
    desk.context.set_offline(False)
    expect(desk.get_by_text("Theirs: Anna Berg")).to_be_visible()
    mine.type("e.")
    expect(desk.get_by_label("Your version", exact=True)).to_have_value("Mine.")
    mine.press(side).expect_texts(*expected).expect_saved()
    theirs.expect_texts(*expected)
    assert room.texts(key) == expected


def test_it_shows_what_others_do_and_who(open_desk: OpenPage, annas: Page, room: Room) -> None:
    desk = open_desk()
    mine, theirs = Studio(desk), Studio(annas)
    desk.clock.install(time=0)
    mine.open(room.path("stadium"))
    theirs.open(room.path("stadium"))
    expect(mine.present).to_have_text("Also here: Anna Berg")
    expect(theirs.present).to_have_text("Also here: Demo researcher")
    desk.clock.pause_at(600_000)  # who changed a unit is said for a few seconds only
    theirs.press("n", "Enter").expect_saved()
    wait_until(lambda: mine.hears() and mine.texts.count() == 1, "the unit comes over")
    mine.expect_texts(FIRST.format("stadium"))
    expect(mine.units).to_contain_text("Anna Berg changed this")
    desk.clock.resume()
    mine.press("5")
    expect(desk.get_by_role("tabpanel", name="History")).to_contain_text("Anna Berg wrote a unit")


# Review ------------------------------------------------------------------------------------------


def test_it_reviews_a_wording_and_signs_off(desk: Page, annas: Page, room: Room) -> None:
    author, reviewer = Studio(desk), Studio(annas)
    room.write("chapel", "It opened.")
    author.open(room.path("chapel")).press("f")
    expect(desk.get_by_text("Someone else must sign it off")).to_be_visible()
    author.press("f")
    expect(author.message).to_contain_text("can't sign off their own units")
    reviewer.open(room.path("chapel")).press("ArrowDown", "r").type("Say what opened.")
    reviewer.press("Tab", "Control+a").type("The chapel opened.")
    desk_of_reviewer = annas.get_by_role("button", name="Sign off")
    desk_of_reviewer.click()
    expect(reviewer.message).to_contain_text("comment isn’t sent")
    expect(desk_of_reviewer).to_be_visible()
    annas.get_by_role("button", name="Send").click()
    expect(reviewer.message).to_have_text("Comment sent.")
    reviewer.press("f")
    expect(reviewer.message).to_contain_text("1 comment of this example is open.")
    expect(desk.get_by_role("tab", name="Comments 1")).to_be_visible()
    author.press("ArrowDown", "e", "Control+a").type("It shut.").press("Escape").expect_saved()
    author.press("o")
    comment = desk.get_by_role("tabpanel", name="Comments").locator("[data-comment]")
    expect(comment).to_be_focused()
    author.press("y")
    expect(comment).to_contain_text("Current text:It shut.")
    expect(comment.locator("ins")).to_have_text(["The chapel opened."])
    expect(comment.locator("del")).to_have_text(["It shut."])
    author.press("y").expect_texts("The chapel opened.")
    reviewer.expect_texts("The chapel opened.").press("f")
    expect(annas.get_by_text("Signed off", exact=True)).to_be_visible()
    expect(desk.get_by_text("Checked by Anna Berg")).to_be_visible()


def test_it_keeps_an_answer_until_it_is_sent(desk: Page, annas: Page, room: Room) -> None:
    author, reviewer = Studio(desk), Studio(annas)
    room.write("granary", "It opened.")
    reviewer.open(room.path("granary")).press("ArrowDown", "r").type("What did?").press("Enter")
    expect(reviewer.message).to_have_text("Comment sent.")
    author.open(room.path("granary")).press("o", "Shift+A").type("The gran")
    field = desk.get_by_label("Answer to Anna Berg")
    reviewer.press("r").type("And when?").press("Enter")
    expect(desk.locator(".comment")).to_have_count(2)
    expect(field).to_be_focused()
    author.type("ary.")
    desk.reload()
    author.ready()
    expect(field).to_have_value("The granary.")
    field.press("Enter")
    expect(desk.locator(".comment__answer")).to_have_text(["Demo researcher: The granary."])
    author.press("o", "Shift+A").type("On Friday.")
    expect(annas.get_by_role("tab", name="Comments 1")).to_be_visible()
    reviewer.press("o", "d")
    expect(desk.get_by_label("Remark")).to_have_value("On Friday.")
    desk.get_by_label("Remark").press("Enter")
    expect(annas.locator(".comment").filter(has_text="On Friday.")).to_be_visible()


def test_it_is_read_only_for_viewers(veras: Page, room: Room) -> None:
    room.write("tower", "The tower stands.")
    studio = Studio(veras).open(room.path("tower"))
    expect(veras.get_by_text("Your role in this project is viewer")).to_be_visible()
    studio.press("ArrowDown", "e", "n", "x", "f")
    expect(veras.locator("textarea")).to_have_count(0)
    expect(veras.get_by_role("button", name="New unit")).to_have_count(0)
    studio.expect_texts("The tower stands.")


def test_it_keeps_what_a_frozen_set_refuses(desk: Page, room: Room) -> None:
    sets = f"projects/{room.slug}/unit-sets/"
    frozen = room.rest.post(sets, data={"name": "short"})["id"]
    studio = Studio(desk).open(f"/p/{room.slug}/units/{frozen}/examples/{room.ids['tower']}/")
    write_first_unit(studio)
    room.rest.post(f"{sets}{frozen}/review/")
    room.rest.post(f"{sets}{frozen}/freeze/", data={"reason": "as a test"})
    studio.press("j", "n").type(" Too late.")
    expect(studio.saved).to_contain_text("Not saved: short v1 is frozen")
    desk.reload()
    studio.ready().press("l")
    expect(desk.get_by_text("Read only. short v1 is frozen")).to_be_visible()
    studio.expect_texts(FIRST.format("tower"), f"{SECOND} Too late.")
    desk.get_by_role("button", name="Discard this change").click()
    studio.expect_texts(FIRST.format("tower"))
    expect(studio.saved).to_have_text("Read only")


# Without a keyboard, without a script ------------------------------------------------------------


def test_it_is_written_with_a_finger(open_desk: OpenPage, room: Room) -> None:
    phone = open_desk(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    studio = Studio(phone).open(room.path("cellar"))
    assert phone.evaluate("document.documentElement.scrollWidth") == 390
    studio.words(1).first.tap()
    drag(phone, studio, 1, 2)
    expect(phone.get_by_text("2 words selected")).to_be_visible()
    phone.get_by_role("button", name="New unit").first.click()
    expect(studio.field).to_have_value("Had mended.")
    phone.get_by_role("button", name="Done").click()
    phone.get_by_role("tab", name="Context").click()
    expect(phone.get_by_role("tab", name="Comments")).to_be_visible()
    expect(studio.texts.first).to_be_hidden()


def drag(page: Page, studio: Studio, first: int, last: int) -> None:
    """A finger's stroke from one word of the second sentence to another."""
    boxes = [studio.words(1).nth(index).bounding_box() for index in (first, last)]
    points = [{"x": b["x"] + b["width"] / 2, "y": b["y"] + b["height"] / 2} for b in boxes if b]
    session = page.context.new_cdp_session(page)
    steps = [("touchStart", points[:1]), ("touchMove", points[1:]), ("touchEnd", [])]
    for name, touches in steps:
        session.send("Input.dispatchTouchEvent", {"type": name, "touchPoints": touches})


def test_it_can_be_read_without_javascript(open_desk: OpenPage, room: Room) -> None:
    room.write("castle", "The castle stands.")
    page = open_desk(java_script_enabled=False)
    page.goto(room.path("castle"))
    expect(page.get_by_text("The editor needs JavaScript.")).to_be_visible()
    expect(page.get_by_text(REFERENCE.format("castle")).first).to_be_visible()
    expect(page.get_by_role("listitem").filter(has_text="The castle stands.")).to_be_visible()
