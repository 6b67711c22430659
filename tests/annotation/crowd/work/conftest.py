"""A worker at their desk."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from django.test import Client

    from annotation.crowd.market.models_accounts import WorkerAccount


@pytest.fixture
def worker(db: None) -> WorkerAccount:
    from tests.annotation.crowd.working import make_worker

    return make_worker()


@pytest.fixture
def at_work(worker: WorkerAccount) -> Client:
    from tests.annotation.conftest import sign_in

    return sign_in(worker.user)
