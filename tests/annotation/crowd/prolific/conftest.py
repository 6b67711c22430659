"""A Prolific of the tests' own, and a project with a frozen set of units."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.prolific_server import TOKEN, ProlificServer

# Models can be imported only once the settings are there, and conftest files come before them.
if TYPE_CHECKING:
    from annotation.corpora.models import Project, User
    from annotation.units.models import UnitSet


@pytest.fixture
def server(settings: Any) -> Iterator[ProlificServer]:
    running = ProlificServer()
    settings.PROLIFIC_URL = running.url
    settings.PROLIFIC_TOKEN = TOKEN
    settings.PUBLIC_URL = "http://testserver"
    yield running
    running.close()


@pytest.fixture
def unit_set(corpus: Project, owner: User) -> UnitSet:
    from tests.annotation.crowd.results import make_frozen

    return make_frozen(corpus, owner)
