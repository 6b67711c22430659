"""A QuestionForm with every limit, filled in by a worker: what its page asks for, what is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from playwright.sync_api import FrameLocator, Page, expect

from tests.annotation.crowd.question_forms import EVERYTHING, GOOD, read_parts
from tests.browser.clients.clients import create_hit, read_answer, take
from tests.browser.workers import expect_sent

if TYPE_CHECKING:
    from collections.abc import Iterator

PARTS = {
    "needed": [("FreeText", "x")],
    "age": [("FreeText", "42")],
    "any": [("FreeText", "-1.5e3")],
    "tale": [("FreeText", "a tale")],
    "code": [("FreeText", "DE123")],
    "one": [("SelectionIdentifier", "b")],
    "some": [("SelectionIdentifier", "a"), ("SelectionIdentifier", "c")],
    "own": [("SelectionIdentifier", "b"), ("OtherSelectionText", "mine")],
    "menu": [("SelectionIdentifier", "b")],
    "list": [("SelectionIdentifier", "c")],
    "mix": [("OtherSelectionText", "mine")],
}
# By question: what is filled in, and the field that the browser then refuses.
WRONG = [
    ("needed", [""], "needed"),
    ("age", ["100"], "age"),
    ("age", ["0"], "age"),
    ("tale", ["ab"], "tale"),
    ("code", ["DE12"], "code"),
    ("some", ["a"], "some"),
    ("some", ["a", "b", "c", "d"], "some"),
    ("own", ["a", "b", ""], "own"),
    ("other:own", ["my"], "other:own"),
    ("menu", [""], "menu"),
    ("mix", ["a"], "mix"),
    ("other:mix", [""], "mix"),
]


@pytest.fixture
def errors(worker_page: Page) -> Iterator[list[str]]:
    """Of our scripts; none is expected, whatever is filled in."""
    found: list[str] = []
    worker_page.context.on("weberror", lambda error: found.append(str(error.error)))
    yield found
    assert not found


def fill(place: FrameLocator | Page, name: str, values: list[str]) -> None:
    field = place.locator(f'[name="{name}"]')
    kind = field.first.evaluate("field => field.type")
    if kind == "checkbox":
        for box in field.all():
            box.set_checked(box.get_attribute("value") in values)
    elif kind == "radio":
        place.locator(f'[name="{name}"][value="{values[0]}"]').check()
    elif kind.startswith("select"):
        field.select_option(values[0])
    else:
        field.fill(values[0])


def fill_all(place: FrameLocator | Page) -> None:
    for name, values in {**GOOD, "tale": ["a tale"]}.items():
        fill(place, name, values)


def list_refused(place: FrameLocator | Page) -> list[str]:
    """The names of the fields that the browser would not send, each once."""
    script = "form => [...form.elements].filter(item => !item.validity.valid).map(e => e.name)"
    return list(dict.fromkeys(place.locator("form[data-question-form]").evaluate(script)))


def check_limits(place: FrameLocator | Page) -> None:
    fill_all(place)
    assert list_refused(place) == []
    for name, values, refused in WRONG:
        fill(place, name, values)
        assert list_refused(place) == [refused], (name, values)
        place.get_by_role("button", name="Submit").click()
        expect(place.locator(f'[name="{refused}"]:invalid').first).to_be_visible()
        fill(place, name, {**GOOD, "tale": ["a tale"]}[name])
        assert list_refused(place) == []


def test_the_page_asks_for_every_limit_and_the_answer_has_every_part(
    worker_page: Page, market: Any, errors: list[str]
) -> None:
    hit = create_hit(market, Question=EVERYTHING)
    frame = take(worker_page, hit)
    expect(frame.get_by_alt_text("A map")).to_be_attached()
    assert set(list_refused(frame)) == {"needed", "one", "menu", "mix"}
    check_limits(frame)
    frame.get_by_role("button", name="Submit").click()
    expect_sent(worker_page)
    assert read_parts(read_answer(market, hit)) == PARTS


def test_typing_an_answer_of_ones_own_ticks_its_box(worker_page: Page, market: Any) -> None:
    frame = take(worker_page, create_hit(market, Question=EVERYTHING))
    box = frame.locator('[name="own"][value=""]')
    expect(box).not_to_be_checked()
    fill(frame, "other:own", ["mine"])
    expect(box).to_be_checked()
    fill(frame, "other:own", [""])
    assert "other:own" in list_refused(frame)
    box.uncheck()
    assert "other:own" not in list_refused(frame)


def test_what_is_restored_is_checked_as_it_is(
    worker_page: Page, market: Any, errors: list[str]
) -> None:
    frame = take(worker_page, create_hit(market, Question=EVERYTHING))
    fill_all(frame)
    worker_page.wait_for_timeout(1000)
    worker_page.reload()
    expect(frame.locator('[name="code"]')).to_have_value("DE123")
    assert list_refused(frame) == []
    fill(frame, "some", ["a"])
    assert list_refused(frame) == ["some"]


def test_what_only_the_server_refuses_is_said_in_the_frame(
    worker_page: Page, market: Any, errors: list[str]
) -> None:
    """A worker whose browser checks nothing gets the form back as it was filled in."""
    hit = create_hit(market, Question=EVERYTHING)
    frame = take(worker_page, hit)
    fill_all(frame)
    fill(frame, "needed", [" "])
    fill(frame, "some", ["a"])
    fill(frame, "mix", ["a"])
    frame.locator("form[data-question-form]").evaluate("form => { form.noValidate = true; }")
    frame.get_by_role("button", name="Submit").click()
    said = frame.get_by_role("alert")
    for words in (
        "Name of needed: Enter an answer.",
        "Name of some: Choose 2 to 3.",
        "Name of mix: Choose 1.",
    ):
        expect(said).to_contain_text(words)
    expect(frame.locator('[name="code"]')).to_have_value("DE123")
    expect(frame.locator('[name="menu"]')).to_have_value("b")
    expect(frame.locator('[name="other:own"]')).to_have_value("mine")
    assert list_refused(frame) == ["some", "mix"]
    for name in ("needed", "some", "mix"):
        fill(frame, name, GOOD[name])
    frame.get_by_role("button", name="Submit").click()
    expect_sent(worker_page)
    assert read_parts(read_answer(market, hit)) == PARTS


def test_a_test_of_a_qualification_asks_for_the_same(
    worker_page: Page, market: Any, errors: list[str]
) -> None:
    page = worker_page
    kind = market.create_qualification_type(
        Name=f"Dams {uuid4().hex[:6]}",
        Description="Knows dams.",
        QualificationTypeStatus="Active",
        Test=EVERYTHING,
        TestDurationInSeconds=600,
    )["QualificationType"]["QualificationTypeId"]
    page.goto(f"/work/qualifications/{kind}/")
    page.get_by_role("button", name="Start test").click()
    check_limits(page)
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_text("Requested", exact=True)).to_be_visible()
    (asked,) = market.list_qualification_requests(QualificationTypeId=kind)["QualificationRequests"]
    assert read_parts(asked["Answer"]) == PARTS
