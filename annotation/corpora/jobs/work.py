"""A job in the hands of its worker: its steps, how far it is, and what can interrupt it.

- Waiting for a fault to pass: a job goes back into the queue, and a worker stays with a write.
- How a job ends, and what whoever began it is told of that.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, TypeVar

from django.db import Error as DatabaseFault
from django.db import close_old_connections, connection, transaction
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation import clock
from annotation.access import holds_role
from annotation.computed import writing
from annotation.corpora.jobs.kinds import KINDS, lease_end
from annotation.corpora.jobs.models import Job, JobLine, JobState
from annotation.corpora.notifications.models import NotificationKind
from annotation.corpora.notifications.service import mark_settled, notify
from annotation.corpora.targets import find_subject
from annotation.errors import DomainError, Forbidden
from annotation.faults import Fault, classify_fault

REPORT_EVERY = 0.5


class JobInterrupted(Exception):
    """The job is no longer this worker's to run."""


class JobCancelled(JobInterrupted):
    """Somebody asked for the job to stop."""


class JobPaused(JobInterrupted):
    """Somebody asked for the job to rest, or it makes room for another that waits."""


class JobWaits(JobInterrupted):
    """The database or the disk is not to be had just now."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.waiting)
        self.fault = fault


class LeaseLost(JobInterrupted):
    """Another worker has taken the job over."""


class Work:
    """A claimed job in the hands of the worker that runs it."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.cursor: dict[str, Any] = dict(job.cursor)
        self.done = job.done
        self._reported = 0.0
        self._began_at = job.done

    @contextmanager
    def step(self) -> Iterator[None]:
        """Rows written inside are committed with `cursor` and `done`, or not at all.

        What takes long is computed before it: others can't write meanwhile, the lease among them.
        """
        with transaction.atomic(), writing():
            self._check_wishes()
            yield
            self._hold(cursor=self.cursor, done=self.done)

    def report(self, done: int, total: int | None = None, phase: str | None = None) -> None:
        """Tell how far a phase is that writes nothing; at most twice a second."""
        self.done = done
        now = time.monotonic()
        if phase is None and now - self._reported < REPORT_EVERY:
            return
        self._reported = now
        changes: dict[str, Any] = {"done": done}
        if done <= self._began_at:  # loading and reading don't tell how fast the work goes
            changes |= {"pace_from": clock.now(), "pace_done": done}
        if total is not None:
            changes["total"] = total
        if phase is not None:
            changes["phase"] = phase
        self._check_wishes()
        self._hold(**changes)

    def log(self, text: str) -> None:
        JobLine.objects.create(job=self.job, text=text[:500])

    def check_beginner(self) -> None:
        """Before money is spent: whoever began this must still be one who may spend it."""
        kind, began = KINDS.get(self.job.kind), self.job.created_by_id
        if kind is None or not kind.spends or began is None:
            return  # it spends nothing, or was begun by a command
        if not holds_role(began, self.job.project_id, kind.least):
            raise Forbidden(
                _(
                    "The person who started this job is no longer {least} of the "
                    "project, so it spends nothing more."
                ).format(least=kind.least.label.lower()),
                _("Anybody with the role {least} can retry it.").format(
                    least=kind.least.label.lower()
                ),
            )

    def _check_wishes(self) -> None:
        self.check_beginner()
        asked = Job.objects.filter(pk=self.job.pk).filter(
            Q(cancel_requested=True) | Q(pause_requested=True)
        )
        for cancel in asked.values_list("cancel_requested", flat=True):
            raise JobCancelled if cancel else JobPaused

    def _hold(self, **changes: Any) -> None:
        """Write only while the lease is ours: the fence against a worker that was given up."""
        if self.done > self._began_at:
            changes["attempts"] = 1  # a job that gets on is not given up
        mine = Job.objects.filter(pk=self.job.pk, lease=self.job.lease, state=JobState.RUNNING)
        if not mine.update(lease_until=lease_end(), **changes):
            raise LeaseLost


T = TypeVar("T")
# How soon a job that waits for a fault to pass is tried again, and for how long a worker stays with
# one that can't even be put back into the queue. After that its lease lapses, and others find it.
WAIT_SECONDS = 5
SIT_OUT_SECONDS = 600


def put_off_job(job: Job, fault: Fault) -> None:
    """Queued again, to be tried in a few seconds. It doesn't count as an attempt."""
    mine = Job.objects.filter(pk=job.pk, lease=job.lease, state=JobState.RUNNING)
    with transaction.atomic():
        again = mine.update(
            state=JobState.QUEUED,
            waiting_for=fault,
            retry_at=clock.now() + timedelta(seconds=WAIT_SECONDS),
            lease="",
            lease_until=None,
            attempts=F("attempts") - 1,
        )
        last = job.lines.order_by("-pk").values_list("text", flat=True).first()
        text = _("{waiting}. The job continues automatically.").format(waiting=fault.waiting)
        if again and last != text:
            JobLine.objects.create(job=job, text=text)


def sit_out_faults(call: Callable[[], T]) -> T:
    """Repeat what writes a row or two until the database takes it; for a while, not for ever."""
    until = time.monotonic() + SIT_OUT_SECONDS
    while True:
        try:
            return call()
        except DatabaseFault as error:
            if classify_fault(error) is None or time.monotonic() > until:
                raise
            if not connection.in_atomic_block:  # there it would cut the transaction off
                close_old_connections()
            time.sleep(1)


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
