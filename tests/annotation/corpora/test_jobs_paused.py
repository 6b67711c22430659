"""Jobs that rest: at once, at the next step, and on again from there."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.corpora.jobs import pausing
from annotation.corpora.jobs import service as jobs_service
from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.jobs.work import JobPaused, Work
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError
from tests.annotation.corpora.counting import (
    Define,
    acts,
    count_up,
    definer,
    let_lapse,
    make_job,
    now_of,
)


@pytest.fixture
def kind(monkeypatch: pytest.MonkeyPatch) -> Define:
    define = definer(monkeypatch)
    define(count_up, can_pause=True)
    return define


@pytest.fixture
def job(project: Project, kind: Define) -> Job:
    return make_job(project)


def pause_after(job: Job, steps: int) -> Any:
    def run(work: Work) -> dict[str, Any]:
        count_up(work, steps)
        pausing.pause_job(job=job)
        return count_up(work)

    return run


def test_it_rests_at_once_while_it_waits(job: Job) -> None:
    pausing.pause_job(job=job)
    assert now_of(job).state == JobState.PAUSED
    assert not job.is_over
    assert not jobs_service.run_job(job_id=job.pk)
    pausing.resume_job(job=job)
    assert jobs_service.run_job(job_id=job.pk)
    assert now_of(job).state == JobState.DONE


def test_it_rests_after_a_step_and_goes_on_from_there(job: Job, kind: Define) -> None:
    kind(pause_after(job, 2), can_pause=True)
    jobs_service.run_job(job_id=job.pk)
    assert (now_of(job).state, job.lease, acts()) == (JobState.PAUSED, "", ["0", "1"])
    kind(count_up, can_pause=True)
    pausing.resume_job(job=job)
    jobs_service.run_job(job_id=job.pk)
    assert (now_of(job).state, acts()) == (JobState.DONE, list("01234"))


def test_it_just_goes_on_if_it_is_resumed_before_it_rests(job: Job, kind: Define) -> None:
    def change_its_mind(work: Work) -> dict[str, Any]:
        pausing.pause_job(job=job)
        pausing.resume_job(job=job)
        return count_up(work)

    kind(change_its_mind, can_pause=True)
    jobs_service.run_job(job_id=job.pk)
    assert now_of(job).state == JobState.DONE


def test_it_is_queued_anew_if_it_makes_room(job: Job, kind: Define) -> None:
    def make_room(work: Work) -> dict[str, Any]:
        count_up(work, 2)
        raise JobPaused

    kind(make_room, can_pause=True)
    jobs_service.run_job(job_id=job.pk)
    assert (now_of(job).state, job.attempts, job.lease) == (JobState.QUEUED, 0, "")


def test_it_rests_though_its_worker_died_before(job: Job, kind: Define) -> None:
    from annotation.corpora.jobs.service import claim_job

    claim_job(job_id=job.pk)
    pausing.pause_job(job=job)
    let_lapse(job)
    jobs_service.run_job(job_id=job.pk)
    assert now_of(job).state == JobState.PAUSED


def test_it_can_be_cancelled_while_it_rests(job: Job) -> None:
    pausing.pause_job(job=job)
    jobs_service.cancel_job(job=job)
    assert now_of(job).state == JobState.CANCELLED


def test_it_pauses_only_what_can_rest(job: Job, kind: Define) -> None:
    kind(count_up)
    with pytest.raises(DomainError, match="can't be paused"):
        pausing.pause_job(job=job)
    with pytest.raises(DomainError, match="not paused"):
        pausing.resume_job(job=job)
    kind(count_up, can_pause=True)
    jobs_service.run_job(job_id=job.pk)
    with pytest.raises(DomainError, match="queued or running"):
        pausing.pause_job(job=job)
