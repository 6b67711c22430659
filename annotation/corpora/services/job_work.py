"""A job in the hands of its worker: its steps, how far it is, and what can interrupt it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import transaction
from django.db.models import Q

from annotation import clock
from annotation.access import holds_role
from annotation.computed import writing
from annotation.corpora.models import Job, JobLine, JobState
from annotation.corpora.services.job_kinds import KINDS
from annotation.corpora.services.leases import lease_end
from annotation.errors import Forbidden
from annotation.faults import Fault
from annotation.translation import gettext as _

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
