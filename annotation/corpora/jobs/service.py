"""Running long work: claim by lease, commit step by step, take over what a dead worker left.

- Two lanes in one worker: short jobs never wait until a long one is over.
"""

from __future__ import annotations

import logging
import time
import uuid
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import DataError, IntegrityError, transaction
from django.db import Error as DatabaseFault
from django.db.models import F
from django.utils.translation import gettext as _

from annotation import clock
from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Door, Verb
from annotation.corpora.activity.service import record_activity
from annotation.corpora.jobs.kinds import (
    DELIVERIES,
    KINDS,
    SWEEPS,
    JobKind,
    can_cancel,
    heartbeat,
    lease_end,
    least_role,
    least_scope,
    list_long_kinds,
)
from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.jobs.queries import note_worker_beat
from annotation.corpora.jobs.work import (
    REPORT_EVERY,
    JobCancelled,
    JobInterrupted,
    JobPaused,
    JobWaits,
    LeaseLost,
    Work,
    choose_kind,
    describe_error,
    end_job,
    put_off_job,
    sit_out_faults,
)
from annotation.corpora.notifications.models import NotificationKind
from annotation.corpora.notifications.service import deliver_mail, send_message
from annotation.corpora.projects.models import Project
from annotation.doors import through
from annotation.errors import DomainError
from annotation.faults import classify_fault
from annotation.references import describe_defect, make_reference
from scoring.errors import InputError
from scoring.extras import MissingLibrary

logger = logging.getLogger(__name__)

# Where kinds of jobs are written down, all that they need comes from here.
__all__ = [
    "DELIVERIES",
    "KINDS",
    "REPORT_EVERY",
    "SWEEPS",
    "JobCancelled",
    "JobInterrupted",
    "JobKind",
    "JobPaused",
    "JobWaits",
    "LeaseLost",
    "Work",
    "can_cancel",
    "cancel_job",
    "claim_job",
    "create_job",
    "enqueue_job",
    "finish_job",
    "least_role",
    "least_scope",
    "recover_jobs",
    "retry_job",
    "run_job",
]

MAX_ATTEMPTS = 20


def create_job(
    *, project: Project, user: User | None, kind: str, title: str, params: dict[str, Any]
) -> Job:
    """Record the job and, once it is committed, tell a worker."""
    job = Job.objects.create(
        project=project, created_by=user, kind=kind, title=title, params=params
    )
    transaction.on_commit(lambda: enqueue_job(job_id=job.pk))
    return job


def enqueue_job(*, job_id: int) -> None:
    """Tell a worker. A broker that is away costs time, not the job: the sweep tells again."""
    from annotation.corpora.tasks import run_job as task

    if not send_message(task, job_id):
        return
    try:
        Job.objects.filter(pk=job_id).update(told_at=clock.now())
    except DatabaseFault:
        logger.exception(
            "job %s was dispatched, but this was not recorded; it will be dispatched again", job_id
        )


def run_job(*, job_id: int) -> bool:
    """Run the job unless somebody else does; tells whether it was ours to run."""
    job = sit_out_faults(lambda: claim_job(job_id=job_id))
    if job is None:
        return False
    with heartbeat(lambda: _renew(job), str(job)), through(Door.JOB, lambda: job.created_by):
        _run(job)
    return True


def finish_job(*, job: Job) -> None:
    """Run the job in this process, or wait for the worker that was quicker."""
    run_job(job_id=job.pk)
    job.refresh_from_db()
    while not job.is_over:
        time.sleep(0.2)
        # Ours again, if our own try was cut short and its lease has lapsed.
        run_job(job_id=job.pk)
        job.refresh_from_db()


def claim_job(*, job_id: int) -> Job | None:
    lease = str(uuid.uuid4())
    now = clock.now()
    claimed = (
        Job.objects.claimable(now)
        .filter(pk=job_id)
        .update(
            state=JobState.RUNNING,
            lease=lease,
            lease_until=lease_end(),
            attempts=F("attempts") + 1,
            waiting_for="",
            retry_at=None,
            pace_from=now,
            pace_done=F("done"),
        )
    )
    if not claimed:
        return None
    Job.objects.filter(pk=job_id, started_at=None).update(started_at=now)
    return Job.objects.select_related("project").get(pk=job_id)


def cancel_job(*, job: Job) -> None:
    """A job that waits or rests ends at once; a running one at its next step."""
    if not can_cancel(job):
        raise DomainError(
            _("This job can't be cancelled while it runs."), _("Wait until it is done.")
        )
    with transaction.atomic():
        waiting = Job.objects.filter(pk=job.pk, state__in=[JobState.QUEUED, JobState.PAUSED])
        stopped = waiting.update(state=JobState.CANCELLED, finished_at=clock.now())
        running = Job.objects.filter(pk=job.pk, state=JobState.RUNNING)
        asked = running.update(cancel_requested=True)
        if not (stopped or asked):
            raise DomainError(_("This job has already ended, so it can't be cancelled."))
        text = f"cancelled “{job}”"
        record_activity(project=job.project, verb=Verb.CANCEL, target=job, text=text)
        if stopped:
            _follow(job, "undo")


def retry_job(*, job: Job, user: User | None = None) -> None:
    """Go on from the last step that was committed; what it spends is then this user's doing."""
    failed = Job.objects.filter(pk=job.pk, state=JobState.FAILED)
    kind = KINDS.get(job.kind)
    taken_over = {"created_by": user} if user is not None and kind and kind.spends else {}
    with transaction.atomic():
        again = failed.update(
            state=JobState.QUEUED,
            cancel_requested=False,
            pause_requested=False,
            error="",
            finished_at=None,
            attempts=0,
            lease="",
            told_at=None,
            waiting_for="",
            retry_at=None,
            **taken_over,
        )
        if not again:
            raise DomainError(_("Only failed jobs can be retried."))
        text = f"retried “{job}”"
        record_activity(project=job.project, verb=Verb.RETRY, target=job, text=text)
        _follow(job, "retried")
        transaction.on_commit(lambda: enqueue_job(job_id=job.pk))


def recover_jobs() -> list[int]:
    """Tell workers again of every job that none of them holds."""
    now = clock.now()
    # A job made a moment ago is being told of by the process that made it.
    old_enough = now - timedelta(seconds=settings.JOB_SWEEP_SECONDS)
    lost = Job.objects.untold(now).filter(created_at__lt=old_enough).order_by("pk")
    ids = list(lost.values_list("pk", flat=True)[:100])
    for job_id in ids:
        enqueue_job(job_id=job_id)
    return ids


SWEEPS.extend([note_worker_beat, recover_jobs])
DELIVERIES.append(deliver_mail)


def _run(job: Job) -> None:
    if job.attempts > MAX_ATTEMPTS:
        _fail(job, _("Given up after {max_attempts} attempts.").format(max_attempts=MAX_ATTEMPTS))
        return
    try:
        result = _do_work(job)
    except LeaseLost:
        logger.warning("job %s was taken over by another worker", job.pk)
    except JobCancelled:
        sit_out_faults(lambda: _finish_cancelled(job))
    except JobPaused:
        sit_out_faults(lambda: _rest(job))
    except (IntegrityError, DataError) as error:
        # Rows that the database refuses once it would refuse again.
        logger.exception("job %s wrote a row that the database refuses", job.pk)
        _fail(job, _("The database refused a row: {error}").format(error=error))
    except JobWaits as waits:
        fault = waits.fault
        sit_out_faults(lambda: put_off_job(job, fault))
    except DatabaseFault as error:
        # The lease lapses and the sweep brings the job back, from its last committed step.
        logger.exception("job %s lost the database; it will be resumed", job.pk)
        _note_fault(job, error)
    except (DomainError, InputError, MissingLibrary) as error:
        _fail(job, describe_error(error), choose_kind(error))
    except Exception:
        reference = make_reference()
        logger.exception("job %s (%s) failed (reference %s)", job.pk, job.kind, reference)
        _fail(job, describe_defect(reference))
    else:
        sit_out_faults(lambda: end_job(job, JobState.DONE, result=result))


def _do_work(job: Job) -> dict[str, Any]:
    """Do what the job is for; a fault that passes is told from all others."""
    try:
        if job.attempts > 1:
            Work(job).log(_("Resumed, attempt {attempts}.").format(attempts=job.attempts))
        work = Work(job)
        work.check_beginner()
        return KINDS[job.kind].run(work)
    except Exception as error:
        fault = classify_fault(error)
        if fault is None:
            raise
        logger.warning("job %s waits, %s unavailable: %s", job.pk, fault, error)
        raise JobWaits(fault) from error


def _note_fault(job: Job, error: Exception) -> None:
    """Put the cause into the job's log, if the database takes it by now."""
    try:
        Work(job).log(_("The database failed: {error}").format(error=error))
    except DatabaseFault:
        logger.exception("the log of job %s could not be written either", job.pk)


def _finish_cancelled(job: Job) -> None:
    """Both or neither: a worker that dies in between must not leave a half that nobody undoes."""
    with transaction.atomic():
        if end_job(job, JobState.CANCELLED):
            _follow(job, "undo")


def _fail(job: Job, error: str, about: NotificationKind = NotificationKind.JOB_FAILED) -> None:
    with transaction.atomic():
        if end_job(job, JobState.FAILED, about, error=error):
            _follow(job, "failed")


def _rest(job: Job) -> None:
    """Paused if that was asked for; else queued anew, behind whatever waits."""
    mine = Job.objects.filter(pk=job.pk, lease=job.lease, state=JobState.RUNNING)
    freed = {"lease": "", "lease_until": None, "attempts": 0}
    if mine.filter(pause_requested=True).update(state=JobState.PAUSED, **freed):
        return
    if mine.update(state=JobState.QUEUED, told_at=None, **freed):
        enqueue_job(job_id=job.pk)


def _follow(job: Job, name: str) -> None:
    if follow := getattr(KINDS.get(job.kind), name, None):
        follow(job)


def _renew(job: Job) -> None:
    Job.objects.filter(pk=job.pk, lease=job.lease).update(lease_until=lease_end())


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
