"""Signature V4: what botocore signs is taken, and nothing else is."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from django.test import Client

from annotation.crowd.market.errors import AccessRefused
from annotation.crowd.market.protocol import Request, verify
from annotation.crowd.requesters.views_layouts import MAX_BYTES

KEY, SECRET = "GZKEY", "secret"
TARGET = "MTurkRequesterServiceV20170117.GetAccountBalance"


def signed(
    url: str = "http://giza.example:8000/mturk/",
    *,
    body: bytes = b"{}",
    service: str = "mturk-requester",
    secret: str = SECRET,
) -> Request:
    """A request as botocore would send it."""
    request = AWSRequest("POST", url, {"X-Amz-Target": TARGET, "X-Odd": "a   b"}, body)
    SigV4Auth(Credentials(KEY, secret), service, "eu-west-3").add_auth(request)
    prepared = request.prepare()
    headers = {name.lower(): _text(value) for name, value in prepared.headers.items()}
    path, _, query = url.partition("8000")[2].partition("?")
    return Request("POST", path, query, {**headers, "host": "giza.example:8000"}, body)


def _text(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value


def find_secret(access_key: str) -> str | None:
    return SECRET if access_key == KEY else None


def check(request: Request, now: datetime | None = None) -> str:
    return verify(request, find_secret, now or datetime.now(UTC))


def with_headers(request: Request, **changes: str) -> Request:
    named = {name.replace("_", "-"): value for name, value in changes.items()}
    return replace(request, headers={**request.headers, **named})


@pytest.mark.parametrize(
    "url",
    [
        "http://giza.example:8000/mturk/",
        "http://giza.example:8000/mturk/?b=2&a=%C3%A9%20x&a=",
        "http://giza.example:8000/",
    ],
)
def test_it_takes_what_botocore_signs(url: str):
    assert check(signed(url)) == KEY


def test_it_takes_the_host_that_a_proxy_passes_on():
    request = with_headers(signed(), host="10.0.0.7:8000", x_forwarded_host="giza.example:8000")
    assert check(request) == KEY


def without_signed(request: Request, name: str) -> Request:
    header = request.headers["authorization"].replace(f"{name};", "").replace(f";{name}", "")
    return with_headers(request, authorization=header)


def renamed(request: Request) -> Request:
    header = request.headers["authorization"].replace(KEY, "GZOTHER")
    return with_headers(request, authorization=header)


Change = Callable[[Request], Request]
REFUSED: list[tuple[str, Change]] = [
    ("InvalidSignatureException", lambda request: replace(request, body=b'{"a": 1}')),
    ("InvalidSignatureException", lambda request: replace(request, method="PUT")),
    ("InvalidSignatureException", lambda request: replace(request, path="/other/")),
    ("InvalidSignatureException", lambda request: replace(request, query="x=1")),
    ("InvalidSignatureException", lambda request: with_headers(request, host="evil.example")),
    ("InvalidSignatureException", lambda request: with_headers(request, x_amz_target="Other")),
    ("InvalidSignatureException", lambda request: signed(secret="another")),
    ("IncompleteSignatureException", lambda request: signed(service="s3")),
    (
        "MissingAuthenticationTokenException",
        lambda request: with_headers(request, authorization=""),
    ),
    (
        "IncompleteSignatureException",
        lambda request: with_headers(request, authorization="Basic x"),
    ),
    ("IncompleteSignatureException", lambda request: with_headers(request, x_amz_date="today")),
    ("IncompleteSignatureException", lambda request: without_signed(request, "x-amz-target")),
    ("IncompleteSignatureException", lambda request: without_signed(request, "host")),
    ("UnrecognizedClientException", renamed),
]


@pytest.mark.parametrize(("refusal", "change"), REFUSED)
def test_it_refuses_what_was_changed(refusal: str, change: Change):
    with pytest.raises(AccessRefused) as error:
        check(change(signed()))
    assert error.value.wire_type == refusal


@pytest.mark.parametrize(
    ("minutes", "is_taken"), [(14, True), (-14, True), (16, False), (-16, False)]
)
def test_it_allows_for_clocks_that_differ(minutes: int, is_taken: bool):
    now = datetime.now(UTC) + timedelta(minutes=minutes)
    if is_taken:
        assert check(signed(), now) == KEY
    else:
        with pytest.raises(AccessRefused, match="Signed at") as error:
            check(signed(), now)
        assert error.value.wire_type == "RequestExpired"


def test_it_answers_a_stranger_in_the_shape_of_aws(client: Client, db: None):
    response = client.post("/mturk", "{}", content_type="application/x-amz-json-1.1")
    assert response.status_code == 403
    assert response["Content-Type"] == "application/x-amz-json-1.1"
    assert json.loads(response.content)["__type"] == "MissingAuthenticationTokenException"
    assert client.post("/mturk/", "x" * MAX_BYTES, content_type="text/plain").status_code == 403
    large = client.post("/mturk/", "x" * (MAX_BYTES + 1), content_type="text/plain")
    assert large.status_code == 413
