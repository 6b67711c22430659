"""Two lanes in one worker: a short job never waits until a long one is over."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from annotation.corpora.jobs import service as jobs
from annotation.corpora.jobs.kinds import DELIVERIES, KINDS, JobKind
from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.jobs.work import Work
from annotation.corpora.projects.models import Project
from tests.annotation.corpora.places import make_job


@pytest.fixture(autouse=True)
def kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of each lane."""

    def run(_: Work) -> dict[str, Any]:
        return {}

    monkeypatch.setitem(KINDS, "slow", JobKind(run, is_long=True))
    monkeypatch.setitem(KINDS, "quick", JobKind(run))


def states() -> dict[str, str]:
    return dict(Job.objects.values_list("title", "state"))


def test_the_worker_itself_takes_short_jobs_while_a_long_one_runs(project: Project) -> None:
    later = timezone.now() + timedelta(minutes=5)
    make_job(project, kind="slow", title="long", state=JobState.RUNNING, lease_until=later)
    make_job(project, kind="slow", title="another")
    make_job(project, kind="quick", title="put off", retry_at=later)
    for number in range(3):
        make_job(project, kind="quick", title=f"short {number}")
    assert jobs.run_waiting_short_jobs() == 3
    done = {f"short {number}": "done" for number in range(3)}
    assert states() == {"long": "running", "another": "queued", "put off": "queued", **done}


@pytest.mark.parametrize("state", [JobState.QUEUED, JobState.DONE, JobState.PAUSED])
def test_it_leaves_everything_to_the_pool_without_one(project: Project, state: str) -> None:
    make_job(project, kind="slow", title="long", state=state)
    make_job(project, kind="quick", title="short")
    assert jobs.run_waiting_short_jobs() == 0
    assert states() == {"long": state, "short": "queued"}


def test_every_worker_has_a_thread_for_it() -> None:
    assert jobs.run_waiting_short_jobs in DELIVERIES


def test_what_may_run_for_hours_is_long() -> None:
    known = {"train_judge", "train_easiness", "extract_stus", "judge_summaries", "score_metric"}
    assert known <= {name for name, kind in KINDS.items() if kind.is_long}
    short = {"check_import", "write_import", "publish_campaign", "review_assignments"}
    assert not any(KINDS[name].is_long for name in short)


def test_time_left_follows_the_worker_that_has_the_job(project: Project) -> None:
    """A night in the queue, and what an earlier worker did, say nothing about its pace."""
    now = timezone.now()
    job = make_job(project, kind="slow", title="slow", done=400, total=1000)
    Job.objects.update(started_at=now - timedelta(hours=9))
    claimed = jobs.claim_job(job_id=job.pk)
    assert claimed is not None
    assert (claimed.pace_done, claimed.time_left) == (400, None)
    work = Work(claimed)
    Job.objects.update(pace_from=now - timedelta(minutes=5))
    work.report(400, phase="Loading")
    Job.objects.update(pace_from=timezone.now() - timedelta(seconds=10))
    work.report(500, phase="Reading")
    claimed.refresh_from_db()
    assert claimed.time_left is not None
    assert claimed.time_left.total_seconds() == pytest.approx(50, abs=5)
    assert claimed.state == JobState.RUNNING
