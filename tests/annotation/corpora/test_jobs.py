"""Jobs: claimed by one, committed step by step, taken over when a worker is gone."""

from __future__ import annotations

import re
import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from annotation.computed import Computed
from annotation.corpora.jobs import service as jobs_service
from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.jobs.service import claim_job
from annotation.corpora.jobs.work import LeaseLost, Work
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError
from scoring.errors import InputError
from scoring.extras import MissingLibrary
from tests.annotation.corpora.counting import (
    Define,
    acts,
    count_up,
    definer,
    for_sure,
    leave_act,
    let_lapse,
    make_job,
    now_of,
    raise_,
)
from tests.servers import wait_until


@pytest.fixture
def kind(monkeypatch: pytest.MonkeyPatch) -> Define:
    return definer(monkeypatch)


@pytest.fixture
def job(project: Project, kind: Define) -> Job:
    return make_job(project)


def test_it_runs_to_the_end_and_says_so(job: Job) -> None:
    assert jobs_service.run_job(job_id=job.pk)
    assert now_of(job).state == JobState.DONE
    assert (job.done, job.cursor, job.result) == (5, {"next": 5}, {"counted": 5})
    assert (job.attempts, job.lease, job.lease_until) == (1, "", None)
    assert job.started_at is not None
    assert job.finished_at is not None
    assert acts() == list("01234")


@pytest.mark.parametrize("state", [JobState.DONE, JobState.FAILED, JobState.CANCELLED])
def test_it_runs_no_job_that_is_over(state: JobState, job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(state=state)
    assert not jobs_service.run_job(job_id=job.pk)
    assert acts() == []


def test_it_is_delivered_twice_and_done_once(job: Job) -> None:
    assert [jobs_service.run_job(job_id=job.pk) for _ in range(3)] == [True, False, False]
    assert acts() == list("01234")


def test_it_is_claimed_by_one(job: Job) -> None:
    first = claim_job(job_id=job.pk)
    assert first is not None
    assert claim_job(job_id=job.pk) is None
    let_lapse(job)
    second = claim_job(job_id=job.pk)
    assert second is not None
    assert second.lease != first.lease
    assert second.attempts == 2


@pytest.mark.django_db(transaction=True)
def test_it_is_claimed_by_one_of_many_at_once(job: Job) -> None:
    together = threading.Barrier(6)
    won: list[Job] = []

    def claim() -> None:
        try:
            together.wait()
            claimed = for_sure(lambda: claim_job(job_id=job.pk))
            if claimed is not None:
                won.append(claimed)
        finally:
            connection.close()

    threads = [threading.Thread(target=claim) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(won) == 1
    assert now_of(job).attempts == 1


def test_it_commits_rows_and_cursor_together(job: Job, kind: Define) -> None:
    def fail_in_the_third(work: Work) -> dict[str, Any]:
        count_up(work, 2)
        with work.step():
            leave_act(work, "lost")
            work.cursor = {"next": 3}
            raise OSError("the disk is full")

    kind(fail_in_the_third)
    jobs_service.run_job(job_id=job.pk)
    assert now_of(job).state == JobState.FAILED
    assert acts() == list("01")
    assert (job.cursor, job.done) == ({"next": 2}, 2)


def test_nothing_is_computed_while_a_step_holds_the_database(job: Job, kind: Define) -> None:
    sums = Computed("sums", int, 60)

    def compute_in_a_step(work: Work) -> dict[str, Any]:
        with work.step():
            sums.get((1,), lambda: 2)
        return {}

    kind(compute_in_a_step)
    jobs_service.run_job(job_id=job.pk)
    assert now_of(job).state == JobState.FAILED
    assert sums.get((1,), lambda: 2) == 2, "once the step is over, it may be"


def test_it_goes_on_at_the_cursor_when_it_is_tried_again(job: Job, kind: Define) -> None:
    def fail(work: Work) -> dict[str, Any]:
        count_up(work, 2)
        raise ValueError("no more")

    kind(fail)
    jobs_service.run_job(job_id=job.pk)
    Job.objects.filter(pk=job.pk).update(cancel_requested=True)
    kind(count_up)
    jobs_service.retry_job(job=job)
    assert now_of(job).error == ""
    jobs_service.run_job(job_id=job.pk)
    assert now_of(job).state == JobState.DONE
    assert acts() == list("01234")


def test_it_commits_nothing_once_another_worker_has_it(job: Job, kind: Define) -> None:
    def lose(work: Work) -> dict[str, Any]:
        count_up(work, 2)
        Job.objects.filter(pk=job.pk).update(lease="another worker's")
        return count_up(work, 5)

    kind(lose)
    assert jobs_service.run_job(job_id=job.pk)
    assert acts() == list("01"), "the third step was rolled back"
    assert (now_of(job).state, job.lease) == (JobState.RUNNING, "another worker's")
    assert job.cursor == {"next": 2}


def test_it_raises_in_the_step_of_a_worker_that_was_given_up(job: Job) -> None:
    claimed = claim_job(job_id=job.pk)
    assert claimed is not None
    let_lapse(job)
    assert claim_job(job_id=job.pk) is not None
    work = Work(claimed)
    with pytest.raises(LeaseLost):
        count_up(work, 1)
    with pytest.raises(LeaseLost):
        work.report(1, phase="late")
    assert acts() == []


def test_it_is_taken_over_where_the_dead_worker_left_it(job: Job) -> None:
    dead = claim_job(job_id=job.pk)
    assert dead is not None
    count_up(Work(dead), 3)
    assert not jobs_service.run_job(job_id=job.pk), "its lease still holds"
    let_lapse(job)
    assert jobs_service.run_job(job_id=job.pk)
    assert acts() == list("01234")
    assert [line.text for line in job.lines.all()] == ["Resumed, attempt 2."]


@pytest.mark.parametrize(
    "error, told_as",
    [
        (InputError("wrong"), "wrong"),
        (MissingLibrary("Install it."), "Install it."),
        (DomainError("no", "Do this."), "no Do this."),
    ],
)
def test_it_fails_with_the_words_of_an_expected_error(
    error: Exception, told_as: str, job: Job, kind: Define, caplog: pytest.LogCaptureFixture
) -> None:
    kind(lambda work: raise_(error))
    jobs_service.run_job(job_id=job.pk)
    assert (now_of(job).state, job.error) == (JobState.FAILED, told_as)
    assert caplog.text == ""


@pytest.mark.parametrize(
    "error", [ValueError("nonsense"), OSError("/secret/path"), ZeroDivisionError("by zero")]
)
def test_it_logs_our_own_defect_and_says_by_which_reference(
    error: Exception, job: Job, kind: Define, caplog: pytest.LogCaptureFixture
) -> None:
    kind(lambda work: raise_(error))
    jobs_service.run_job(job_id=job.pk)
    assert now_of(job).state == JobState.FAILED
    assert str(error) not in job.error
    found = re.fullmatch(
        "Something went wrong. The error has been logged. "
        "Give the administrators of this server the reference ([0-9a-f]{8}).",
        job.error,
    )
    assert found
    (line,) = [record for record in caplog.records if found[1] in record.getMessage()]
    assert line.exc_info
    assert line.exc_info[1] is error


def test_it_fails_when_no_such_work_is_known(job: Job, caplog: pytest.LogCaptureFixture) -> None:
    Job.objects.filter(pk=job.pk).update(kind="unheard_of")
    jobs_service.run_job(job_id=job.pk)
    assert now_of(job).state == JobState.FAILED
    assert "unheard_of" in caplog.text


def test_it_waits_for_a_database_that_is_away(
    job: Job, kind: Define, caplog: pytest.LogCaptureFixture
) -> None:
    kind(lambda work: raise_(OperationalError("the server closed the connection")))
    jobs_service.run_job(job_id=job.pk)
    assert now_of(job).state == JobState.RUNNING, "until its lease lapses"
    assert "it will be resumed" in caplog.text
    kind(count_up)
    let_lapse(job)
    jobs_service.run_job(job_id=job.pk)
    assert now_of(job).state == JobState.DONE


def test_it_is_given_up_after_twenty_attempts(job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(attempts=jobs_service.MAX_ATTEMPTS - 1)
    claim_job(job_id=job.pk)
    let_lapse(job)
    assert jobs_service.run_job(job_id=job.pk)
    assert (now_of(job).state, job.error) == (JobState.FAILED, "Given up after 20 attempts.")
    assert acts() == []
    jobs_service.retry_job(job=job)
    jobs_service.run_job(job_id=job.pk)
    assert now_of(job).state == JobState.DONE


@pytest.mark.django_db(transaction=True)
def test_it_renews_the_lease_while_a_step_takes_long(
    job: Job, kind: Define, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs_service.settings, "JOB_LEASE_SECONDS", 0.3)
    others: list[Job | None] = []

    def take_long(work: Work) -> dict[str, Any]:
        first = now_of(work.job).lease_until
        assert first is not None
        # Renewals reach far, so that a slow machine does not let one lapse before we look.
        monkeypatch.setattr(jobs_service.settings, "JOB_LEASE_SECONDS", 30)
        far = first + timedelta(seconds=10)
        renewed = Job.objects.filter(pk=job.pk, lease_until__gt=far)
        wait_until(lambda: for_sure(renewed.exists), "the lease is renewed")
        wait_until(lambda: timezone.now() > first, "the first lease would have lapsed")
        others.append(for_sure(lambda: claim_job(job_id=job.pk)))
        return {}

    kind(take_long)
    jobs_service.run_job(job_id=job.pk)
    assert others == [None]
    assert now_of(job).state == JobState.DONE


def test_it_finishes_a_job_here_or_waits_for_who_does(
    job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    claimed = claim_job(job_id=job.pk)
    assert claimed is not None
    monkeypatch.setattr(jobs_service.time, "sleep", lambda _: jobs_service._run(claimed))
    jobs_service.finish_job(job=job)
    assert job.state == JobState.DONE
    assert acts() == list("01234")
