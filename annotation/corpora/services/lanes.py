"""Two lanes in one worker: short jobs never wait until a long one is over.

The processes of a worker's pool run all jobs as they come. While a long job keeps one of them, a
thread of the worker itself takes the short jobs that wait. Both claim by lease, so none is done
twice; without a long job the thread leaves everything to the pool.
"""

from __future__ import annotations

from annotation import clock
from annotation.corpora.models import Job, JobState
from annotation.corpora.services.job_kinds import DELIVERIES, list_long_kinds
from annotation.corpora.services.jobs import run_job


def run_waiting_short_jobs() -> int:
    """Run the short jobs that wait while a long one runs; tells how many were run here."""
    count = 0
    while (found := _find_waiting_short()) is not None:
        count += run_job(job_id=found)
    return count


def _find_waiting_short() -> int | None:
    kinds = list_long_kinds()
    if not Job.objects.filter(state=JobState.RUNNING, kind__in=kinds).exists():
        return None
    waiting = Job.objects.claimable(clock.now()).filter(state=JobState.QUEUED)
    short = waiting.exclude(kind__in=kinds).order_by("created_at", "pk")
    return short.values_list("pk", flat=True).first()


DELIVERIES.append(run_waiting_short_jobs)
