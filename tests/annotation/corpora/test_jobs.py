"""Jobs: claimed by one, committed step by step, taken over when a worker is gone."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerError

from annotation.corpora import services
from annotation.corpora.models import Event, Job, JobState, Project
from annotation.corpora.models.jobs import TELL_AGAIN_AFTER
from annotation.corpora.services import jobs
from annotation.corpora.services.events import record_event
from annotation.corpora.services.jobs import JobKind, LeaseLost, Work, claim_job
from annotation.errors import DomainError

# Bound here, before the fixture that keeps tests from sending messages replaces it.
enqueue_job = jobs.enqueue_job
KIND = "count_up"


@pytest.fixture
def kind(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Say what jobs of the tests' own kind do."""

    def define(run: Callable[[Work], dict[str, Any]], **more: Any) -> None:
        monkeypatch.setitem(jobs.KINDS, KIND, JobKind(run, **more))

    define(count_up)
    return define


@pytest.fixture
def job(project: Project, kind: None) -> Job:
    Event.objects.all().delete()
    return services.create_job(project=project, user=None, kind=KIND, title="Count", params={})


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Ids of the jobs that workers were told of, by way of the real `enqueue_job`."""
    sent: list[int] = []
    monkeypatch.setattr(
        "annotation.corpora.tasks.run_job.apply_async",
        lambda args, **_: sent.append(args[0]),
    )
    monkeypatch.setattr(jobs, "enqueue_job", enqueue_job)
    return sent


def count_up(work: Work, until: int = 5) -> dict[str, Any]:
    """Five steps, each of which leaves an event."""
    for number in range(work.cursor.get("next", 0), until):
        with work.step():
            record_event(project=work.job.project, actor=None, action="n", text=str(number))
            work.cursor = {"next": number + 1}
            work.done = number + 1
    return {"counted": until}


def events() -> list[str]:
    return list(Event.objects.order_by("pk").values_list("text", flat=True))


def let_lapse(job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def now_of(job: Job) -> Job:
    job.refresh_from_db()
    return job


def test_it_runs_to_the_end_and_says_so(job: Job) -> None:
    assert services.run_job(job_id=job.pk)
    assert now_of(job).state == JobState.DONE
    assert (job.done, job.cursor, job.result) == (5, {"next": 5}, {"counted": 5})
    assert (job.attempts, job.lease, job.lease_until) == (1, "", None)
    assert job.started_at is not None
    assert job.finished_at is not None
    assert events() == list("01234")


@pytest.mark.parametrize("state", [JobState.DONE, JobState.FAILED, JobState.CANCELLED])
def test_it_runs_no_job_that_is_over(state: JobState, job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(state=state)
    assert not services.run_job(job_id=job.pk)
    assert events() == []


def test_it_is_delivered_twice_and_done_once(job: Job) -> None:
    assert [services.run_job(job_id=job.pk) for _ in range(3)] == [True, False, False]
    assert events() == list("01234")


def test_it_is_claimed_by_one(job: Job) -> None:
    first = claim_job(job_id=job.pk)
    assert first is not None
    assert claim_job(job_id=job.pk) is None
    let_lapse(job)
    second = claim_job(job_id=job.pk)
    assert second is not None
    assert second.lease != first.lease
    assert second.attempts == 2


def claim_for_sure(job: Job) -> Job | None:
    """SQLite in memory, which only tests use, refuses a table in use rather than wait for it."""
    while True:
        try:
            return claim_job(job_id=job.pk)
        except OperationalError:
            time.sleep(0.01)


@pytest.mark.django_db(transaction=True)
def test_it_is_claimed_by_one_of_many_at_once(job: Job) -> None:
    together = threading.Barrier(6)
    won: list[Job] = []

    def claim() -> None:
        try:
            together.wait()
            claimed = claim_for_sure(job)
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


def test_it_commits_rows_and_cursor_together(job: Job, kind: Callable[..., None]) -> None:
    def fail_in_the_third(work: Work) -> dict[str, Any]:
        count_up(work, 2)
        with work.step():
            record_event(project=work.job.project, actor=None, action="n", text="lost")
            work.cursor = {"next": 3}
            raise OSError("the disk is full")

    kind(fail_in_the_third)
    services.run_job(job_id=job.pk)
    assert (now_of(job).state, job.error) == (JobState.FAILED, "the disk is full")
    assert events() == list("01")
    assert (job.cursor, job.done) == ({"next": 2}, 2)


def test_it_goes_on_at_the_cursor_when_it_is_tried_again(
    job: Job, kind: Callable[..., None]
) -> None:
    def fail(work: Work) -> dict[str, Any]:
        count_up(work, 2)
        raise ValueError("no more")

    kind(fail)
    services.run_job(job_id=job.pk)
    Job.objects.filter(pk=job.pk).update(cancel_requested=True)
    kind(count_up)
    services.retry_job(job=job)
    assert now_of(job).error == ""
    services.run_job(job_id=job.pk)
    assert now_of(job).state == JobState.DONE
    assert events() == list("01234")


def test_it_commits_nothing_once_another_worker_has_it(job: Job, kind: Callable[..., None]) -> None:
    def lose(work: Work) -> dict[str, Any]:
        count_up(work, 2)
        Job.objects.filter(pk=job.pk).update(lease="another worker's")
        return count_up(work, 5)

    kind(lose)
    assert services.run_job(job_id=job.pk)
    assert events() == list("01"), "the third step was rolled back"
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
    assert events() == []


def test_it_is_taken_over_where_the_dead_worker_left_it(job: Job) -> None:
    dead = claim_job(job_id=job.pk)
    assert dead is not None
    count_up(Work(dead), 3)
    assert not services.run_job(job_id=job.pk), "its lease still holds"
    let_lapse(job)
    assert services.run_job(job_id=job.pk)
    assert events() == list("01234")
    assert [line.text for line in job.lines.all()] == ["Taken up again, attempt 2."]


@pytest.mark.parametrize(
    "error, told_as",
    [
        (OSError("gone"), "gone"),
        (ValueError("wrong"), "wrong"),
        (DomainError("no"), "no"),
    ],
)
def test_it_fails_with_the_words_of_an_expected_error(
    error: Exception, told_as: str, job: Job, kind: Callable[..., None]
) -> None:
    kind(lambda work: raise_(error))
    services.run_job(job_id=job.pk)
    assert (now_of(job).state, job.error) == (JobState.FAILED, told_as)


def raise_(error: Exception) -> dict[str, Any]:
    raise error


def test_it_fails_and_raises_when_nobody_expected_the_error(
    job: Job, kind: Callable[..., None]
) -> None:
    kind(lambda work: raise_(ZeroDivisionError("by zero")))
    with pytest.raises(ZeroDivisionError):
        services.run_job(job_id=job.pk)
    assert now_of(job).state == JobState.FAILED
    assert job.error == "Internal error: ZeroDivisionError: by zero"


def test_it_fails_when_no_such_work_is_known(job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(kind="unheard_of")
    with pytest.raises(KeyError):
        services.run_job(job_id=job.pk)
    assert now_of(job).state == JobState.FAILED
    assert "unheard_of" in job.error


def test_it_waits_for_a_database_that_is_away(
    job: Job, kind: Callable[..., None], caplog: pytest.LogCaptureFixture
) -> None:
    kind(lambda work: raise_(OperationalError("the server closed the connection")))
    services.run_job(job_id=job.pk)
    assert now_of(job).state == JobState.RUNNING, "until its lease lapses"
    assert "it will be taken up again" in caplog.text
    kind(count_up)
    let_lapse(job)
    services.run_job(job_id=job.pk)
    assert now_of(job).state == JobState.DONE


def test_it_is_given_up_after_twenty_attempts(job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(attempts=jobs.MAX_ATTEMPTS - 1)
    claim_job(job_id=job.pk)
    let_lapse(job)
    assert services.run_job(job_id=job.pk)
    assert (now_of(job).state, job.error) == (JobState.FAILED, "Given up after 20 attempts.")
    assert events() == []
    services.retry_job(job=job)
    services.run_job(job_id=job.pk)
    assert now_of(job).state == JobState.DONE


def test_it_ends_a_queued_job_at_once(job: Job, kind: Callable[..., None]) -> None:
    undone: list[int] = []
    kind(count_up, undo=lambda job: undone.append(job.pk))
    services.cancel_job(job=job)
    assert now_of(job).state == JobState.CANCELLED
    assert job.finished_at is not None
    assert undone == [job.pk]
    assert not services.run_job(job_id=job.pk)


def test_it_ends_a_running_job_at_its_next_step(job: Job, kind: Callable[..., None]) -> None:
    undone: list[str] = []

    def cancel_in_the_middle(work: Work) -> dict[str, Any]:
        count_up(work, 2)
        services.cancel_job(job=job)
        return count_up(work)

    kind(cancel_in_the_middle, undo=lambda job: undone.append(Job.objects.get().state))
    services.run_job(job_id=job.pk)
    assert now_of(job).state == JobState.CANCELLED
    assert events() == list("01")
    assert undone == [JobState.CANCELLED]


def test_it_ends_a_reading_job_at_its_next_report(job: Job, kind: Callable[..., None]) -> None:
    def read(work: Work) -> dict[str, Any]:
        work.report(1, phase="Reading")
        services.cancel_job(job=job)
        work.report(2, phase="Reading")
        return {}

    kind(read)
    services.run_job(job_id=job.pk)
    assert now_of(job).state == JobState.CANCELLED
    assert (job.done, job.phase) == (1, "Reading")


def test_it_is_not_cancelled_when_it_cannot_be_undone(job: Job, kind: Callable[..., None]) -> None:
    """Else a worker that dies between the two would leave rows that nobody removes."""
    kind(count_up, undo=lambda job: raise_(OSError("killed")))
    claim_job(job_id=job.pk)
    services.cancel_job(job=job)
    let_lapse(job)
    with pytest.raises(OSError, match="killed"):
        services.run_job(job_id=job.pk)
    assert now_of(job).state == JobState.RUNNING
    kind(count_up, undo=lambda job: None)
    let_lapse(job)
    services.run_job(job_id=job.pk)
    assert now_of(job).state == JobState.CANCELLED


def test_it_does_not_undo_what_another_worker_runs(job: Job, kind: Callable[..., None]) -> None:
    undone: list[int] = []

    def lose_and_be_cancelled(work: Work) -> dict[str, Any]:
        Job.objects.filter(pk=job.pk).update(lease="another worker's", cancel_requested=True)
        return count_up(work)

    kind(lose_and_be_cancelled, undo=lambda job: undone.append(job.pk))
    services.run_job(job_id=job.pk)
    assert undone == []
    assert now_of(job).state == JobState.RUNNING


@pytest.mark.parametrize("state", [JobState.DONE, JobState.FAILED, JobState.CANCELLED])
def test_it_cannot_cancel_what_is_over(state: JobState, job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(state=state)
    with pytest.raises(DomainError, match="over already"):
        services.cancel_job(job=job)


def test_it_cannot_cancel_what_must_not_stop_half_way(job: Job, kind: Callable[..., None]) -> None:
    kind(count_up, can_cancel=False)
    with pytest.raises(DomainError, match="can't be stopped half-way"):
        services.cancel_job(job=job)
    assert not jobs.KINDS["remove_import"].can_cancel


@pytest.mark.parametrize("state", [state for state in JobState if state != JobState.FAILED])
def test_it_tries_only_a_failed_job_again(state: JobState, job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(state=state)
    with pytest.raises(DomainError, match="Only a failed job"):
        services.retry_job(job=job)


def test_it_tells_a_worker_once_the_job_is_committed(
    job: Job,
    told: list[int],
    django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        made = services.create_job(project=job.project, user=None, kind=KIND, title="x", params={})
        assert told == []
    assert told == [made.pk]
    assert now_of(made).told_at is not None


def age(job: Job, seconds: float, **changes: Any) -> None:
    at = timezone.now() - timedelta(seconds=seconds)
    Job.objects.filter(pk=job.pk).update(created_at=at, **changes)


def test_it_tells_once_of_a_job_that_nobody_was_told_of(job: Job, told: list[int]) -> None:
    assert services.recover_jobs() == [], "whoever made it is about to tell"
    age(job, 60)
    assert services.recover_jobs() == [job.pk]
    assert [services.recover_jobs() for _ in range(3)] == [[], [], []]
    assert told == [job.pk]


def test_it_tells_again_when_the_message_was_lost(job: Job, told: list[int]) -> None:
    age(job, 600, told_at=timezone.now() - TELL_AGAIN_AFTER - timedelta(seconds=1))
    assert services.recover_jobs() == [job.pk]
    assert services.recover_jobs() == []


def test_it_tells_once_of_a_job_whose_worker_died(job: Job, told: list[int]) -> None:
    age(job, 600, told_at=timezone.now() - timedelta(seconds=30))
    claim_job(job_id=job.pk)
    assert services.recover_jobs() == [], "its lease holds"
    let_lapse(job)
    assert services.recover_jobs() == [job.pk]
    assert services.recover_jobs() == []
    services.run_job(job_id=job.pk)
    assert services.recover_jobs() == []
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
    assert "the broker did not take the message" in caplog.text
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
    assert "the broker did not take the message" in caplog.text


@pytest.mark.django_db(transaction=True)
def test_it_renews_the_lease_while_a_step_takes_long(
    job: Job, kind: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs.settings, "JOB_LEASE_SECONDS", 0.3)
    others: list[Job | None] = []

    def take_long(work: Work) -> dict[str, Any]:
        time.sleep(1)
        others.append(claim_job(job_id=job.pk))
        return {}

    kind(take_long)
    services.run_job(job_id=job.pk)
    assert others == [None]
    assert now_of(job).state == JobState.DONE


def test_it_finishes_a_job_here_or_waits_for_who_does(
    job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    claimed = claim_job(job_id=job.pk)
    assert claimed is not None
    monkeypatch.setattr(jobs.time, "sleep", lambda _: jobs._run(claimed))
    services.finish_job(job=job)
    assert job.state == JobState.DONE
    assert events() == list("01234")
