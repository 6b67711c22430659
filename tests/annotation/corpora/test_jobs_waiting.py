"""A job meets a fault that passes: it says what it waits for, and goes on by itself."""

from __future__ import annotations

import errno
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from annotation.corpora.jobs import service as jobs_service
from annotation.corpora.jobs import work as jobs_work
from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.jobs.work import Work
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError
from tests.annotation.corpora.counting import (
    Define,
    acts,
    count_up,
    definer,
    leave_act,
    make_job,
    now_of,
    raise_,
)
from tests.annotation.corpora.pages import page_of
from tests.disks import Disk

FULL = OSError(errno.ENOSPC, "No space left on device")
BUSY = OperationalError("database is locked")


@pytest.fixture
def kind(monkeypatch: pytest.MonkeyPatch) -> Define:
    return definer(monkeypatch)


@pytest.fixture
def job(project: Project, kind: Define) -> Job:
    return make_job(project)


@pytest.fixture(autouse=True)
def no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs_work, "WAIT_SECONDS", 0)
    monkeypatch.setattr("annotation.corpora.jobs.work.time.sleep", lambda _: None)


def damaged() -> DomainError:
    error = DomainError("This file is damaged.")
    error.__cause__ = FULL
    return error


@pytest.mark.parametrize(
    "error, words",
    [
        (BUSY, "Waiting for the database"),
        (FULL, "Waiting for disk space"),
        (OperationalError("database or disk is full"), "Waiting for disk space"),
        (damaged(), "Waiting for disk space"),
    ],
)
def test_it_says_what_it_waits_for(
    error: Exception, words: str, job: Job, kind: Define, as_owner: Client
) -> None:
    kind(lambda work: raise_(error))
    jobs_service.run_job(job_id=job.pk)
    assert (now_of(job).state, job.waiting, job.attempts) == (JobState.QUEUED, words, 0)
    assert job.error == ""
    for path in (f"/p/study/jobs/{job.pk}/", "/p/study/jobs/"):
        assert words in page_of(as_owner.get(path)).text
    told = as_owner.get(f"/api/v1/projects/study/jobs/{job.pk}/").json()
    assert (told["state"], told["waiting"]) == ("queued", words)


def test_it_goes_on_from_its_last_step_however_often_it_had_to_wait(job: Job, kind: Define) -> None:
    left = [FULL, BUSY] * jobs_service.MAX_ATTEMPTS

    def stumble(work: Work) -> dict[str, Any]:
        if left:
            with work.step():
                leave_act(work, "of a step that is not committed")
                raise left.pop()
        return count_up(work)

    kind(stumble)
    with pytest.MonkeyPatch.context() as once:
        once.setattr(jobs_work, "WAIT_SECONDS", -1)
        while not now_of(job).is_over:
            assert jobs_service.run_job(job_id=job.pk)
    assert (job.state, job.waiting, job.error) == (JobState.DONE, "", "")
    assert acts() == list("01234")
    lines = list(job.lines.values_list("text", flat=True))
    assert len(lines) == 2 * jobs_service.MAX_ATTEMPTS, "said when what it waits for changes"


def test_it_says_once_what_it_waits_for(job: Job, kind: Define) -> None:
    kind(lambda work: raise_(FULL))
    for _ in range(5):
        jobs_service.run_job(job_id=job.pk)
    assert [line.text for line in job.lines.all()] == [
        "Waiting for disk space. The job continues automatically."
    ]


def test_it_is_not_tried_before_its_time(
    job: Job, kind: Define, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs_work, "WAIT_SECONDS", 30)
    kind(lambda work: raise_(FULL))
    jobs_service.run_job(job_id=job.pk)
    assert not jobs_service.run_job(job_id=job.pk)
    Job.objects.update(created_at=timezone.now() - timedelta(minutes=9), told_at=timezone.now())
    assert jobs_service.recover_jobs() == []
    Job.objects.update(retry_at=timezone.now())
    assert jobs_service.recover_jobs() == [job.pk], "the sweep tells a worker as soon as it is due"


def test_it_is_put_back_once_the_database_takes_it(
    job: Job, kind: Define, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fault that stopped the step also keeps the worker from saying so, for a while."""
    put_off, failed = jobs_service.put_off_job, [BUSY] * 3

    def stumble(*given: Any) -> None:
        if failed:
            raise failed.pop()
        put_off(*given)

    monkeypatch.setattr(jobs_service, "put_off_job", stumble)
    kind(lambda work: raise_(BUSY))
    jobs_service.run_job(job_id=job.pk)
    assert (now_of(job).state, job.waiting) == (JobState.QUEUED, "Waiting for the database")


@pytest.mark.parametrize("name", ["claim_job", "end_job"])
def test_it_sits_out_a_busy_database_before_and_after(
    name: str, job: Job, kind: Define, monkeypatch: pytest.MonkeyPatch
) -> None:
    real: Callable[..., Any] = getattr(jobs_service, name)
    failed = [BUSY] * 3

    def stumble(*given: Any, **named: Any) -> Any:
        if failed:
            raise failed.pop()
        return real(*given, **named)

    monkeypatch.setattr(jobs_service, name, stumble)
    jobs_service.run_job(job_id=job.pk)
    assert now_of(job).state == JobState.DONE
    assert acts() == list("01234")


def test_it_says_that_it_waits_though_its_worker_could_not(
    job: Job, as_owner: Client, settings: Any, disk: Disk
) -> None:
    """Nobody renews the lease, and nobody can write why."""
    (disk.folder / "tmp").mkdir()
    settings.DATA_DIR = disk.folder
    since = timezone.now() - timedelta(seconds=20)
    Job.objects.update(state=JobState.RUNNING, lease="x", lease_until=since)
    assert now_of(job).waiting == "Waiting for the database"
    disk.fill()
    assert job.waiting == "Waiting for disk space"
    disk.free()
    Job.objects.update(lease_until=timezone.now() + timedelta(seconds=9))
    assert now_of(job).waiting == ""


def test_it_says_nothing_of_waiting_once_it_is_over(job: Job) -> None:
    Job.objects.update(waiting_for="disk", state=JobState.CANCELLED)
    assert now_of(job).waiting == ""


def test_it_does_not_wait_for_what_does_not_pass(job: Job, kind: Define) -> None:
    kind(lambda work: raise_(FileNotFoundError(errno.ENOENT, "No such file")))
    jobs_service.run_job(job_id=job.pk)
    assert (now_of(job).state, job.waiting) == (JobState.FAILED, "")
