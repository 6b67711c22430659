"""Who is told of a job, how often, and what comes of a broker that is away."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerError

from annotation.breaker import Breaker
from annotation.corpora.jobs import service as jobs_service
from annotation.corpora.jobs.models import TELL_AGAIN_AFTER, Job
from annotation.corpora.jobs.service import claim_job
from annotation.corpora.notifications import service as notifications_service
from annotation.corpora.projects.models import Project
from deploy import env
from tests.annotation.corpora.counting import (
    KIND,
    Define,
    definer,
    let_lapse,
    make_job,
    now_of,
    raise_,
)
from tests.servers import find_free_port, start_redis, wait_until

# Bound here, before the fixture that keeps tests from sending messages replaces it.
enqueue_job = jobs_service.enqueue_job


@pytest.fixture
def kind(monkeypatch: pytest.MonkeyPatch) -> Define:
    return definer(monkeypatch)


@pytest.fixture
def job(project: Project, kind: Define) -> Job:
    return make_job(project)


@pytest.fixture(autouse=True)
def breaker(monkeypatch: pytest.MonkeyPatch) -> None:
    """What one test finds out about a broker is not true of another's."""
    monkeypatch.setattr(notifications_service, "broker", Breaker("broker"))


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Ids of the jobs that workers were told of, by way of the real `enqueue_job`."""
    sent: list[int] = []
    monkeypatch.setattr(
        "annotation.corpora.tasks.run_job.apply_async",
        lambda args, **_: sent.append(args[0]),
    )
    monkeypatch.setattr(jobs_service, "enqueue_job", enqueue_job)
    return sent


def test_it_tells_a_worker_once_the_job_is_committed(
    job: Job,
    told: list[int],
    django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        made = jobs_service.create_job(
            project=job.project, user=None, kind=KIND, title="x", params={}
        )
        assert told == []
    assert told == [made.pk]
    assert now_of(made).told_at is not None


def age(job: Job, seconds: float, **changes: Any) -> None:
    at = timezone.now() - timedelta(seconds=seconds)
    Job.objects.filter(pk=job.pk).update(created_at=at, **changes)


def test_it_tells_once_of_a_job_that_nobody_was_told_of(job: Job, told: list[int]) -> None:
    assert jobs_service.recover_jobs() == [], "whoever made it is about to tell"
    age(job, 60)
    assert jobs_service.recover_jobs() == [job.pk]
    assert [jobs_service.recover_jobs() for _ in range(3)] == [[], [], []]
    assert told == [job.pk]


def test_it_tells_again_when_the_message_was_lost(job: Job, told: list[int]) -> None:
    age(job, 600, told_at=timezone.now() - TELL_AGAIN_AFTER - timedelta(seconds=1))
    assert jobs_service.recover_jobs() == [job.pk]
    assert jobs_service.recover_jobs() == []


def test_it_tells_once_of_a_job_whose_worker_died(job: Job, told: list[int]) -> None:
    age(job, 600, told_at=timezone.now() - timedelta(seconds=30))
    claim_job(job_id=job.pk)
    assert jobs_service.recover_jobs() == [], "its lease holds"
    let_lapse(job)
    assert jobs_service.recover_jobs() == [job.pk]
    assert jobs_service.recover_jobs() == []
    jobs_service.run_job(job_id=job.pk)
    assert jobs_service.recover_jobs() == []
    assert told == [job.pk]


@pytest.mark.parametrize("error", [BrokerError("no broker"), ConnectionRefusedError(111, "no")])
def test_it_lives_without_a_broker(
    error: Exception,
    job: Job,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(
        "annotation.corpora.tasks.run_job.apply_async", lambda *_, **__: raise_(error)
    )
    enqueue_job(job_id=job.pk)
    assert "the broker is unavailable" in caplog.text
    assert now_of(job).told_at is None, "the sweep tells again"


@pytest.mark.parametrize("url", ["redis://127.0.0.1:1/0", "redis+socket:///nowhere/redis.sock"])
def test_it_lives_without_a_real_broker(
    url: str, job: Job, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from celery import Celery

    from annotation.corpora.tasks import run_job as task

    away = Celery("away", broker=url, set_as_current=False)
    away.conf.broker_transport_options = {"max_retries": 1, "interval_start": 0}
    monkeypatch.setattr(
        task, "apply_async", lambda args, **more: away.send_task(task.name, args, **more)
    )
    enqueue_job(job_id=job.pk)
    assert "the broker is unavailable" in caplog.text


def test_it_tries_a_broker_that_is_away_once_for_many_jobs(
    job: Job, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tried: list[int] = []

    def fail(arguments: Any, **_: Any) -> None:
        tried.append(arguments[0])
        raise BrokerError("no broker")

    monkeypatch.setattr("annotation.corpora.tasks.run_job.apply_async", fail)
    for _ in range(20):
        enqueue_job(job_id=job.pk)
    assert tried == [job.pk]
    assert caplog.text.count("the broker is unavailable") == 1


def test_it_does_not_wait_long_for_a_broker_that_takes_calls_and_answers_none(
    job: Job, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from celery import Celery

    from annotation.corpora.tasks import run_job as task

    port = find_free_port()
    redis = start_redis(tmp_path, port).process
    away = Celery("away", broker=f"redis://127.0.0.1:{port}/0", set_as_current=False)
    away.conf.broker_transport_options = env.REDIS_OPTIONS | {"socket_timeout": 0.5}
    monkeypatch.setattr(
        task, "apply_async", lambda args, **more: away.send_task(task.name, args, **more)
    )
    try:
        wait_until(lambda: bool(enqueue_job(job_id=job.pk) or now_of(job).told_at), "Redis is up")
        Job.objects.update(told_at=None)
        redis.send_signal(signal.SIGSTOP)
        began = time.monotonic()
        for _ in range(10):
            enqueue_job(job_id=job.pk)
        assert time.monotonic() - began < 3
        assert now_of(job).told_at is None
    finally:
        redis.kill()
        redis.wait()
