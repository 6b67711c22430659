"""Whatever goes wrong with a REST call, it is told in one shape."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from rest_framework.throttling import AnonRateThrottle, UserRateThrottle

from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Project
from tests.annotation.corpora.rest import Rest, error_of, jsonl

STUDY = "/projects/study/"
CASES: list[tuple[str, str, str, Any, int, str]] = [
    ("owner", "POST", "/projects/", {"name": "x"}, 400, "invalid"),
    ("owner", "POST", "/projects/", ["x"], 400, "invalid"),
    ("owner", "POST", "/projects/", {"name": 3, "slug": "three"}, 400, "invalid"),
    ("owner", "POST", "/projects/", {"name": "  ", "slug": "spaces"}, 400, "invalid"),
    ("owner", "POST", "/projects/", {"name": "a\x00b", "slug": "nul"}, 400, "invalid"),
    ("owner", "POST", "/projects/", {"name": "x", "slug": "new"}, 400, "invalid"),
    ("owner", "POST", "/projects/", {"name": "x", "slug": "no spaces"}, 400, "invalid"),
    ("owner", "POST", "/projects/", {"name": "x" * 121, "slug": "long"}, 400, "invalid"),
    ("owner", "POST", "/projects/", {"name": "x", "slug": "study"}, 409, "conflict"),
    ("owner", "GET", "/projects/none/", None, 404, "not_found"),
    ("owner", "GET", "/nowhere/", None, 404, "not_found"),
    ("owner", "GET", f"{STUDY}examples/999999999999999999999/", None, 404, "not_found"),
    ("owner", "GET", f"{STUDY}export/pdf/", None, 404, "not_found"),
    ("owner", "GET", f"{STUDY}export/jsonl/", None, 409, "conflict"),
    ("owner", "PUT", STUDY, {}, 405, "method_not_allowed"),
    ("owner", "GET", f"{STUDY}examples/?where=title", None, 400, "invalid"),
    ("owner", "GET", f"{STUDY}examples/?missing=verbs", None, 400, "invalid"),
    ("owner", "GET", f"{STUDY}examples/?q=%00", None, 400, "invalid"),
    ("owner", "GET", f"{STUDY}examples/?q={'x' * 201}", None, 400, "invalid"),
    ("viewer", "DELETE", STUDY, None, 403, "forbidden"),
    ("viewer", "GET", f"{STUDY}invitations/", None, 403, "forbidden"),
    ("outsider", "GET", STUDY, None, 404, "not_found"),
    ("outsider", "GET", f"{STUDY}jobs/1/", None, 404, "not_found"),
]


@pytest.mark.parametrize("who, method, path, data, status, code", CASES)
def test_it_has_one_shape(
    who: str,
    method: str,
    path: str,
    data: Any,
    status: int,
    code: str,
    project: Project,
    request: pytest.FixtureRequest,
):
    rest = Rest(request.getfixturevalue(who))
    assert error_of(rest(method, path, data)) == (status, code)


def test_it_names_the_fields_that_are_wrong(project: Project, owner: User):
    body = Rest(owner).post("/projects/", {"name": "", "slug": "a b"}).json()
    assert set(body["error"]["fields"]) == {"name", "slug"}
    assert body["error"]["message"] == "slug: " + body["error"]["fields"]["slug"][0]


def test_it_tells_an_outsider_the_same_as_of_a_project_that_is_not_there(
    project: Project, outsider: User
):
    rest = Rest(outsider)
    there, absent = rest.get("/projects/study/").json(), rest.get("/projects/other/").json()
    absent["error"]["message"] = absent["error"]["message"].replace("other", "study")
    assert there == absent


@pytest.mark.parametrize(
    "body, kind, status, code",
    [
        ("{", "application/json", 400, "invalid"),
        (b"\xff\xfe", "application/json", 400, "invalid"),
        ("[" * 100_000, "application/json", 400, "invalid"),
        ('{"name": NaN, "slug": "x"}', "application/json", 400, "invalid"),
        ("name=x", "text/plain", 415, "unsupported_media_type"),
        ("name=x&slug=y", "application/x-www-form-urlencoded", 415, "unsupported_media_type"),
    ],
    ids=["broken", "not UTF-8", "too deep", "not a number", "text", "form"],
)
def test_it_refuses_a_body_that_it_cannot_read(
    body: str | bytes, kind: str, status: int, code: str, owner: User
):
    client = Rest(owner).client
    assert error_of(client.generic("POST", "/api/v1/projects/", body, content_type=kind)) == (
        status,
        code,
    )


def test_it_refuses_files_as_json(project: Project, owner: User):
    response = Rest(owner).post("/projects/study/imports/", {"files": []})
    assert error_of(response) == (415, "unsupported_media_type")


def test_it_refuses_more_than_the_server_takes(project: Project, owner: User, settings: Any):
    settings.MAX_UPLOAD_MB = 1
    two = [SimpleUploadedFile(f"{name}.txt", b"x" * 600_000) for name in "ab"]
    rest = Rest(owner)
    assert error_of(rest.upload("/projects/study/imports/", *two)) == (413, "too_large")
    assert rest.upload("/projects/study/imports/", two[0]).status_code == 202


def test_it_refuses_more_files_than_the_server_takes(project: Project, owner: User, settings: Any):
    settings.DATA_UPLOAD_MAX_NUMBER_FILES = 2
    three = [jsonl("e1", name=f"{name}.jsonl") for name in "abc"]
    assert error_of(Rest(owner).upload("/projects/study/imports/", *three)) == (413, "too_large")


@pytest.mark.parametrize("key", ["", "Bearer", "Bearer giza_none", "Bearer a b", "Bearer \xff"])
def test_it_asks_for_a_key(key: str, db: None):
    response = Client().get("/api/v1/me/", headers={"Authorization": key})
    assert error_of(response)[0] == 401
    assert response["WWW-Authenticate"] == "Bearer"


def test_it_guards_a_session_against_other_sites(owner: User):
    client = Client(enforce_csrf_checks=True)
    client.force_login(owner)
    sent = {"name": "New", "slug": "new-one"}
    refused = client.post("/api/v1/projects/", sent, content_type="application/json")
    assert error_of(refused) == (403, "forbidden")
    client.get("/")
    token = client.cookies["csrftoken"].value
    allowed = client.post(
        "/api/v1/projects/",
        sent,
        content_type="application/json",
        headers={"X-CSRFToken": token},
    )
    assert allowed.status_code == 201


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two calls a minute, counted from none."""
    cache.clear()
    for throttle in (UserRateThrottle, AnonRateThrottle):
        monkeypatch.setattr(throttle, "THROTTLE_RATES", {"user": "2/minute", "anon": "1/minute"})


def test_it_slows_down_who_asks_too_often(slow: None, owner: User, outsider: User):
    rest = Rest(owner)
    assert [rest.get("/me/").status_code for _ in range(2)] == [200, 200]
    response = rest.get("/me/")
    assert error_of(response) == (429, "throttled")
    assert 0 < int(response["Retry-After"]) <= 60
    assert Rest(outsider).get("/me/").status_code == 200


def test_it_slows_down_strangers_sooner(slow: None, db: None):
    client = Client()
    assert client.get("/api/schema/").status_code == 200
    response = client.get("/api/schema/")
    assert response.status_code == 429
    assert int(response["Retry-After"]) > 0


def test_it_tells_nothing_of_its_inside(owner: User, monkeypatch: pytest.MonkeyPatch):
    def fail(*args: Any) -> None:
        raise RuntimeError("the password of the database is tulip")

    monkeypatch.setattr("annotation.corpora.projects.queries.list_projects", fail)
    response = Rest(owner).get("/projects/")
    assert error_of(response) == (500, "server_error")
    assert b"tulip" not in response.content
