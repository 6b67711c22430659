"""Something at every address, for the tests that call them all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

# Models can be imported only once the settings are there, and conftest files come before them.
if TYPE_CHECKING:
    from annotation.corpora.models import Project
    from tests.annotation.world import World


@pytest.fixture(scope="module")
def kept_world(kept_corpus: Project, tmp_path_factory: pytest.TempPathFactory) -> World:
    from tests.annotation.world import make_world

    return make_world(kept_corpus, tmp_path_factory.mktemp("world"))


@pytest.fixture
def world(db: None, kept_world: World) -> World:
    """Made once for a module; what a test changes is taken back."""
    return kept_world
