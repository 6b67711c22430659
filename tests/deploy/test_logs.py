"""What strangers send is one short line in the log: no traceback, no flood, and not nothing."""

from __future__ import annotations

import inspect
import io
import logging
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from uvicorn.protocols.http import h11_impl

from deploy import logs

TOKEN = "a" * 32
FORM = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data; boundary=x"
PART = b'--x\r\nContent-Disposition: form-data; name="a%d"%s\r\n\r\nv\r\n'


def parts(count: int, more: bytes = b"") -> bytes:
    return b"".join(PART % (number, more) for number in range(count)) + b"--x--\r\n"


HOSTILE: dict[str, dict[str, Any]] = {
    "another host": {"headers": {"host": "evil.test"}},
    "no host name": {"headers": {"host": "a b<script>"}},
    "another host over REST": {"path": "/api/v1/projects/", "headers": {"host": "evil.test"}},
    "another host at the marketplace": {"path": "/mturk/", "headers": {"host": "evil.test"}},
    "no boundary": {"data": b"abc", "content_type": "multipart/form-data"},
    "a boundary beyond ASCII": {"data": b"a", "content_type": "multipart/form-data; boundary=\xff"},
    "bytes that are no text": {"data": b"a=%ff", "content_type": f"{FORM}; charset=utf-16"},
    "many fields": {"data": b"&".join([b"a="] * 3000), "content_type": FORM},
    "many parts": {"data": parts(3000), "content_type": MULTIPART},
    "many files": {"data": parts(2500, b'; filename="f"'), "content_type": MULTIPART},
    "a large body": {"data": b"a=" + b"x" * 3_000_000, "content_type": FORM},
    "a cookie of no use": {"data": b"a=b", "content_type": FORM, "cookie": "\xff"},
    "a foreign origin": {"data": b"a=b", "content_type": FORM, "headers": {"origin": "http://["}},
    "a missing page": {"path": "/%ff%fe/\r\nERROR forged: line", "method": "get"},
    "a long path": {"path": "/" + "a" * 3900, "method": "get"},
}


@pytest.fixture
def console() -> Iterator[io.StringIO]:
    """What the server prints, from a minute without any line."""
    handler = logging.getLogger("django").handlers[0]
    assert isinstance(handler, logging.StreamHandler)
    filters = [item for item in handler.filters if isinstance(item, logs.RefusedRequests)]
    assert len(filters) == 1
    fresh = logs.RefusedRequests()
    handler.removeFilter(filters[0])
    handler.addFilter(fresh)
    text = io.StringIO()
    before = handler.setStream(text)
    yield text
    handler.setStream(before)
    handler.removeFilter(fresh)
    handler.addFilter(filters[0])


def send(
    path: str = "/sign-in/", method: str = "post", cookie: str = TOKEN, **request: Any
) -> HttpResponse:
    client = Client(enforce_csrf_checks=True)
    client.cookies["csrftoken"] = cookie
    call: Any = client.get if method == "get" else client.post
    return call(path, **request)


@pytest.mark.django_db
@pytest.mark.parametrize("what", HOSTILE)
def test_it_logs_one_short_line_of_a_hostile_request(what: str, console: io.StringIO):
    answer = send(**HOSTILE[what])
    assert 400 <= answer.status_code < 500
    (line,) = console.getvalue().splitlines()
    assert " WARNING django." in line
    assert len(line) < 400


@pytest.mark.django_db
def test_it_names_the_host_that_was_refused(console: io.StringIO):
    send(headers={"host": "evil.test"})
    assert "Invalid HTTP_HOST header: 'evil.test'" in console.getvalue()


@pytest.mark.django_db
def test_it_stops_writing_and_says_how_much_it_left_out(
    console: io.StringIO, monkeypatch: pytest.MonkeyPatch
):
    now = 1000.0
    monkeypatch.setattr(logs, "time", SimpleNamespace(monotonic=lambda: now))
    for _ in range(logs.LINES_PER_MINUTE + 7):
        send(headers={"host": "evil.test"})
    assert len(console.getvalue().splitlines()) == logs.LINES_PER_MINUTE
    now += logs.MINUTE
    send(headers={"host": "evil.test"})
    assert console.getvalue().endswith(" (7 more lines like this were omitted)\n")


def test_it_bounds_what_the_web_server_says_of_bytes_that_are_no_request(
    monkeypatch: pytest.MonkeyPatch,
):
    assert logs.NO_REQUEST in inspect.getsource(h11_impl)
    logger, text = logging.getLogger("uvicorn.error"), io.StringIO()
    monkeypatch.setattr(logger, "handlers", [logging.StreamHandler(text)])
    for _ in range(logs.LINES_PER_MINUTE + 7):
        logger.warning(logs.NO_REQUEST)
    assert text.getvalue().splitlines() == [logs.NO_REQUEST] * logs.LINES_PER_MINUTE


def test_it_shows_faults_of_ours_in_full(console: io.StringIO):
    logger = logging.getLogger("django.request")
    for _ in range(logs.LINES_PER_MINUTE + 1):
        try:
            raise RuntimeError("ours")
        except RuntimeError:
            logger.exception("Internal Server Error: /", extra={"status_code": 500})
    assert console.getvalue().count("RuntimeError: ours\n") == logs.LINES_PER_MINUTE + 1
