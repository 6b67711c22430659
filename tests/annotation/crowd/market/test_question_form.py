"""A QuestionForm with every constraint, created by boto3, filled in, and read from its Answer."""

from __future__ import annotations

import time
from typing import Any

import pytest
from botocore.exceptions import ClientError
from django.test import Client

from annotation.crowd.market.answers import WrongAnswers, build_form_answers
from annotation.crowd.market.models_accounts import Requester
from annotation.crowd.market.models_work import MarketAssignment, QualificationRequest
from annotation.crowd.market.question_forms import (
    MAX_TEXT,
    PatternError,
    Question,
    check_pattern,
    matches,
    read_form,
)
from tests.annotation.conftest import sign_in
from tests.annotation.corpora.pages import Page
from tests.annotation.crowd.market.requesting import HIT, code_of, make_requester, make_wired_client
from tests.annotation.crowd.question_forms import (
    EVERYTHING,
    GOOD,
    counts,
    form,
    pattern,
    question,
    read_parts,
    selection,
    style,
    text,
)
from tests.annotation.crowd.working import make_worker

pytestmark = pytest.mark.django_db


@pytest.fixture
def lab() -> Requester:
    return make_requester()


def publish(market: Any, xml: str) -> str:
    return str(market.create_hit(**{**HIT, "Question": xml})["HIT"]["HITId"])


def accept(hit_id: str) -> str:
    start = sign_in(make_worker().user).post(f"/work/hits/{hit_id}/accept/")["Location"]
    return str(start).rstrip("/").rpartition("/")[2]


def test_each_selection_comes_back_by_itself(lab: Requester):
    market = make_wired_client(lab)
    hit_id = publish(market, EVERYTHING)
    fields = {**GOOD, "assignmentId": [accept(hit_id)], "surplus": ["x"]}
    assert Client().post("/mturk/externalSubmit", fields).status_code == 200
    (sent,) = market.list_assignments_for_hit(HITId=hit_id)["Assignments"]
    assert read_parts(sent["Answer"]) == {
        "needed": [("FreeText", "x")],
        "age": [("FreeText", "42")],
        "any": [("FreeText", "-1.5e3")],
        "tale": [("FreeText", "a\r\nb")],
        "code": [("FreeText", "DE123")],
        "one": [("SelectionIdentifier", "b")],
        "some": [("SelectionIdentifier", "a"), ("SelectionIdentifier", "c")],
        "own": [("SelectionIdentifier", "b"), ("OtherSelectionText", "mine")],
        "menu": [("SelectionIdentifier", "b")],
        "list": [("SelectionIdentifier", "c")],
        "mix": [("OtherSelectionText", "mine")],
    }


def test_the_page_shows_content_and_asks_for_every_limit(lab: Requester):
    assignment_id = accept(publish(make_wired_client(lab), EVERYTHING))
    response = Client().get(f"/work/frame/{assignment_id}/", follow=True)
    html = response.content.decode()
    page = Page(html)
    assert set(page.faults) == {"an image"} | {
        f"{name}=https://pictures.example.org/{file}"
        for name, file in (("src", "dam.png"), ("src", "map.png"), ("href", "roar.mp3"))
    }
    assert "img-src 'self' data: https:" in response["Content-Security-Policy"]
    assert "<b>this</b>" in html
    assert 'alt="A map"' in html
    assert "A roar" in page.text
    for gone in ("alert(", "/account/", "stolen", "display:none", "iframe"):
        assert gone not in html
    for attributes in (
        'name="age"',
        'type="number"',
        'min="1" max="99"',
        'minlength="3" maxlength="10"',
        "data-patterns=",
        'data-fewest="2" data-most="3"',
        'name="other:own"',
        '<select name="menu" aria-label="Name of menu" required>',
        '<select name="list" aria-label="Name of list" size="4">',
        '<select name="mix" aria-label="Name of mix">',
    ):
        assert attributes in html
    for words in (
        "A number: 1 to 99.",
        "3 to 10 characters.",
        "Write a postcode.",
        "Choose 2 to 3.",
    ):
        assert words in page.text


WRONG = [
    ("needed", [" "], "Enter an answer."),
    ("age", ["100"], "Enter a number: 1 to 99."),
    ("age", ["0"], "Enter a number: 1 to 99."),
    ("any", ["many"], "Enter a number."),
    ("any", ["nan"], "Enter a number."),
    ("tale", ["ab"], "Enter 3 to 10 characters, not 2."),
    ("tale", ["a" * 11], "Enter 3 to 10 characters, not 11."),
    ("code", ["DE12"], "Write a postcode."),
    ("one", [], "Choose 1."),
    ("one", ["a", "b"], "Choose 1."),
    ("one", ["z"], "Choose one of the answers offered."),
    ("some", ["a"], "Choose 2 to 3."),
    ("some", ["a", "b", "c", "d"], "Choose 2 to 3."),
    ("own", ["a", "b", ""], "Choose 1 to 2."),
    ("other:own", ["my"], "Enter at least 3 characters, not 2."),
    ("menu", [""], "Choose 1."),
    ("list", ["a", "b"], "Choose 1."),
    ("mix", ["a"], "Choose 1."),
    ("other:mix", [""], "Choose 1."),
    ("other:own", [" "], "Enter an answer."),
]


@pytest.mark.parametrize(("field", "values", "problem"), WRONG)
def test_a_wrong_answer_is_refused_by_the_name_of_its_question(
    lab: Requester, field: str, values: list[str], problem: str
):
    assignment_id = accept(publish(make_wired_client(lab), EVERYTHING))
    fields = {**GOOD, field: values, "assignmentId": [assignment_id]}
    response = Client().post("/mturk/externalSubmit", fields)
    assert response.status_code == 422
    page = Page(response.content.decode())
    assert f"Name of {field.removeprefix('other:')}: {problem}" in page.text
    assert page.values["assignmentId"] == assignment_id
    # What was answered is still there.
    assert field == "needed" or page.values["needed"] == "x"
    assert MarketAssignment.objects.get(assignment_id=assignment_id).status == "Accepted"


@pytest.mark.parametrize("key", ["age", "any", "tale", "code", "some", "own", "list"])
def test_what_is_not_required_may_be_left_out(key: str):
    fields = {name: values for name, values in GOOD.items() if name.removeprefix("other:") != key}
    assert key not in read_parts(build_form_answers(read_form(EVERYTHING), fields))


def test_an_answer_of_ones_own_needs_no_tick():
    fields = {**GOOD, "own": [], "other:own": ["mine"]}
    answers = read_parts(build_form_answers(read_form(EVERYTHING), fields))
    assert answers["own"] == [("OtherSelectionText", "mine")]


def test_a_test_of_a_qualification_has_the_same_limits(lab: Requester):
    market = make_wired_client(lab)
    kind = market.create_qualification_type(
        Name="Dams",
        Description="Knows dams.",
        QualificationTypeStatus="Active",
        Test=EVERYTHING,
        TestDurationInSeconds=600,
    )["QualificationType"]["QualificationTypeId"]
    at_work = sign_in(make_worker().user)
    page = f"/work/qualifications/{kind}/"
    at_work.post(page)
    shown = at_work.get(page)
    assert "img-src 'self' data: https:" in shown["Content-Security-Policy"]
    assert "work-questions.js" in shown.content.decode()
    refused = at_work.post(page, {**GOOD, "answers": "sent", "some": ["a"]})
    assert refused.status_code == 422
    assert "Name of some: Choose 2 to 3." in Page(refused.content.decode()).text
    assert at_work.post(page, {**GOOD, "answers": "sent"}).status_code == 302
    (asked,) = market.list_qualification_requests(QualificationTypeId=kind)["QualificationRequests"]
    assert read_parts(asked["Answer"])["some"] == [
        ("SelectionIdentifier", "a"),
        ("SelectionIdentifier", "c"),
    ]
    assert QualificationRequest.objects.get().submitted_at is not None


REFUSED = [
    (text(pattern("(?=a)b")), "question q: AnswerFormatRegex"),
    (text(pattern("(a{1000}){1000}")), "question q: AnswerFormatRegex"),
    (text(pattern("a", flags="g")), "the flags 'g' are not known"),
    (text('<IsNumeric minValue="much"/>'), "question q: minValue must be a whole number"),
    (text('<Length maxLength="-1"/>'), "question q: maxLength must be a whole number"),
    (selection(counts(3, 2), "a", "b", "c"), "question q: MinSelectionCount 3"),
    (selection(counts(3, 3), "a", "b"), "question q: MinSelectionCount 3"),
    (selection("", "a", "a"), "question q: two selections have the same SelectionIdentifier"),
    ("<FileUploadAnswer/>", "question q: FileUploadAnswer isn't supported"),
]


@pytest.mark.parametrize(("answer", "words"), REFUSED)
def test_limits_that_make_no_sense_are_refused_at_creation(lab: Requester, answer: str, words: str):
    with pytest.raises(ClientError, match="XMLParseError") as refused:
        publish(make_wired_client(lab), form(question("q", answer)))
    assert code_of(refused.value) == "XMLParseError"
    assert words in str(refused.value)


def test_applets_are_refused_at_creation(lab: Requester):
    shown = "<Text>Play.</Text><Application><Flash/></Application>"
    with pytest.raises(ClientError, match="Application isn't supported") as refused:
        publish(make_wired_client(lab), form(question("q", text(), content=shown)))
    assert code_of(refused.value) == "XMLParseError"


PICTURE = "<FormattedContent><![CDATA[<img src='https://x.example.org/a.png' alt='A'>]]>"


@pytest.mark.parametrize(
    "answer",
    [
        selection(f"{style('radiobutton')}", "a", "b"),
        selection(f"{style('multichooser')}{counts(0, 2)}", "a", "b"),
        selection(f"{style('dropdown')}{counts(1, 2)}", "a", "b"),
        selection(style("dropdown"), "a").replace(
            "<Text>Choice a</Text>", f"{PICTURE}</FormattedContent>"
        ),
    ],
)
def test_what_does_not_fit_in_a_menu_has_buttons(answer: str):
    (item,) = read_form(form(question("q", answer))).form
    assert item.menu == 0


EVIL = ["^(a+)+$", "(a|aa)+$", "(a|a?)+b", "(.*a){20}$", "(?:a?){1000}(?:a?){1000}y"]


@pytest.mark.parametrize("regex", EVIL)
def test_no_pattern_hangs_the_server(regex: str):
    xml = read_form(form(*(question(f"q{n}", text(pattern(regex))) for n in range(60))))
    fields = {item.key: ["a" * (MAX_TEXT - 1) + "!"] for item in xml.form}
    began = time.process_time()
    with pytest.raises(WrongAnswers):
        build_form_answers(xml, fields)
    assert time.process_time() - began < 5


def test_a_pattern_is_matched_as_javascript_does():
    assert matches("b", "", "abc")
    assert not matches("^b$", "", "abc")
    assert matches("^STRASSE$", "i", "Strasse")
    assert matches(r"^\u00e9\/\d$", "", "é/1")
    assert not matches(r"^\d$", "", "٣")
    with pytest.raises(PatternError):
        check_pattern("(", "")


def test_what_is_longer_than_patterns_are_matched_with_is_refused():
    xml: Question = read_form(form(question("q", text(pattern("a")))))
    with pytest.raises(WrongAnswers, match="at most 10,000 characters"):
        build_form_answers(xml, {"q": ["a" * (MAX_TEXT + 1)]})
