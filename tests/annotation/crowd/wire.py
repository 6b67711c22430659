"""boto3 without a network: a request goes to Django's test client, and faults on its way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest
from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from botocore.credentials import Credentials
from botocore.exceptions import EndpointConnectionError, ReadTimeoutError
from django.test import Client

from annotation.crowd.providers.mturk_wire import make_client

Fault = Callable[[str, Callable[[], AWSResponse]], AWSResponse]


class _Body:
    """As botocore reads it."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def stream(self, **_: Any) -> Any:
        yield self._content


class _Line:
    """A client, which costs a tenth of a second to make, lent to one wire after the other."""

    def __init__(self, endpoint: str) -> None:
        self._client = make_client.__wrapped__(endpoint, "nobody's", "nobody's")
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
        patch.setattr("annotation.crowd.providers.mturk.make_client", self.make_client)
        patch.setattr("annotation.crowd.services.patience.PAUSES", (0, 0, 0))
        patch.setattr("annotation.crowd.providers.mturk_wire.MOST_WAITS", 0)

    def fail(self, operation: str, fault: Fault) -> None:
        self.faults.append((operation, fault))

    def count(self, operation: str) -> int:
        return self.calls.count(operation)

    def send(self, request: AWSPreparedRequest) -> AWSResponse:
        target = request.headers["X-Amz-Target"]
        operation = (target if isinstance(target, str) else target.decode()).rpartition(".")[2]
        self.calls.append(operation)
        for index, (name, fault) in enumerate(self.faults):
            if name == operation:
                del self.faults[index]
                return fault(request.url, lambda: _deliver(request))
        return _deliver(request)


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


def refuse_connection(url: str, deliver: Callable[[], AWSResponse]) -> AWSResponse:
    raise EndpointConnectionError(endpoint_url=url)


def lose_answer(url: str, deliver: Callable[[], AWSResponse]) -> AWSResponse:
    """It was done, but nobody heard."""
    deliver()
    raise ReadTimeoutError(endpoint_url=url)


def fail_after_success(url: str, deliver: Callable[[], AWSResponse]) -> AWSResponse:
    deliver()
    return AWSResponse(url, 500, {}, _Body(b"{}"))


def throttle(url: str, deliver: Callable[[], AWSResponse]) -> AWSResponse:
    return AWSResponse(url, 400, {}, _Body(b'{"__type": "ThrottlingException"}'))
