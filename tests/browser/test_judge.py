"""Judging in a sandboxed frame, as workers meet it: by keyboard, by touch, through reloads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, FrameLocator, Page, expect

from annotation.crowd.judging_page.question import Worked
from tests.browser.judging import ACCEPTED, NOT_ACCEPTED, TASK, Stage, hand_keys_to, running_stage
from tests.browser.sessions import OpenPage, Seat, watched_pages

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
GROUND = {"light": "rgb(250, 248, 244)", "dark": "rgb(20, 22, 26)"}
SOUND = {"unlabelled": [], "repeated": [], "headings": 1, "mains": 1, "wide": False}
INSPECT = """() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const ids = all("[id]").map((element) => element.id);
  const fields = all("input:not([type=hidden]), textarea");
  return {
    unlabelled: fields.filter((field) => !field.labels.length).map((field) => field.name),
    repeated: ids.filter((id, at) => ids.indexOf(id) !== at),
    headings: all("h1").length,
    mains: all("main").length,
    wide: document.documentElement.scrollWidth > innerWidth,
  };
}"""


@pytest.fixture(scope="module")
def running() -> Iterator[Stage]:
    with running_stage() as stage:
        yield stage


@pytest.fixture
def stage(running: Stage) -> Stage:
    """Nothing was sent yet, and what the frame can't keep is kept."""
    running.sent.clear()
    running.is_keeping = True
    return running


@pytest.fixture(scope="module")
def workers_seat(browser: Browser, running: Stage) -> Iterator[Seat]:
    seat = Seat(browser, running.base_url)
    yield seat
    seat.context.close()


@pytest.fixture
def page(workers_seat: Seat) -> Iterator[Page]:
    with workers_seat.pages() as open_page:
        yield open_page()


@pytest.fixture
def open_page(browser: Browser, stage: Stage) -> Iterator[OpenPage]:
    """Opens pages with options of the browser's."""
    with watched_pages(browser, stage.base_url) as opened:
        yield opened


def states(frame: FrameLocator | Page) -> list[str]:
    return frame.locator("#list span").all_inner_texts()


def expect_statement(frame: FrameLocator | Page, number: int) -> None:
    key, text = TASK.statements[number - 1]
    expect(frame.locator(f"#{key}")).to_be_visible()
    expect(frame.locator(".statement:visible")).to_have_count(1)
    expect(frame.locator("#count")).to_contain_text(f"{number} of 3")
    expect(frame.locator("#list [aria-current]")).to_have_text(text)


def test_it_is_judged_by_keyboard_alone(page: Page, stage: Stage) -> None:
    frame = stage.open(page)
    hand_keys_to(frame, page)
    expect_statement(frame, 1)
    page.keyboard.press("1")
    expect_statement(frame, 2)
    expect(frame.locator("#voice")).to_have_text("Statement 2 of 3: It happened in Bergen.")
    page.keyboard.press("1")
    page.keyboard.press("ArrowUp")
    expect_statement(frame, 2)
    page.keyboard.press("2")
    expect_statement(frame, 3)
    page.keyboard.press("1")
    expect(frame.locator("#done")).to_be_visible()
    expect(frame.locator("#submit")).to_be_focused()
    page.keyboard.press("Enter")
    expect(frame.get_by_text("Thank you.")).to_be_visible()
    sent = stage.sent.pop()
    assert sent.pop("path") == ["/mturk/externalSubmit"]
    assert 0 < float(sent.pop("giza_seconds")[0]) < 3600
    expected = {"s1": "present", "s2": "absent", "s3": "present", "comment": ""}
    assert sent == {
        name: [value] for name, value in (expected | {"assignmentId": ACCEPTED}).items()
    }
    assert stage.sent == []


def test_it_is_judged_by_touch_on_a_phone(open_page: OpenPage, stage: Stage) -> None:
    page = open_page(**PHONE)
    frame = stage.open(page)
    for number in (1, 2, 3):
        expect_statement(frame, number)
        choice = frame.locator(".choice:visible").first
        box = choice.bounding_box()
        assert box
        assert box["height"] >= 56
        assert box["y"] + box["height"] <= 844
        assert box["y"] > 844 * 0.7
        choice.tap()
    frame.get_by_role("button", name="Submit").tap()
    expect(frame.get_by_text("Thank you.")).to_be_visible()
    assert stage.sent[0]["s3"] == ["present"]


def test_it_points_out_what_is_missing(page: Page, stage: Stage) -> None:
    frame = stage.open(page)
    frame.get_by_role("button", name="It happened in Bergen.").click()
    frame.get_by_role("radio", name="Not present").press("Space")
    expect_statement(frame, 3)
    frame.get_by_role("button", name="Submit").click()
    expect(frame.locator("#notice")).to_have_text("2 statements still need an answer: 1, 3.")
    assert states(frame) == ["Answer needed", "Not present", "Answer needed"]
    expect_statement(frame, 1)
    expect(frame.get_by_role("radio", name="Present", exact=False).first).to_be_focused()
    page.keyboard.press("2")
    page.keyboard.press("2")
    expect(frame.locator("#notice")).to_be_hidden()
    assert states(frame) == ["Not present"] * 3
    assert stage.sent == []


@pytest.mark.parametrize("place", ["kept by the page around it", "in its frame", "alone"])
def test_it_keeps_answers_through_a_reload(page: Page, stage: Stage, place: str) -> None:
    stage.is_keeping = place == "kept by the page around it"
    task: Page | FrameLocator = stage.open(page)
    if place == "alone":
        page.goto(stage.address("/own"))
        task = page
    task.locator("#instructions > summary").click()
    task.get_by_text("Leave a comment").click()
    task.locator("#comment").fill("Kept?")
    task.locator("h1").click()
    page.keyboard.press("2")
    expect_statement(task, 2)
    if place == "in its frame":
        task.locator("body").evaluate("() => { document.body.id = 'old'; location.reload(); }")
    else:
        page.reload()
    expect(task.locator("body:not(#old) form.is-live")).to_be_visible()
    expect_statement(task, 2)
    assert states(task) == ["Not present", "Unanswered", "Unanswered"]
    expect(task.locator("#comment")).to_have_value("Kept?")
    assert not task.locator("#instructions").evaluate("(details) => details.open")


def test_it_is_inert_in_a_preview(page: Page, stage: Stage) -> None:
    frame = stage.open(page, assignment=NOT_ACCEPTED)
    expect(frame.locator("#notice")).to_have_text("Preview: accept the HIT to answer.")
    hand_keys_to(frame, page)
    page.keyboard.press("1")
    expect(frame.locator("#voice")).to_have_text("Preview: accept the HIT to answer.")
    frame.get_by_text("Not present").locator("visible=true").last.click()
    frame.get_by_role("button", name="Submit").click()
    expect_statement(frame, 1)
    page.keyboard.press("ArrowDown")
    expect_statement(frame, 2)
    assert frame.locator("input:checked").count() == 0
    assert stage.sent == []


@pytest.mark.parametrize("place", ["https://evil.example.org", "javascript:alert(1)"])
def test_it_refuses_to_send_elsewhere(page: Page, stage: Stage, place: str) -> None:
    frame = stage.open(page, submit_to=place)
    expect(frame.locator("#notice")).to_contain_text(place)
    hand_keys_to(frame, page)
    for _ in TASK.statements:
        page.keyboard.press("1")
    expect(frame.locator("#submit")).to_be_focused()
    page.keyboard.press("Enter")
    expect(frame.locator("#notice")).to_contain_text(place)
    expect(frame.locator("#done")).to_be_visible()
    assert stage.sent == []


def test_it_begins_with_practice_that_is_not_counted(page: Page, stage: Stage) -> None:
    lessons = (
        Worked("It rained.", "It snowed.", "absent", "Rain is not snow."),
        Worked("It rained.", "There was rain.", "present", ""),
    )
    frame = stage.open(page, replace(TASK, training=lessons))
    hand_keys_to(frame, page)
    word = frame.locator("#practice-word")
    expect(frame.locator("#work")).to_be_hidden()
    page.keyboard.press("1")
    expect(word).to_have_text("Not quite: not present. Rain is not snow.")
    page.keyboard.press("Enter")
    expect(frame.get_by_role("heading", name="Practice 2 of 2")).to_be_focused()
    page.keyboard.press("1")
    expect(word).to_have_text("Correct: present.")
    page.keyboard.press("Enter")
    expect_statement(frame, 1)
    assert states(frame) == ["Unanswered"] * 3
    page.reload()
    expect_statement(frame, 1)
    expect(frame.locator("#practice")).to_be_hidden()


def test_rules_that_nobody_has_read_are_shown(page: Page, stage: Stage) -> None:
    """Of the same requester, under the same title: what counts is what stands in them."""
    first = replace(TASK, training=(Worked("It rained.", "It snowed.", "absent", "No snow."),))
    frame = stage.open(page, first)
    hand_keys_to(frame, page)
    for key in ("2", "Enter", "1"):
        page.keyboard.press(key)
    expect_statement(frame, 2)
    stage.open(page, first)
    expect(frame.locator("#practice")).to_be_hidden()
    assert not frame.locator("#instructions").evaluate("(details) => details.open")
    other = (Worked("It snowed.", "It rained.", "absent", "Snow is not rain."),)
    stage.open(page, replace(first, training=other))
    expect(frame.locator("#practice")).to_be_visible()
    assert frame.locator("#instructions").evaluate("(details) => details.open")
    stage.open(page, replace(first, instructions="Judge by other rules."))
    expect(frame.locator("#practice")).to_be_visible()


def test_a_closed_tab_loses_neither_answers_nor_time(open_page: OpenPage, stage: Stage) -> None:
    page = open_page()
    page.clock.install()
    frame = stage.open(page)
    hand_keys_to(frame, page)
    page.keyboard.press("2")
    expect_statement(frame, 2)
    page.clock.fast_forward(30_000)
    page.wait_for_function("JSON.parse(localStorage['giza-judge:draft:3ASSIGNMENT']).seconds >= 30")
    opened = page.context.new_page()
    page.close()
    frame = stage.open(opened)
    expect_statement(frame, 2)
    assert states(frame) == ["Not present", "Unanswered", "Unanswered"]
    hand_keys_to(frame, opened)
    for key in ("1", "1", "Enter"):
        opened.keyboard.press(key)
    expect(frame.get_by_text("Thank you.")).to_be_visible()
    assert float(stage.sent[0]["giza_seconds"][0]) >= 30


def test_drafts_are_kept_for_two_weeks(page: Page, stage: Stage) -> None:
    stage.open(page)
    old, recent = "giza-judge:draft:OLD", "giza-judge:draft:RECENT"
    save = '([name, days]) => localStorage.setItem(name, `{"at": ${Date.now() - days * 864e5}}`)'
    page.evaluate(save, [old, 15])
    page.evaluate(save, [recent, 13])
    stage.open(page)
    found = page.evaluate("Object.keys(localStorage)")
    assert recent in found
    assert old not in found


@pytest.mark.parametrize("scheme, width", [("light", 1440), ("dark", 390)])
def test_it_is_sound_in_every_light_and_width(
    open_page: OpenPage, stage: Stage, scheme: str, width: int
) -> None:
    page = open_page(color_scheme=scheme, viewport={"width": width, "height": 844})
    words = "Donaudampfschifffahrtsgesellschaft" * 12
    frame = stage.open(page, replace(TASK, summary=words, title=words))
    assert frame.locator("body").evaluate(INSPECT) == SOUND
    expect(frame.locator("body")).to_have_css("background-color", GROUND[scheme])
    expect(frame.get_by_role("group", name="A dam burst.")).to_be_visible()
    expect(frame.get_by_role("region", name="Summary")).to_be_visible()


def test_it_is_a_plain_form_without_javascript(open_page: OpenPage, stage: Stage) -> None:
    page = open_page(java_script_enabled=False)
    submit = f"{stage.base_url}/mturk/externalSubmit"
    stage.show(replace(TASK, submit_url=submit, assignment_id=ACCEPTED))
    page.goto("/frame")
    for group in page.get_by_role("group").all():
        if group.get_by_role("radio").count():
            group.get_by_label("Not present").check()
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_text("Thank you.")).to_be_visible()
    assert [stage.sent[0][key] for key, _ in TASK.statements] == [["absent"]] * 3
