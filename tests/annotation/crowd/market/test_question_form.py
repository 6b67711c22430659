"""A QuestionForm with every constraint, created by boto3, filled in, and read from its Answer."""

from __future__ import annotations

import time
from typing import Any
from xml.etree import ElementTree

import pytest
from botocore.exceptions import ClientError
from django.test import Client

from annotation.crowd.answers import NAMESPACE
from annotation.crowd.market.answer_patterns import MAX_TEXT, PatternError, check_pattern, matches
from annotation.crowd.market.form_answers import WrongAnswers, build_form_answers
from annotation.crowd.market.questions import Question, read_form
from annotation.crowd.models import MarketAssignment, QualificationRequest, Requester
from tests.annotation.conftest import sign_in
from tests.annotation.corpora.pages import Page
from tests.annotation.crowd.market.requesting import (
    HIT,
    code_of,
    make_requester,
    make_wired_client,
)
from tests.annotation.crowd.working import SCHEMAS, make_worker

pytestmark = pytest.mark.django_db

HOSTILE = (
    "<p>Look at <b>this</b>.</p><script>alert(1)</script>"
    '<img src="https://pictures.example.org/dam.png" alt="A dam" onerror="alert(2)">'
    '<a href="javascript:alert(3)">one</a><a href="/account/">two</a><form action="/work/">'
    "<input name=stolen></form><style>body{display:none}</style><iframe src=/></iframe>"
)


def question(key: str, answer: str, *, required: bool = False, content: str = "") -> str:
    is_required = f"<IsRequired>{'true' if required else 'false'}</IsRequired>"
    shown = content or f"<Text>About {key}.</Text>"
    return (
        f"<Question><QuestionIdentifier>{key}</QuestionIdentifier>"
        f"<DisplayName>Name of {key}</DisplayName>{is_required}"
        f"<QuestionContent>{shown}</QuestionContent>"
        f"<AnswerSpecification>{answer}</AnswerSpecification></Question>"
    )


def text(constraints: str = "") -> str:
    inner = f"<Constraints>{constraints}</Constraints>" if constraints else ""
    return f"<FreeTextAnswer>{inner}</FreeTextAnswer>"


def pattern(regex: str, words: str = "Write a postcode.", flags: str = "") -> str:
    return f'<AnswerFormatRegex regex="{regex}" errorText="{words}" flags="{flags}"/>'


def selection(limits: str, *keys: str, other: str = "") -> str:
    choices = "".join(
        f"<Selection><SelectionIdentifier>{key}</SelectionIdentifier><Text>Choice {key}</Text>"
        "</Selection>"
        for key in keys
    )
    return f"<SelectionAnswer>{limits}<Selections>{choices}{other}</Selections></SelectionAnswer>"


def counts(least: int, most: int) -> str:
    return (
        f"<MinSelectionCount>{least}</MinSelectionCount>"
        f"<MaxSelectionCount>{most}</MaxSelectionCount>"
    )


def form(*questions: str) -> str:
    return (
        f'<QuestionForm xmlns="{SCHEMAS}/2017-11-06/QuestionForm.xsd">'
        f"<Overview><Title>Dams</Title><FormattedContent><![CDATA[{HOSTILE}]]></FormattedContent>"
        "<Binary><MimeType><Type>image</Type><SubType>png</SubType></MimeType>"
        "<DataURL>https://pictures.example.org/map.png</DataURL><AltText>A map</AltText></Binary>"
        "<Binary><MimeType><Type>audio</Type><SubType>mp3</SubType></MimeType>"
        "<DataURL>https://pictures.example.org/roar.mp3</DataURL><AltText>A roar</AltText>"
        f"</Binary></Overview>{''.join(questions)}</QuestionForm>"
    )


EVERYTHING = form(
    question("needed", text(), required=True),
    question("age", text('<IsNumeric minValue="1" maxValue="99"/>')),
    question("any", text("<IsNumeric/>")),
    question("tale", text('<Length minLength="3" maxLength="10"/>')),
    question("code", text(pattern("^[a-z]{2}[0-9]{3}$", flags="i"))),
    question("one", selection("", "a", "b"), required=True),
    question("some", selection(counts(2, 3), "a", "b", "c", "d")),
    question(
        "own",
        selection(
            counts(1, 2),
            "a",
            "b",
            other="<OtherSelection><Constraints><Length "
            'minLength="3"/></Constraints></OtherSelection>',
        ),
    ),
)
GOOD: dict[str, list[str]] = {
    "needed": ["x"],
    "age": ["42"],
    "any": ["-1.5e3"],
    "tale": ["a\r\nb"],
    "code": ["DE123"],
    "one": ["b"],
    "some": ["a", "c"],
    "own": ["b", ""],
    "other:own": ["mine"],
}


@pytest.fixture
def lab() -> Requester:
    return make_requester()


def publish(market: Any, xml: str) -> str:
    return str(market.create_hit(**{**HIT, "Question": xml})["HIT"]["HITId"])


def accept(hit_id: str) -> str:
    start = sign_in(make_worker().user).post(f"/work/hits/{hit_id}/accept/")["Location"]
    return str(start).rstrip("/").rpartition("/")[2]


def read_parts(xml: str) -> dict[str, list[tuple[str, str]]]:
    """Tag and text of each part of each answer."""
    found = {}
    for answer in ElementTree.fromstring(xml):
        key, *parts = (
            (part.tag.removeprefix(f"{{{NAMESPACE}}}"), part.text or "") for part in answer
        )
        found[key[1]] = parts
    return found


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
    ("needed", [" "], "Write an answer."),
    ("age", ["100"], "Write a number: 1 to 99."),
    ("age", ["0"], "Write a number: 1 to 99."),
    ("any", ["many"], "Write a number."),
    ("any", ["nan"], "Write a number."),
    ("tale", ["ab"], "Write 3 to 10 characters, not 2."),
    ("tale", ["a" * 11], "Write 3 to 10 characters, not 11."),
    ("code", ["DE12"], "Write a postcode."),
    ("one", [], "Choose 1."),
    ("one", ["a", "b"], "Choose 1."),
    ("one", ["z"], "Choose only from the answers that are offered."),
    ("some", ["a"], "Choose 2 to 3."),
    ("some", ["a", "b", "c", "d"], "Choose 2 to 3."),
    ("own", ["a", "b", ""], "Choose 1 to 2."),
    ("other:own", ["my"], "Write at least 3 characters, not 2."),
    ("other:own", [" "], "Write an answer."),
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


@pytest.mark.parametrize("key", ["age", "any", "tale", "code", "some", "own"])
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
]


@pytest.mark.parametrize(("answer", "words"), REFUSED)
def test_limits_that_make_no_sense_are_refused_at_creation(lab: Requester, answer: str, words: str):
    with pytest.raises(ClientError, match="XMLParseError") as refused:
        publish(make_wired_client(lab), form(question("q", answer)))
    assert code_of(refused.value) == "XMLParseError"
    assert words in str(refused.value)


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
