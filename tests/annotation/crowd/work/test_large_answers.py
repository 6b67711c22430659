"""Answers of many fields and some megabytes: taken within a bound, refused beyond it in words."""

from __future__ import annotations

import tracemalloc
from io import BytesIO
from typing import Any
from urllib.parse import urlencode

import pytest
from django.core.handlers.wsgi import WSGIRequest
from django.http import QueryDict
from django.test import Client, RequestFactory
from hypothesis import given
from hypothesis import strategies as st

from annotation.body_limit import ANONYMOUS_BYTES, REFUSED_BYTES, UNREAD, most_bytes
from annotation.crowd.market import validation
from annotation.crowd.market.answers import MAX_BYTES, read_answer_xml
from annotation.crowd.market.models_accounts import WorkerAccount
from annotation.crowd.market.models_work import MarketAssignment
from annotation.crowd.market.work import accept_hit
from annotation.crowd.work import views_frame
from annotation.crowd.work.views_frame import parse_typed_form
from tests.annotation.crowd.market.requesting import ask
from tests.annotation.crowd.working import make_hit, make_type, make_worker

pytestmark = pytest.mark.django_db
SUBMIT = "/mturk/externalSubmit"
FORM_TYPE = "application/x-www-form-urlencoded"


@pytest.fixture
def assignment(worker: WorkerAccount) -> MarketAssignment:
    return accept_hit(hit_id=make_hit(make_type()).hit_id, worker=worker)


def send(assignment: MarketAssignment, fields: dict[str, str], *, as_form: bool = True) -> Any:
    fields = {"assignmentId": assignment.assignment_id, **fields}
    client = Client()
    if as_form:
        return client.post(SUBMIT, urlencode(fields), content_type=FORM_TYPE)
    return client.post(SUBMIT, fields)


@pytest.mark.parametrize("as_form", [True, False], ids=["urlencoded", "multipart"])
@pytest.mark.parametrize(
    "fields",
    [{f"s{number}": "present" for number in range(9_000)}, {"log": "x" * 5 * 2**20}],
    ids=["many fields", "megabytes"],
)
def test_they_are_taken(assignment: MarketAssignment, fields: dict[str, str], as_form: bool):
    assert send(assignment, fields, as_form=as_form).status_code == 200
    assignment.refresh_from_db()
    assert assignment.status == "Submitted"
    sent = {"assignmentId": assignment.assignment_id, **fields}
    assert read_answer_xml(assignment.answer) == sent


@pytest.mark.parametrize("as_form", [True, False], ids=["urlencoded", "multipart"])
@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({f"s{number}": "" for number in range(10_001)}, "10,000 fields"),
        ({"log": "x" * 8 * 2**20}, "8 MB"),
        ({"log": "&" * 2_000_000}, "9.5 MB as XML"),
    ],
    ids=["too many fields", "too large", "too large as XML"],
)
def test_beyond_the_bound_they_are_refused_in_words(
    assignment: MarketAssignment, fields: dict[str, str], words: str, as_form: bool
):
    response = send(assignment, fields, as_form=as_form)
    assert response.status_code == 413
    assert words in response.content.decode()
    assert "Nothing was saved." in response.content.decode()
    assert "frame-ancestors 'self'" in response["Content-Security-Policy"], "it is shown in a frame"
    assert "X-Frame-Options" not in response
    assignment.refresh_from_db()
    assert assignment.status == "Accepted"


def test_what_the_web_server_left_unread_is_refused_in_the_frame(assignment: MarketAssignment):
    unread: Any = {UNREAD: "too large"}
    response = Client().post(SUBMIT, {"s1": "present"}, **unread)
    assert response.status_code == 413
    assert "at most 8 MB" in response.content.decode()
    assert "frame-ancestors 'self'" in response["Content-Security-Policy"]


def test_the_web_server_reads_as_much_as_is_taken(settings: Any):
    def ask_bound(path: str) -> int:
        return most_bytes(
            WSGIRequest(RequestFactory().post(path).environ | {"wsgi.input": BytesIO()})
        )

    assert settings.DATA_UPLOAD_MAX_MEMORY_SIZE == MAX_BYTES
    assert ask_bound(SUBMIT) == MAX_BYTES + REFUSED_BYTES
    assert ask_bound("/accounts/sign-in/") == ask_bound("/mturk/") == ANONYMOUS_BYTES


def test_a_page_of_the_api_holds_only_so_much(monkeypatch: pytest.MonkeyPatch):
    """The rest comes with the next page, whatever MaxResults says."""
    monkeypatch.setattr(validation, "MOST_CHARACTERS", 2_000)
    hit = make_hit(make_type(), places=4)
    for number, length in enumerate((3_000, 10, 10, 1_900)):
        taken = accept_hit(hit_id=hit.hit_id, worker=make_worker(f"Worker{number}"))
        send(taken, {"log": "x" * length})
    params: dict[str, Any] = {"HITId": hit.hit_id, "MaxResults": 100}
    sizes = []
    while (page := ask(hit.requester, "ListAssignmentsForHIT", **params))["NumResults"]:
        sizes.append(page["NumResults"])
        params["NextToken"] = page["NextToken"]
    assert sizes == [1, 2, 1]


def test_a_form_takes_little_more_memory_than_it_has(assignment: MarketAssignment):
    body = b"log=" + b"%22a" * 2**20
    tracemalloc.start()
    fields = parse_typed_form(body)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert fields == {"log": ['"a' * 2**20]}
    assert peak < 8 * len(body)


@given(
    fields=st.lists(st.tuples(st.text(), st.text()), max_size=5),
    piece=st.integers(min_value=3, max_value=9),
)
def test_it_reads_what_browsers_write(fields: list[tuple[str, str]], piece: int):
    body = urlencode(fields, errors="replace").encode()
    expected = dict(QueryDict(body).lists())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(views_frame, "PIECE_BYTES", piece)
        assert parse_typed_form(body) == expected


@pytest.mark.parametrize("body", [b"", b"&", b"a", b"a=&a=1", b"=1", b"a=%", b"a=%4&b=%zz"])
def test_it_reads_odd_forms_as_django_does(body: bytes):
    assert parse_typed_form(body) == dict(QueryDict(body).lists())


def test_a_form_of_somebody_signed_in_has_the_bound_of_typed_text(at_work: Client):
    """Python reads such a form with eighty times its size in memory."""
    response = at_work.post("/work/settings/", "a=" + "b" * 3 * 2**20, content_type=FORM_TYPE)
    assert response.status_code == 413
    assert "2.5 MB of typed text" in response.content.decode()
