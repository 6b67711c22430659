"""Long work as rows: the database, not the broker, knows what is to be done and how far it is.

- Signs of life of workers.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext as _

from annotation import clock
from annotation.corpora.projects.models import Project
from annotation.faults import Fault, is_disk_writable
from annotation.translation import gettext_lazy

TELL_AGAIN_AFTER = timedelta(minutes=1)


class JobState(models.TextChoices):
    QUEUED = "queued", gettext_lazy("Queued")
    RUNNING = "running", gettext_lazy("Running")
    PAUSED = "paused", gettext_lazy("Paused")
    DONE = "done", gettext_lazy("Done")
    FAILED = "failed", gettext_lazy("Failed")
    CANCELLED = "cancelled", gettext_lazy("Cancelled")

    @property
    def is_over(self) -> bool:
        return self in (JobState.DONE, JobState.FAILED, JobState.CANCELLED)


WAITING = [(fault.value, fault.waiting) for fault in Fault]
# A worker that is well renews its lease three times before it lapses.
SILENT_AFTER = timedelta(seconds=5)


class JobQuerySet(models.QuerySet["Job"]):
    def claimable(self, now: datetime) -> JobQuerySet:
        """Queued and due, or running under a lease that its worker let lapse."""
        is_due = Q(retry_at=None) | Q(retry_at__lte=now)
        return self.filter(
            Q(is_due, state=JobState.QUEUED) | Q(state=JobState.RUNNING, lease_until__lt=now)
        )

    def untold(self, now: datetime) -> JobQuerySet:
        """Claimable jobs of which no worker was told, or not since they were let lapse."""
        return self.claimable(now).filter(
            Q(told_at=None)
            | Q(told_at__lt=now - TELL_AGAIN_AFTER)
            | Q(state=JobState.RUNNING, told_at__lt=F("lease_until"))
            | Q(state=JobState.QUEUED, told_at__lt=F("retry_at"))
        )


class Job(models.Model):
    """One piece of long work.

    A worker holds a job by `lease`; it renews `lease_until` while it lives. Each step commits
    its rows together with `cursor`, and only while the lease is still its own, so a step is
    done once however often the job is delivered or taken over.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="jobs")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    kind = models.CharField(max_length=40)
    title = models.CharField(max_length=200)
    params = models.JSONField(default=dict)
    state = models.CharField(max_length=10, choices=JobState.choices, default=JobState.QUEUED)
    cancel_requested = models.BooleanField(default=False)
    pause_requested = models.BooleanField(default=False)
    cursor = models.JSONField(default=dict)
    done = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(null=True, blank=True)
    phase = models.CharField(max_length=120, blank=True)
    error = models.TextField(blank=True)
    result = models.JSONField(default=dict)
    attempts = models.PositiveIntegerField(default=0)
    lease = models.CharField(max_length=36, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    told_at = models.DateTimeField(null=True, blank=True)
    # A fault that passes by itself, and when to see whether it has.
    waiting_for = models.CharField(max_length=10, choices=WAITING, blank=True)
    retry_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=clock.now)
    started_at = models.DateTimeField(null=True, blank=True)
    # Since when the worker that has it makes progress, and what was done by then.
    pace_from = models.DateTimeField(null=True, blank=True)
    pace_done = models.PositiveBigIntegerField(default=0)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar = JobQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]
        indexes: ClassVar = [
            models.Index(fields=["project", "-created_at"], name="job_by_project"),
            models.Index(
                fields=["lease_until"],
                condition=Q(state__in=["queued", "running"]),
                name="job_unfinished",
            ),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def is_over(self) -> bool:
        return JobState(self.state).is_over

    @property
    def kind_words(self) -> str:
        return self.kind.replace("_", " ").capitalize().replace(" stus", " STUs")

    @property
    def waiting(self) -> str:
        """What an unfinished job waits for, if for anything.

        A worker that can't write can't say so. Then its lease lapses, and whoever looks finds out.
        """
        if self.is_over or self.state == JobState.PAUSED:
            return ""
        if self.waiting_for:
            return Fault(self.waiting_for).waiting
        if self.state != JobState.RUNNING or self.lease_until is None:
            return ""
        if clock.now() - self.lease_until < SILENT_AFTER:
            return ""
        return (Fault.DATABASE if is_disk_writable() else Fault.DISK).waiting

    @property
    def share(self) -> float | None:
        """How much is done, 0 to 1; unknown while the total is."""
        if self.state == JobState.DONE:
            return 1.0
        return min(self.done / self.total, 1.0) if self.total else None

    @property
    def percent(self) -> int | None:
        return None if self.share is None else int(self.share * 100)

    @property
    def time_left(self) -> timedelta | None:
        """Extrapolated from the pace of the worker that has it; nights and pauses don't count."""
        made = self.done - self.pace_done
        if self.state != JobState.RUNNING or not self.pace_from or not self.total or made <= 0:
            return None
        elapsed = clock.now() - self.pace_from
        return elapsed * max(self.total - self.done, 0) / made


class JobLine(models.Model):
    """A line of a job's log."""

    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="lines")
    at = models.DateTimeField(default=clock.now)
    text = models.CharField(max_length=500)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.text


class WorkerBeat(models.Model):
    """When a worker process last said that it is there. Its name is a random one of the process."""

    worker = models.CharField(max_length=32, unique=True)
    seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return _("{worker}, seen at {seen_at:%Y-%m-%d %H:%M:%S}").format(
            worker=self.worker[:8], seen_at=self.seen_at
        )
