"""What a script of the field is given: a requester with money, and plain boto3 over HTTP."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

if TYPE_CHECKING:
    from pytest_django.live_server_helper import LiveServer

    from annotation.crowd.market.models_accounts import Requester, WorkerAccount


@pytest.fixture
def lab() -> Requester:
    from tests.annotation.crowd.market.requesting import make_requester

    return make_requester()


@pytest.fixture
def client(live_server: LiveServer, lab: Requester) -> Iterator[Any]:
    from tests.annotation.crowd.market.requesting import make_client

    with closing(make_client(live_server.url, lab)) as made:
        yield made


@pytest.fixture
def send(live_server: LiveServer) -> Callable[..., int]:
    """Sends a form of a task over HTTP, and gives the status of what came back."""

    def send(**fields: str) -> int:
        address = f"{live_server.url}/mturk/externalSubmit"
        with urlopen(address, data=urlencode(fields).encode(), timeout=60) as answer:
            return int(answer.status)

    return send


@pytest.fixture
def worker(db: None) -> WorkerAccount:
    from tests.annotation.crowd.working import make_worker

    return make_worker()
