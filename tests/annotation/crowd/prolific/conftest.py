"""A Prolific of the tests' own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.prolific_server import TOKEN, ProlificServer


@pytest.fixture
def server(settings: Any) -> Iterator[ProlificServer]:
    running = ProlificServer()
    settings.PROLIFIC_URL = running.url
    settings.PROLIFIC_TOKEN = TOKEN
    settings.PUBLIC_URL = "http://testserver"
    yield running
    running.close()
