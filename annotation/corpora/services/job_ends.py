"""How a job ends, and what whoever began it is told of that."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from annotation import clock
from annotation.corpora.models import Job, JobState, NotificationKind
from annotation.corpora.services.notifications import mark_settled, notify
from annotation.corpora.targets import find_subject
from annotation.errors import DomainError
from annotation.translation import gettext as _
from annotation.translation import ngettext

# Whoever began a job waits for so long, and sees it done without being told.
SEEN_WITHIN = timedelta(minutes=1)
# What somebody begins in a project within so long is one piece of work to them.
BEGUN_TOGETHER = timedelta(minutes=1)


def choose_kind(error: Exception) -> NotificationKind:
    """What a failure is to whoever began the job: a question of money, or of the job."""
    is_money = isinstance(error, DomainError) and error.is_about_money
    return NotificationKind.MONEY if is_money else NotificationKind.JOB_FAILED


def describe_error(error: Exception) -> str:
    """What went wrong and, where that is known, how to fix it."""
    hint = error.hint if isinstance(error, DomainError) else ""
    return f"{error} {hint}".strip()


def end_job(
    job: Job,
    state: JobState,
    about: NotificationKind = NotificationKind.JOB_FAILED,
    **changes: Any,
) -> bool:
    """End the job and tell who began it, unless another worker has it by now."""
    mine = Job.objects.filter(pk=job.pk, lease=job.lease, state=JobState.RUNNING)
    ended = {"state": state, "finished_at": clock.now(), "lease": "", "lease_until": None}
    with transaction.atomic():
        if not mine.update(**ended, **changes):
            return False
        if state == JobState.DONE:
            _tell_done(job)
        elif state == JobState.FAILED:
            _tell_failed(job, about, changes["error"])
    return True


def _tell_done(job: Job) -> None:
    """One line for all that was begun together, and none for what was done at once."""
    if job.created_by is None:
        return
    mark_settled(user=job.created_by, key=_name_failure(job))
    if clock.now() - job.created_at < SEEN_WITHIN:
        return
    together = _list_begun_with(job)
    others = together.filter(state=JobState.DONE).exclude(pk=job.pk).count()
    words = _("“{job}” has finished.").format(job=job)
    if others:
        words = ngettext(
            "“{job}” has finished, and so has {others:,} other job started with it.",
            "“{job}” has finished, and so have {others:,} other jobs started with it.",
            others,
        ).format(job=job, others=others)
    first = together.order_by("created_at", "pk").values_list("pk", flat=True)[0]
    notify(
        users=[job.created_by],
        project=job.project,
        kind=NotificationKind.JOB_DONE,
        key=f"done:{first}",
        text=words,
        target=find_subject(job),
        renew=True,
    )


def _list_begun_with(job: Job) -> QuerySet[Job]:
    mine = Job.objects.filter(project=job.project_id, created_by=job.created_by_id)
    before = job.created_at - BEGUN_TOGETHER
    first = mine.filter(created_at__gte=before).order_by("created_at")[:1].get()
    begun = (first.created_at, first.created_at + BEGUN_TOGETHER)
    return mine.filter(created_at__range=begun)


def _tell_failed(job: Job, about: NotificationKind, error: str) -> None:
    """It leads to the job itself, and its log."""
    notify(
        users=[job.created_by],
        project=job.project,
        kind=about,
        key=_name_failure(job),
        text=_("“{job}” failed: {error}").format(job=job, error=error),
        target=("job", job.pk),
        renew=True,  # a job that was tried again ends again
    )


def _name_failure(job: Job) -> str:
    return f"job:{job.pk}"
