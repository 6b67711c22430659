"""A webhook that drips a byte now and then: pay and recovery go on as if it were not there."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.utils import timezone

from annotation.corpora import tasks
from annotation.corpora.jobs import service as jobs
from annotation.corpora.jobs.models import Job
from annotation.crowd.market.models_work import MarketAssignment
from tests import factories
from tests.annotation.corpora.counting import for_sure
from tests.annotation.crowd.market.requesting import ask, make_hit, make_requester, work
from tests.annotation.crowd.working import make_worker
from tests.dripping import HEAD, Dripping, dripping

pytestmark = pytest.mark.django_db(transaction=True)

# Sweeps come every tenth of a second here; the webhook takes its ten seconds.
BOUND = 4.0


@pytest.fixture
def hook() -> Iterator[Dripping]:
    with dripping(HEAD, pause=0.2) as server:
        yield server


@pytest.fixture
def told(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Ids of the jobs that workers were told of."""
    settings.MARKET_WEBHOOK_PRIVATE = True
    settings.JOB_SWEEP_SECONDS = 0.1
    ids: list[int] = []
    monkeypatch.setattr(tasks.run_job, "apply_async", lambda args, **_: ids.append(args[0]))
    monkeypatch.setattr("annotation.corpora.jobs.service.enqueue_job", ENQUEUE)
    return ids


# Bound here, before the fixture that keeps tests from sending messages replaces it.
ENQUEUE = jobs.enqueue_job


def wait_for(holds: Callable[[], object]) -> float:
    began = time.monotonic()
    while not for_sure(holds):
        assert time.monotonic() - began < 30, "waited in vain"
        time.sleep(0.05)
    return time.monotonic() - began


def test_pay_and_recovery_go_on_while_a_webhook_drips(hook: Dripping, told: list[int]):
    lab = make_requester()
    hit = make_hit(lab)
    notice: dict[str, Any] = {
        "Destination": hook.url,
        "Transport": "SNS",
        "Version": "2014-08-15",
        "EventTypes": ["AssignmentSubmitted"],
    }
    ask(lab, "UpdateNotificationSettings", HITTypeId=hit.hit_type.hit_type_id, Notification=notice)
    taken = work(hit, make_worker())
    project = factories.make_project(factories.make_user("Owner"))
    tasks.start_sweep()
    try:
        wait_for(lambda: hook.calls)
        past = timezone.now() - timedelta(minutes=1)
        mine = MarketAssignment.objects.filter(pk=taken.pk)
        for_sure(lambda: mine.update(auto_approve_at=past))
        job = for_sure(
            lambda: Job.objects.create(project=project, kind="lost", title="Lost", created_at=past)
        )
        approved = MarketAssignment.objects.filter(pk=taken.pk, status="Approved")
        assert wait_for(approved.exists) < BOUND
        assert wait_for(lambda: job.pk in told) < BOUND
        assert hook.calls == 1
    finally:
        tasks.stop_sweep()


def test_a_second_signal_amid_the_first_does_not_wait_for_it(monkeypatch: pytest.MonkeyPatch):
    """As a handler that interrupts another does: both in one thread, the first amid its call."""
    stop = tasks.Stop()
    real = stop._cond.notify_all  # type: ignore[attr-defined]

    def interrupted() -> None:
        stop.set()
        real()

    monkeypatch.setattr(stop._cond, "notify_all", interrupted)  # type: ignore[attr-defined]
    signalled = threading.Thread(target=stop.set, daemon=True)
    signalled.start()
    signalled.join(5)
    assert not signalled.is_alive()
    assert stop.is_set()
