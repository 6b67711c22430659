"""The clock that decides: PostgreSQL's own; on SQLite, that of the one machine."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from annotation import clock
from annotation.corpora.jobs.models import Job
from annotation.corpora.jobs.service import claim_job
from annotation.corpora.projects.models import Project
from tests.annotation.wrong_clock import set_clock

pytestmark = pytest.mark.django_db
SECOND = timedelta(seconds=1)


@pytest.fixture(autouse=True)
def _not_asked_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "_asked", None)


def ask_database() -> datetime:
    """What the server says; SQLite has no server, and knows whole seconds only."""
    is_server = connection.vendor == "postgresql"
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {'clock_timestamp()' if is_server else 'CURRENT_TIMESTAMP'}")
        found: Any = cursor.fetchone()[0]
    return found if is_server else datetime.fromisoformat(found).replace(tzinfo=UTC)


def test_it_tells_the_time_of_the_database():
    told = [clock.now() for _ in range(3)]
    assert told == sorted(told)
    assert -SECOND <= ask_database() - told[-1] < 5 * SECOND
    assert told[0].tzinfo is UTC


@pytest.mark.parametrize("hours", [-2, 2])
def test_it_believes_no_other_machine_than_the_databases(
    monkeypatch: pytest.MonkeyPatch, hours: int
):
    set_clock(monkeypatch, hours)
    wrong = timedelta() if connection.vendor == "postgresql" else timedelta(hours=hours)
    assert abs(clock.now() - ask_database() - wrong) < 5 * SECOND


def test_it_goes_on_within_a_transaction(monkeypatch: pytest.MonkeyPatch):
    """PostgreSQL's `now()` would not."""
    with transaction.atomic():
        first = clock.now()
        threading.Event().wait(0.05)
        assert clock.now() - first >= 0.05 * SECOND
        monkeypatch.setattr(clock, "_asked", None)
        assert clock.now() - first >= 0.05 * SECOND


def test_it_asks_now_and_then(monkeypatch: pytest.MonkeyPatch):
    costs = 1 if connection.vendor == "postgresql" else 0
    with CaptureQueriesContext(connection) as asked:
        for _ in range(100):
            clock.now()
        assert len(asked) == costs
        later = clock._count() + clock.ASK_AGAIN_AFTER
        monkeypatch.setattr(clock, "_count", lambda: later)
        clock.now()
        assert len(asked) == 2 * costs


def test_it_can_be_moved_by_a_test(monkeypatch: pytest.MonkeyPatch, project: Project):
    """One name moves the time of everything that decides."""
    moment = datetime(2031, 5, 6, 7, 8, tzinfo=UTC)
    monkeypatch.setattr(clock, "now", lambda: moment)
    job = Job.objects.create(project=project, kind="of_nobody", title="A job")
    claimed = claim_job(job_id=job.pk)
    assert claimed is not None
    assert claimed.started_at == moment
    assert claimed.lease_until is not None
    assert moment < claimed.lease_until < moment + timedelta(hours=1)
