"""What a call by the description needs: a key, a connection that stays, and count of answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from annotation.corpora.accounts.models import User


# Models can be imported only once the settings are there, and conftest files come before them.


@pytest.fixture(autouse=True)
def one_connection() -> Iterator[None]:
    """Keep the test's transaction, which a server would end with each request."""
    from django.core.signals import request_finished, request_started
    from django.db import close_old_connections

    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield
    for signal in signals:
        signal.connect(close_old_connections)


@pytest.fixture
def key(owner: User) -> str:
    from annotation.corpora.accounts import service as accounts_service

    return accounts_service.create_token(user=owner, name="fuzz", scope="pay")[1]


@pytest.fixture
def answers(request: pytest.FixtureRequest) -> Iterator[Counter[int]]:
    """How often each status was answered; a call that never succeeded was not really tried.

    Some files are told apart by their names, and the generator gives its files none. Deposits are
    recorded by staff only, and the key's owner is not; an invitation is accepted by those who are
    no members, and the key's owner is one. A gold version is deleted only if its job failed.
    """
    statuses: Counter[int] = Counter()
    yield statuses
    name = request.node.name
    refused = ("/import/", "/invitations/{token}/", "DELETE /api/v1/projects/{slug}/gold/{id}/")
    is_refused = any(part in name for part in refused)
    least = 409 if is_refused else 403 if "/deposits/" in name else 200
    assert any(least <= status < least + 100 for status in statuses), statuses


@pytest.fixture(scope="module")
def kept_judges_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where judges lie that are made once for a module."""
    return tmp_path_factory.mktemp("judges")


@pytest.fixture
def judges_dir(kept_judges_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from django.conf import settings

    monkeypatch.setattr(settings, "JUDGES_DIR", kept_judges_dir)
