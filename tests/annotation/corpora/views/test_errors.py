"""Error pages: calm, complete, and silent about the inside."""

from __future__ import annotations

import logging
import re
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpRequest
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Project
from annotation.middleware import POLICY
from tests.annotation.corpora.pages import HOSTILE, page_of


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes the project list raise what it is given."""

    def raise_it(error: Exception) -> None:
        def fail(user: User) -> None:
            raise error

        monkeypatch.setattr("annotation.corpora.projects.queries.list_projects", fail)

    return raise_it


@pytest.mark.parametrize(
    "error, status",
    [
        (SuspiciousOperation("tulip"), 400),
        (PermissionDenied("tulip"), 403),
        (RuntimeError("tulip"), 500),
    ],
)
def test_it_tells_nothing_of_its_inside(
    error: Exception, status: int, failing: Any, as_owner: Client
):
    failing(error)
    as_owner.raise_request_exception = False
    response = as_owner.get("/")
    page = page_of(response, status)
    assert f"Error {status}" in page.text
    assert "tulip" not in page.html
    assert response["Content-Security-Policy"] == POLICY


@pytest.mark.parametrize(
    "path", ["/nowhere/", "/p/", "/p/A B/", "/p/study/examples/x/", "/p/study/examples/-1/"]
)
def test_it_says_that_nothing_is_there(path: str, project: Project, as_owner: Client):
    page = page_of(as_owner.get(path), 404)
    assert "Page not found" in page.text
    assert "/" in page.links


def test_it_says_what_a_role_does_not_allow(project: Project, as_viewer: Client):
    page = page_of(as_viewer.get("/p/study/settings/"), 403)
    assert "Only owners can do this; you are a viewer." in page.text


def test_it_repeats_nothing_unescaped(db: None, as_owner: Client):
    page_of(as_owner.get(f"/{HOSTILE}/"), 404)
    page_of(as_owner.get("/p/none/", {"next": HOSTILE}), 404)


def test_it_refuses_a_form_without_our_mark(owner: User):
    client = Client(enforce_csrf_checks=True)
    client.force_login(owner)
    response = client.post("/projects/new/", {"name": "Dams", "slug": "dams"})
    page = page_of(response, 403)
    assert "Nothing was changed." in page.text
    assert response["Content-Security-Policy"] == POLICY
    assert not Project.objects.exists()


def test_it_refuses_a_name_that_is_not_this_servers(db: None):
    response = Client().get("/sign-in/", headers={"Host": "evil.example"})
    page_of(response, 400)


@pytest.mark.parametrize(
    "path",
    ["/sign-in/", "/", "/nowhere/", "/api/v1/me/", "/api/v1/nowhere/", "/api/schema/", "/healthz"],
)
def test_it_sends_the_policy_with_every_answer(path: str, db: None):
    response = Client().get(path)
    assert response["Content-Security-Policy"] == POLICY
    assert response["X-Frame-Options"] == "DENY"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Referrer-Policy"] == "same-origin"


def test_it_forbids_everything_but_our_own_files():
    rules = dict(rule.split(" ", 1) for rule in POLICY.split("; "))
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == rules["style-src"] == "'self'"
    assert "unsafe" not in POLICY
    assert "http" not in POLICY


def test_it_answers_in_json_below_the_api(owner: User):
    from annotation.errors import bad_request, permission_denied

    for view, status in ((bad_request, 400), (permission_denied, 403)):
        request = HttpRequest()
        request.path = "/api/v1/projects/"
        response = view(request)
        assert (response.status_code, response["Content-Type"]) == (status, "application/json")


def test_it_refuses_a_large_body_of_somebody_unknown_before_reading_it(client, uploads):
    """Nothing of it reaches the disk, and no form is needed to find that out."""
    file = SimpleUploadedFile("big.zip", b"x" * (2**20 + 1))
    answer = client.post("/p/study/imports/new/", {"files": file})
    assert answer.status_code == 413
    assert "too large for this server" in answer.content.decode()
    assert not uploads.exists()


@pytest.mark.parametrize("path", ["/", "/api/v1/projects/"])
def test_it_names_a_defect_by_the_reference_that_the_log_has(
    path: str, as_owner: Client, failing: Any, monkeypatch: pytest.MonkeyPatch
):
    failing(ValueError("a defect with secret words"))
    lines: list[logging.LogRecord] = []
    handler = logging.Handler()
    monkeypatch.setattr(handler, "emit", lines.append)
    monkeypatch.setattr(as_owner, "raise_request_exception", False)
    logging.getLogger("django.request").addHandler(handler)
    try:
        response = as_owner.get(path)
    finally:
        logging.getLogger("django.request").removeHandler(handler)
    assert response.status_code == 500
    assert "secret words" not in response.content.decode()
    found = re.search(r"reference\s+(?:<strong>)?([0-9a-f]{8})", response.content.decode())
    assert found
    (line,) = lines
    assert f"(reference {found[1]})" in line.getMessage()
    assert line.exc_info
