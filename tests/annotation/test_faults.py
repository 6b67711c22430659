"""Faults that pass: named once, and told by every entry point in its own shape."""

from __future__ import annotations

import errno
import json
import re
import sqlite3
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import InterfaceError, OperationalError, ProgrammingError
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Project
from annotation.crowd.market.models_work import MarketAssignment
from annotation.crowd.market.work import accept_hit
from annotation.errors import DomainError, Invalid
from annotation.faults import Fault, classify_fault
from tests.annotation.corpora.pages import page_of
from tests.annotation.crowd.working import make_hit, make_type, make_worker

BUSY = OperationalError("database is locked")
FULL = OSError(errno.ENOSPC, "No space left on device")


def wrapped(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


def postgresql(state: str | None, kind: type[Exception] = OperationalError) -> Exception:
    cause = psycopg.errors.lookup(state)("x") if state else psycopg.OperationalError("refused")
    return wrapped(kind("x"), cause)


@pytest.mark.parametrize(
    "error, fault",
    [
        (BUSY, Fault.DATABASE),
        (OperationalError("database table is locked: corpora_job"), Fault.DATABASE),
        (OperationalError("unable to open database file"), Fault.DATABASE),
        (OperationalError("database or disk is full"), Fault.DISK),
        (OperationalError("disk I/O error"), Fault.DISK),
        (OperationalError("attempt to write a readonly database"), Fault.DISK),
        (OperationalError("no such table: corpora_job"), None),
        (OperationalError('near "SELEC": syntax error'), None),
        (postgresql("53100"), Fault.DISK),
        (postgresql("58030"), Fault.DISK),
        (postgresql("53300"), Fault.DATABASE),
        (postgresql("55P03"), Fault.DATABASE),
        (postgresql("57P01"), Fault.DATABASE),
        (postgresql("57P03"), Fault.DATABASE),
        (postgresql("08006"), Fault.DATABASE),
        (postgresql("40P01"), Fault.DATABASE),
        (postgresql(None), Fault.DATABASE),
        (postgresql("42P01", ProgrammingError), None),
        (InterfaceError("connection already closed"), Fault.DATABASE),
        (FULL, Fault.DISK),
        (OSError(errno.EDQUOT, "Disk quota exceeded"), Fault.DISK),
        (OSError(errno.EROFS, "Read-only file system"), Fault.DISK),
        (FileNotFoundError(errno.ENOENT, "No such file"), None),
        (ConnectionRefusedError(errno.ECONNREFUSED, "of somebody else's server"), None),
        (wrapped(Invalid("This file is damaged."), FULL), Fault.DISK),
        (Invalid("This file is damaged."), None),
        (ValueError("a bug"), None),
    ],
)
def test_it_is_named_by_its_cause(error: Exception, fault: Fault | None) -> None:
    assert classify_fault(error) == fault


def test_it_knows_what_sqlite_really_says(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite3"
    with sqlite3.connect(path, isolation_level=None) as one:
        one.execute("CREATE TABLE t (x)")
        one.execute("BEGIN IMMEDIATE")
        with pytest.raises(sqlite3.OperationalError) as locked:
            sqlite3.connect(path, timeout=0).execute("INSERT INTO t VALUES (1)")
    assert classify_fault(OperationalError(*locked.value.args)) == Fault.DATABASE
    with sqlite3.connect(path, isolation_level=None) as small:
        small.execute("PRAGMA max_page_count = 3")
        with pytest.raises(sqlite3.OperationalError) as full:
            small.execute("INSERT INTO t VALUES (zeroblob(40000))")
    assert classify_fault(OperationalError(*full.value.args)) == Fault.DISK


def test_it_knows_what_a_full_device_really_says() -> None:
    with pytest.raises(OSError) as raised, open("/dev/full", "w", buffering=1) as out:
        out.write("x\n")
    assert classify_fault(raised.value) == Fault.DISK


# Pages ----------------------------------------------------------------------------------------


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes a function raise what it is given."""

    def raise_it(error: Exception, path: str = "projects.queries.list_projects") -> None:
        def fail(*_: Any, **__: Any) -> None:
            raise error

        monkeypatch.setattr(f"annotation.corpora.{path}", fail)

    return raise_it


@pytest.mark.parametrize(
    "error, title, code, seconds",
    [
        (BUSY, "The database is busy", "database_unavailable", "5"),
        (FULL, "The server's disk is full", "disk_unavailable", "30"),
        (wrapped(DomainError("This file is damaged."), FULL), "disk is full", "disk_un", "30"),
    ],
)
def test_it_is_told_by_every_entry_point(
    error: Exception, title: str, code: str, seconds: str, failing: Any, as_owner: Client
) -> None:
    failing(error)
    response = as_owner.get("/")
    page = page_of(response, 503)
    assert title in page.text
    assert "Nothing was saved." in page.text
    assert response["Retry-After"] == seconds
    assert f'<meta http-equiv="refresh" content="{seconds}">' in page.html
    assert response["X-Frame-Options"] == "SAMEORIGIN", "it may stand where a task would"
    assert "frame-ancestors 'self'" in response["Content-Security-Policy"]
    part = as_owner.get("/", headers={"HX-Request": "true"})
    assert (part.status_code, part["Content-Type"]) == (503, "text/plain")
    assert "Nothing was saved." in part.content.decode()
    rest = as_owner.get("/api/v1/projects/")
    assert (rest.status_code, rest["Retry-After"]) == (503, seconds)
    assert rest.json()["error"]["code"].startswith(code)
    assert rest.json()["error"]["hint"]


def test_it_keeps_what_was_typed_and_sends_it_again(failing: Any, as_owner: Client) -> None:
    failing(BUSY, "projects.service.create_project")
    typed = {"name": "<b>Dams</b>", "slug": "dams", "description": "\nTwo\nlines"}
    response = as_owner.post("/projects/new/?next=/", typed)
    page = page_of(response, 503)
    assert page.actions == ["/projects/new/?next=/"]
    assert "&lt;b&gt;Dams&lt;/b&gt;" in page.html
    assert "<b>Dams</b>" not in page.html
    assert "\n\nTwo\nlines</textarea>" in page.html, "the first line break is the parser's"
    assert "This page keeps what you entered" in page.text
    assert "js/send-again.js" in page.html
    assert "refresh" not in page.html, "that would ask for the page and forget the form"


def test_it_repeats_no_password(failing: Any, owner: User) -> None:
    failing(BUSY, "accounts.service.count_attempt")
    client = Client(raise_request_exception=False)
    client.force_login(owner)
    typed = {"current": "tulip-x", "password": "tulip-y", "again": "tulip-y"}
    response = client.post("/account/password/", typed)
    assert "tulip" not in response.content.decode()


def test_it_is_told_where_no_view_is_reached(
    monkeypatch: pytest.MonkeyPatch, owner: User, caplog: pytest.LogCaptureFixture
) -> None:
    """A session can't be read: Django turns that into its page for 500."""

    def fail(*_: Any, **__: Any) -> None:
        raise BUSY

    client = Client(raise_request_exception=False)
    client.force_login(owner)
    monkeypatch.setattr("annotation.sessions.SessionStore.load", fail)
    page = page_of(client.get("/"), 503)
    assert "The database is busy" in page.text
    assert client.get("/api/v1/projects/").status_code == 503


def test_it_leaves_bugs_what_they_are(failing: Any, as_owner: Client) -> None:
    failing(OperationalError("no such column: x"))
    as_owner.raise_request_exception = False
    page = page_of(as_owner.get("/"), 500)
    assert "Something went wrong" in page.text


# Workers and requesters -----------------------------------------------------------------------


@pytest.fixture
def assignment(db: None) -> MarketAssignment:
    return accept_hit(hit_id=make_hit(make_type(), places=1).hit_id, worker=make_worker())


def test_a_workers_answers_stay_in_the_frame(
    assignment: MarketAssignment, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**_: Any) -> None:
        raise BUSY

    path = "annotation.crowd.work.views_frame.submit_assignment"
    answers = {"assignmentId": assignment.assignment_id, "s1": "present", "comment": "good"}
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(path, fail)
        response = Client().post("/mturk/externalSubmit", answers)
    page = page_of(response, 503)
    assert response["Retry-After"] == "5"
    assert "frame-ancestors 'self'" in response["Content-Security-Policy"]
    assert "X-Frame-Options" not in response
    kept = page_fields(page.html)
    assert kept == answers
    assert Client().post(page.actions[0], kept).status_code == 200
    assignment.refresh_from_db()
    assert assignment.status == "Submitted"


def page_fields(html: str) -> dict[str, str]:
    pattern = r'<textarea name="([^"]*)" hidden>\n(.*?)</textarea>'
    return dict(re.findall(pattern, html, re.DOTALL))


def test_a_requester_is_told_to_try_again(
    wire: Any, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    from annotation.crowd.market import protocol
    from annotation.crowd.market.protocol import Request

    def fail(*_: Any) -> None:
        raise BUSY

    monkeypatch.setattr(protocol, "_run", fail)
    found = protocol.answer(Request("POST", "/mturk/", "", {}, b"{}"))
    assert (found.status, found.headers) == (503, {"Retry-After": "5"})
    assert found.body["__type"] == "ServiceFault"
    answered = Client().post("/mturk/", "{}", content_type="application/x-amz-json-1.1")
    assert (answered.status_code, answered["Retry-After"]) == (503, "5")
    assert "Nothing was saved" in json.loads(answered.content)["Message"]
