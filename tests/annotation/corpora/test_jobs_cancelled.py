"""Jobs that are cancelled or tried again: at once, at the next step, or not at all."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.corpora.jobs import service as jobs_service
from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.jobs.service import claim_job
from annotation.corpora.jobs.work import Work
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
    raise_,
)


@pytest.fixture
def kind(monkeypatch: pytest.MonkeyPatch) -> Define:
    return definer(monkeypatch)


@pytest.fixture
def job(project: Project, kind: Define) -> Job:
    return make_job(project)


def test_it_ends_a_queued_job_at_once(job: Job, kind: Define) -> None:
    undone: list[int] = []
    kind(count_up, undo=lambda job: undone.append(job.pk))
    jobs_service.cancel_job(job=job)
    assert now_of(job).state == JobState.CANCELLED
    assert job.finished_at is not None
    assert undone == [job.pk]
    assert not jobs_service.run_job(job_id=job.pk)


def test_it_ends_a_running_job_at_its_next_step(job: Job, kind: Define) -> None:
    undone: list[str] = []

    def cancel_in_the_middle(work: Work) -> dict[str, Any]:
        count_up(work, 2)
        jobs_service.cancel_job(job=job)
        return count_up(work)

    kind(cancel_in_the_middle, undo=lambda job: undone.append(Job.objects.get().state))
    jobs_service.run_job(job_id=job.pk)
    assert now_of(job).state == JobState.CANCELLED
    assert acts() == list("01")
    assert undone == [JobState.CANCELLED]


def test_it_ends_a_reading_job_at_its_next_report(job: Job, kind: Define) -> None:
    def read(work: Work) -> dict[str, Any]:
        work.report(1, phase="Reading")
        jobs_service.cancel_job(job=job)
        work.report(2, phase="Reading")
        return {}

    kind(read)
    jobs_service.run_job(job_id=job.pk)
    assert now_of(job).state == JobState.CANCELLED
    assert (job.done, job.phase) == (1, "Reading")


def test_it_is_not_cancelled_when_it_cannot_be_undone(job: Job, kind: Define) -> None:
    """Else a worker that dies between the two would leave rows that nobody removes."""
    kind(count_up, undo=lambda job: raise_(OSError("killed")))
    claim_job(job_id=job.pk)
    jobs_service.cancel_job(job=job)
    let_lapse(job)
    with pytest.raises(OSError, match="killed"):
        jobs_service.run_job(job_id=job.pk)
    assert now_of(job).state == JobState.RUNNING
    kind(count_up, undo=lambda job: None)
    let_lapse(job)
    jobs_service.run_job(job_id=job.pk)
    assert now_of(job).state == JobState.CANCELLED


def test_it_does_not_undo_what_another_worker_runs(job: Job, kind: Define) -> None:
    undone: list[int] = []

    def lose_and_be_cancelled(work: Work) -> dict[str, Any]:
        Job.objects.filter(pk=job.pk).update(lease="another worker's", cancel_requested=True)
        return count_up(work)

    kind(lose_and_be_cancelled, undo=lambda job: undone.append(job.pk))
    jobs_service.run_job(job_id=job.pk)
    assert undone == []
    assert now_of(job).state == JobState.RUNNING


@pytest.mark.parametrize("state", [JobState.DONE, JobState.FAILED, JobState.CANCELLED])
def test_it_cannot_cancel_what_is_over(state: JobState, job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(state=state)
    with pytest.raises(DomainError, match="already ended"):
        jobs_service.cancel_job(job=job)


def test_it_cannot_cancel_what_must_not_stop_half_way(job: Job, kind: Define) -> None:
    kind(count_up, can_cancel=False)
    with pytest.raises(DomainError, match="can't be cancelled while it runs"):
        jobs_service.cancel_job(job=job)
    assert not jobs_service.KINDS["remove_import"].can_cancel


@pytest.mark.parametrize("state", [state for state in JobState if state != JobState.FAILED])
def test_it_tries_only_a_failed_job_again(state: JobState, job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(state=state)
    with pytest.raises(DomainError, match="Only failed jobs"):
        jobs_service.retry_job(job=job)
