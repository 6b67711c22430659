"""How a job ends, and what whoever began it is told of that."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation.corpora.models import Job, JobState, NotificationKind
from annotation.corpora.services.notifications import notify
from annotation.corpora.targets import find_subject
from annotation.errors import DomainError


def choose_kind(error: Exception) -> NotificationKind:
    """What a failure is to whoever began the job: a question of money, or of the job."""
    is_money = isinstance(error, DomainError) and error.is_about_money
    return NotificationKind.MONEY if is_money else NotificationKind.JOB_FAILED


def describe_error(error: Exception) -> str:
    """What went wrong and, where that is known, how to mend it."""
    mend = error.mend if isinstance(error, DomainError) else ""
    return f"{error} {mend}".strip()


def end_job(
    job: Job,
    state: JobState,
    about: NotificationKind = NotificationKind.JOB_FAILED,
    **changes: Any,
) -> bool:
    """End the job and tell who began it, unless another worker has it by now."""
    mine = Job.objects.filter(pk=job.pk, lease=job.lease, state=JobState.RUNNING)
    ended = {"state": state, "finished_at": timezone.now(), "lease": "", "lease_until": None}
    with transaction.atomic():
        if not mine.update(**ended, **changes):
            return False
        if state == JobState.DONE:
            _tell_end(job, NotificationKind.JOB_DONE, f"“{job}” is done.")
        elif state == JobState.FAILED:
            _tell_end(job, about, f"“{job}” has failed: {changes['error']}")
    return True


def _tell_end(job: Job, kind: NotificationKind, text: str) -> None:
    """What came of a job that is done; the job itself, and its log, if it failed."""
    if job.created_by is None:
        return
    is_done = kind == NotificationKind.JOB_DONE
    notify(
        users=[job.created_by],
        project=job.project,
        kind=kind,
        key=f"job:{job.pk}",
        text=text,
        target=find_subject(job) if is_done else ("job", job.pk),
        renew=True,  # a job that was tried again ends again
    )
