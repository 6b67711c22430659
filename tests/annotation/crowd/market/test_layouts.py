"""HIT layouts as MTurk has them: made on a page, filled by CreateHIT, wrapped in a form."""

from __future__ import annotations

from typing import Any

import pytest
from botocore.exceptions import ClientError
from django.test import Client

from annotation.crowd.market.answers import read_answer_xml
from annotation.crowd.market.content import wrap_in_form
from annotation.crowd.market.layouts import create_layout, list_placeholders
from annotation.crowd.market.models_accounts import Requester
from annotation.crowd.market.models_work import HitLayout
from annotation.crowd.market.question_forms import read_question
from annotation.crowd.market.requesters import create_requester
from tests.annotation.conftest import sign_in
from tests.annotation.corpora.pages import Page, page_of
from tests.annotation.crowd.market.requesting import (
    HIT,
    HIT_TYPE,
    code_of,
    make_key,
    make_requester,
    make_wired_client,
)
from tests.annotation.crowd.working import html_question, make_worker
from tests.factories import make_user

pytestmark = pytest.mark.django_db

# As the templates of the field are: no document around it, no form, no button.
PAGE = """<h2>Read ${title}</h2><div>${summary}</div>
<input type="radio" name="present" value="yes"><input name="title" type="hidden" value="${title}">
<script>document.getElementById("submitButton").disabled = false;</script>"""
GIVEN = [
    {"Name": "title", "Value": "a dam"},
    {"Name": "summary", "Value": "It <b>burst</b> & cost $5 ${title}."},
]


@pytest.fixture
def lab() -> Requester:
    lab = make_requester()
    make_key(lab)
    return lab


@pytest.fixture
def layout(lab: Requester) -> HitLayout:
    assert lab.owner is not None
    return create_layout(requester=lab, user=lab.owner, name="Dams", html=PAGE, frame_height=450)


def create(market: Any, layout_id: str, given: list[dict[str, str]], **more: Any) -> Any:
    params = {name: value for name, value in HIT.items() if name != "Question"} | more
    return market.create_hit(**params, HITLayoutId=layout_id, HITLayoutParameters=given)["HIT"]


def accept(hit_id: str) -> str:
    start = sign_in(make_worker().user).post(f"/work/hits/{hit_id}/accept/")["Location"]
    return str(start).rstrip("/").rpartition("/")[2]


def test_a_layout_without_a_form_is_filled_and_can_be_sent(lab: Requester, layout: HitLayout):
    market = make_wired_client(lab)
    hit = create(market, layout.layout_id, GIVEN)
    assert hit["HITLayoutId"] == layout.layout_id
    question = read_question(market.get_hit(HITId=hit["HITId"])["HIT"]["Question"])
    assert "<h2>Read a dam</h2><div>It <b>burst</b> & cost $5 ${title}.</div>" in question.html
    assert question.frame_height == 450
    assignment_id = accept(hit["HITId"])
    shown = Client().get(f"/work/frame/{assignment_id}/", follow=True).content.decode()
    page = Page(shown)
    (action,) = page.actions
    assert '<form name="mturk_form" method="post" id="mturk_form"' in shown
    assert 'id="submitButton" value="Submit"' in shown
    fields = {"assignmentId": page.values["assignmentId"], "title": "a dam", "present": "yes"}
    assert Client().post(action.removeprefix("http://testserver"), fields).status_code == 200
    (sent,) = market.list_assignments_for_hit(HITId=hit["HITId"])["Assignments"]
    assert read_answer_xml(sent["Answer"]) == fields


def test_a_hit_type_takes_a_layout_and_a_later_edit_changes_no_hit(
    lab: Requester, layout: HitLayout
):
    market = make_wired_client(lab)
    made = market.create_hit_with_hit_type(
        HITTypeId=market.create_hit_type(**HIT_TYPE)["HITTypeId"],
        LifetimeInSeconds=600,
        HITLayoutId=layout.layout_id,
        HITLayoutParameters=GIVEN,
    )["HIT"]
    HitLayout.objects.update(html="<p>Another page.</p>")
    assert "Read a dam" in market.get_hit(HITId=made["HITId"])["HIT"]["Question"]


MISSING = (
    "Your request is missing required parameters. Required parameters include HITLayoutParameter. "
    "You have not provided all required HITLayout parameters. Missing parameter names: summary"
)
EXTRA = {"Name": "colour", "Value": "red"}


@pytest.mark.parametrize(
    ("given", "code", "words"),
    [
        (GIVEN[:1], "AWS.MissingParameters", MISSING),
        ([*GIVEN, EXTRA], "AWS.InvalidParameterValue", "has no placeholders named: colour"),
        ([*GIVEN, GIVEN[0]], "AWS.InvalidParameterValue", "a name is given twice"),
    ],
)
def test_parameters_must_fit_the_placeholders(
    lab: Requester, layout: HitLayout, given: list[dict[str, str]], code: str, words: str
):
    with pytest.raises(ClientError) as refused:
        create(make_wired_client(lab), layout.layout_id, given)
    assert code_of(refused.value) == code
    assert words in str(refused.value)


def test_a_layout_of_another_requester_does_not_exist(layout: HitLayout):
    with pytest.raises(ClientError) as refused:
        create(make_wired_client(make_requester(name="Other")), layout.layout_id, GIVEN)
    assert code_of(refused.value) == "HITLayoutDoesNotExist"
    assert f"HITLayout {layout.layout_id} does not exist." in str(refused.value)


def test_a_filled_layout_has_the_limit_of_a_question(lab: Requester, layout: HitLayout):
    large = [GIVEN[0], {"Name": "summary", "Value": "x" * 66_000}]
    with pytest.raises(ClientError) as refused:
        create(make_wired_client(lab), layout.layout_id, large)
    assert code_of(refused.value) == "XMLParseError"


def test_an_html_question_without_a_form_is_wrapped(lab: Requester):
    market = make_wired_client(lab)
    page = "<html><head><title>T</title></head><body class=a>Press.</body></html>"
    hit = market.create_hit(**{**HIT, "Question": html_question(page)})["HIT"]
    shown = Client().get(f"/work/frame/{accept(hit['HITId'])}/", follow=True).content.decode()
    assert shown.index("<body class=a>") < shown.index("<form") < shown.index("Press.")
    assert shown.index('value="Submit"') < shown.index("</form>") < shown.index("</body>")


def wrapped(html: str, *, is_preview: bool = False) -> str:
    return wrap_in_form(html, action="/a?b=1&c", assignment_id="A", is_preview=is_preview)


@pytest.mark.parametrize(
    "html",
    [
        '<form action="/x"><input></form>',
        "<crowd-form><crowd-input name=a></crowd-input></crowd-form>",
        "<script>const f = document.createElement('form');</script>",
        "<script>send(params.get('turkSubmitTo'))</script>",
    ],
)
def test_a_page_that_sends_by_itself_stays_as_it_is(html: str):
    assert wrapped(html) == html


@pytest.mark.parametrize(
    ("html", "start", "end"),
    [
        ("<p>x", "", ""),
        ("<!doctype html><p>x", "<!doctype html>", ""),
        ("<head><title>t</title></head><p>x", "<head><title>t</title></head>", ""),
        ("<HTML><BODY><p>x</BODY></HTML>", "<HTML><BODY>", "</BODY></HTML>"),
        ("<html><p>x</html>", "<html>", "</html>"),
    ],
)
def test_the_form_stands_around_the_content(html: str, start: str, end: str):
    page = wrapped(html)
    assert page.startswith(f'{start}<form name="mturk_form"')
    assert page.endswith(f"</form>{end}")
    assert 'action="/a?b=1&amp;c"' in page


def test_a_preview_has_no_button_that_works_and_a_page_keeps_its_own():
    assert "disabled" in wrapped("<p>x", is_preview=True)
    assert "submitButton" not in wrapped('<button type="submit">Done</button>')


def test_placeholders_are_found_once_each():
    assert list_placeholders("${b} ${a} ${b} ${} $ {c} ${a b} ${x.y}") == ["b", "a"]


def test_a_layout_is_made_listed_previewed_filled_edited_and_deleted_on_pages():
    owner = make_user("Ada")
    lab = create_requester(name="Lab", owner=owner)
    desk = sign_in(owner)
    start = f"/account/requesters/{lab.pk}/layouts/"
    data = {"name": "Dams", "html": PAGE, "frame_height": "0"}
    page = desk.post(start, data)["Location"]
    layout = HitLayout.objects.get()
    assert layout.layout_id in page_of(desk.get(start)).text
    shown = page_of(desk.get(page))
    assert "Fill layout" in shown.text
    preview = desk.get(f"{page}preview/", {"value-title": "a <i>dam</i>"}, follow=True)
    assert "assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE" in preview.redirect_chain[0][0]
    assert "sandbox" in preview["Content-Security-Policy"]
    assert "Read a <i>dam</i></h2><div>${summary}" in preview.content.decode()
    assert "disabled" in preview.content.decode()
    assert desk.post(page, {**data, "name": "Floods"}).status_code == 302
    layout.refresh_from_db()
    assert (layout.name, layout.html) == ("Floods", PAGE)
    assert desk.post(start, {**data, "html": " "}).status_code == 422
    assert desk.post(start, {**data, "html": "x" * 66_000}).status_code == 413
    assert desk.post(f"{page}delete/").status_code == 302
    assert "No layouts yet" in page_of(desk.get(start)).text
