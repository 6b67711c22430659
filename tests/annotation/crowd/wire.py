"""Calls of the marketplace with faults on their way: in this process, and by boto3.

boto3 needs no network here: its requests go to Django's test client.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest
from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from botocore.credentials import Credentials
from botocore.exceptions import EndpointConnectionError, HTTPClientError, ReadTimeoutError
from django.db import OperationalError
from django.test import Client

from annotation.crowd.market.errors import TurkError
from annotation.crowd.market.models_accounts import Requester
from annotation.crowd.market.protocol import call
from annotation.crowd.providers.mturk_wire import build_client

Fault = Callable[[str, Callable[[], Any]], AWSResponse]


class _Body:
    """As botocore reads it."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def stream(self, **_: Any) -> Any:
        yield self._content


class _Line:
    """A client, which costs a tenth of a second to make, lent to one wire after the other."""

    def __init__(self, endpoint: str) -> None:
        self._client = build_client(endpoint, "nobody's", "nobody's")
        self._client.meta.events.register("before-send.mturk", self._send)

    def lend(self, wire: Wire, credentials: tuple[str, ...]) -> Any:
        self._wire = wire
        self._client._request_signer._credentials = Credentials(*credentials)
        return self._client

    def _send(self, request: AWSPreparedRequest, **_: Any) -> AWSResponse:
        return self._wire.send(request)


_lines: dict[tuple[str, int], _Line] = {}


class Wire:
    """Counts calls by operation. `faults` are used up one by one, each by the next fitting call."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.faults: list[tuple[str, Fault]] = []
        self._numbers: dict[tuple[str, ...], int] = {}

    def make_client(self, endpoint: str, *credentials: str) -> Any:
        """One for each pair of credentials."""
        number = self._numbers.setdefault(credentials, len(self._numbers))
        if (endpoint, number) not in _lines:
            _lines[endpoint, number] = _Line(endpoint)
        return _lines[endpoint, number].lend(self, credentials)

    def put_in(self, patch: pytest.MonkeyPatch) -> None:
        """Let every client of the product be one of these, and repeat without a pause."""
        patch.setattr("annotation.crowd.market.in_process.call", self.call)
        patch.setattr("annotation.crowd.providers.base.PAUSES", (0, 0, 0))
        patch.setattr("annotation.crowd.providers.mturk_wire.MOST_WAITS", 0)

    def fail(self, operation: str, fault: Fault) -> None:
        self.faults.append((operation, fault))

    def count(self, operation: str) -> int:
        return self.calls.count(operation)

    def call(self, requester: Requester, operation: str, params: object) -> dict[str, Any]:
        """As campaigns on the marketplace do. Whatever the fault, it is the database's here."""
        fault = self._next_fault(operation)
        if fault is None:
            return call(requester, operation, params)
        with contextlib.suppress(HTTPClientError, EndpointConnectionError, TurkError):
            fault("", lambda: call(requester, operation, params))
        raise OperationalError("the connection is lost")

    def send(self, request: AWSPreparedRequest) -> AWSResponse:
        target = request.headers["X-Amz-Target"]
        operation = (target if isinstance(target, str) else target.decode()).rpartition(".")[2]
        fault = self._next_fault(operation)
        return fault(request.url, lambda: _deliver(request)) if fault else _deliver(request)

    def _next_fault(self, operation: str) -> Fault | None:
        """Count the call, and use up the first fault that fits it."""
        self.calls.append(operation)
        for index, (name, fault) in enumerate(self.faults):
            if name == operation:
                del self.faults[index]
                return fault
        return None


def _deliver(request: AWSPreparedRequest) -> AWSResponse:
    address = urlsplit(request.url)
    headers = {name: _text(value) for name, value in request.headers.items()}
    body = request.body or b""
    answer = Client(raise_request_exception=True).generic(
        "POST",
        address.path,
        body if isinstance(body, bytes) else body.encode(),
        content_type=headers.get("Content-Type", ""),
        headers={**headers, "Host": address.netloc},
    )
    return AWSResponse(request.url, answer.status_code, dict(answer.headers), _Body(answer.content))


def _text(value: str | bytes) -> str:
    return value if isinstance(value, str) else value.decode()


def refuse_connection(url: str, deliver: Callable[[], Any]) -> AWSResponse:
    raise EndpointConnectionError(endpoint_url=url)


def lose_answer(url: str, deliver: Callable[[], Any]) -> AWSResponse:
    """It was done, but nobody heard."""
    deliver()
    raise ReadTimeoutError(endpoint_url=url)


def fail_after_success(url: str, deliver: Callable[[], Any]) -> AWSResponse:
    deliver()
    return AWSResponse(url, 500, {}, _Body(b"{}"))


def throttle(url: str, deliver: Callable[[], Any]) -> AWSResponse:
    return AWSResponse(url, 400, {}, _Body(b'{"__type": "ThrottlingException"}'))
