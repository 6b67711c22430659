"""A kind of job for tests: it counts up, and each step leaves an act behind."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any, TypeVar

import pytest
from django.db import OperationalError
from django.utils import timezone

from annotation.corpora.activity.models import Activity, Verb
from annotation.corpora.activity.service import record_activity
from annotation.corpora.jobs import service as jobs_service
from annotation.corpora.jobs.kinds import JobKind
from annotation.corpora.jobs.models import Job
from annotation.corpora.jobs.work import Work
from annotation.corpora.projects.models import Project

KIND = "count_up"
Define = Callable[..., None]
Found = TypeVar("Found")


def definer(monkeypatch: pytest.MonkeyPatch) -> Define:
    """A function that says what jobs of the tests' own kind do; at first, they count up."""

    def define(run: Callable[[Work], dict[str, Any]], **more: Any) -> None:
        monkeypatch.setitem(jobs_service.KINDS, KIND, JobKind(run, **more))

    define(count_up)
    return define


def make_job(project: Project) -> Job:
    return jobs_service.create_job(project=project, user=None, kind=KIND, title="Count", params={})


def count_up(work: Work, until: int = 5) -> dict[str, Any]:
    """Five steps, each of which leaves an act."""
    for number in range(work.cursor.get("next", 0), until):
        with work.step():
            leave_act(work, str(number))
            work.cursor = {"next": number + 1}
            work.done = number + 1
    return {"counted": until}


def leave_act(work: Work, text: str) -> None:
    record_activity(project=work.job.project, verb=Verb.RANK, text=text)


def acts() -> list[str]:
    """What the steps left behind."""
    rows = Activity.objects.filter(verb=Verb.RANK).order_by("pk")
    return list(rows.values_list("text", flat=True))


def let_lapse(job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def now_of(job: Job) -> Job:
    job.refresh_from_db()
    return job


def raise_(error: Exception) -> dict[str, Any]:
    raise error


def for_sure(call: Callable[[], Found]) -> Found:
    """SQLite in memory, which only tests use, refuses a table in use rather than wait for it."""
    while True:
        try:
            return call()
        except OperationalError:
            time.sleep(0.01)
