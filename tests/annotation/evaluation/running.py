"""Runs of judges for tests, made through the services that the product uses."""

from __future__ import annotations

from typing import Any

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.models import JobState
from annotation.corpora.jobs.service import run_job
from annotation.evaluation.runs import service as runs_service
from annotation.evaluation.runs.models import JudgeRun, SummaryPresence
from annotation.units.sets.models import UnitSet


def begin(unit_set: UnitSet, user: User | None = None, **said: Any) -> JudgeRun:
    said = {"judge": "toy2", **said}
    return runs_service.start_run(project=unit_set.project, user=user, unit_set=unit_set, **said)


def lead(run: JudgeRun) -> JudgeRun:
    """Run its job here, and read it anew."""
    assert run.job is not None
    run_job(job_id=run.job.pk)
    run.refresh_from_db()
    run.job.refresh_from_db()
    return run


def finish(unit_set: UnitSet, user: User | None = None, **said: Any) -> JudgeRun:
    run = lead(begin(unit_set, user, **said))
    assert run.job is not None
    assert run.job.state == JobState.DONE, run.job.error
    return run


def results(run: JudgeRun) -> dict[tuple[str, str], tuple[list[float], list[int]]]:
    """Presence values and sentences by example and system."""
    rows = SummaryPresence.objects.filter(run=run)
    fields = ("summary__example__key", "summary__system__name", "presence", "sentences")
    return {
        (key, name): (values, places) for key, name, values, places in rows.values_list(*fields)
    }
