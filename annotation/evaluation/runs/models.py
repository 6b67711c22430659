"""Runs of a judge over summaries, and what judges have said, kept once for all runs."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext as _

from annotation import clock
from annotation.corpora.corpus.models import Summary
from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.projects.models import Project
from annotation.translation import gettext_lazy
from annotation.units.sets.models import UnitSet
from scoring.judge.protocol import CONTEXT

LONGEST_DISPLAY_NAME = 60


class JudgeIdentity(models.Model):
    """A judge to the byte: what its verdicts depend on, besides the texts."""

    key = models.CharField(max_length=64, unique=True)
    name = models.CharField(max_length=300)
    kind = models.CharField(max_length=40)
    weights = models.CharField(max_length=200)
    revision = models.CharField(max_length=200, blank=True)
    options = models.JSONField(default=dict)
    classes = models.PositiveSmallIntegerField()
    first_seen_at = models.DateTimeField(default=clock.now)

    def __str__(self) -> str:
        return f"{self.name} {self.key[:12]}"

    @property
    def reads_context(self) -> bool:
        """Whether what it says of a unit holds beside the other units of the summary only."""
        return CONTEXT in self.options


class StoredVerdict(models.Model):
    """What a judge said of a unit's text in a summary's text, whichever study they stand in.

    `logits` are float32, little-endian, a row for each window; texts are known by their hashes. The
    unit's key stands for all units of the summary, in their order, where the judge reads them all.
    """

    identity = models.ForeignKey(
        JudgeIdentity, on_delete=models.CASCADE, related_name="verdicts", db_index=False
    )
    summary_key = models.BinaryField(max_length=16)
    unit_key = models.BinaryField(max_length=16)
    logits = models.BinaryField()
    sentence = models.SmallIntegerField(default=-1)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["identity", "summary_key", "unit_key"], name="verdict_once"
            )
        ]

    def __str__(self) -> str:
        return _("verdict {pk} of {identity_id}").format(pk=self.pk, identity_id=self.identity_id)


class EmptySummaries(models.TextChoices):
    REFUSE = "refuse", gettext_lazy("Don’t start the run, and name the first one")
    ABSENT = "absent", gettext_lazy("Count all their units as not present")


class JudgeRun(models.Model):
    """A judge on the units of a frozen set and the summaries of some systems, or of all.

    The judge is loaded by the job, so its identity and, where none was chosen, its function are
    known only then. `content_hash` is taken over all presence values by names.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="judge_runs")
    unit_set = models.ForeignKey(UnitSet, on_delete=models.PROTECT, related_name="judge_runs")
    judge = models.CharField(max_length=300)
    options = models.JSONField(default=dict)
    function = models.CharField(max_length=3, blank=True)
    systems = models.JSONField(
        default=list, help_text=gettext_lazy("Names of systems. Empty means all.")
    )
    empty = models.CharField(
        max_length=6, choices=EmptySummaries.choices, default=EmptySummaries.REFUSE
    )
    chunk_size = models.PositiveIntegerField()
    identity = models.ForeignKey(
        JudgeIdentity, null=True, blank=True, on_delete=models.PROTECT, related_name="runs"
    )
    counts = models.JSONField(
        default=dict, help_text=gettext_lazy("Numbers of summaries and pairs to judge.")
    )
    figures = models.JSONField(default=dict, help_text=gettext_lazy("Results of the run."))
    data_hash = models.CharField(max_length=64)
    content_hash = models.CharField(max_length=64, blank=True)
    signature = models.CharField(max_length=1000, blank=True)
    note = models.CharField(max_length=300, blank=True)
    display_name = models.CharField(max_length=LONGEST_DISPLAY_NAME, blank=True)
    job = models.ForeignKey(Job, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    told_at = models.DateTimeField(null=True, blank=True)
    verdicts_seen_by = models.ManyToManyField(
        settings.AUTH_USER_MODEL, related_name="+", blank=True
    )
    is_ready = models.BooleanField(default=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return _("Run {pk}: {title} on {unit_set}").format(
            pk=self.pk, title=self.title, unit_set=self.unit_set
        )

    @property
    def title(self) -> str:
        """The name that somebody has given it, or the judge's."""
        return self.display_name or self.judge

    @property
    def source_key(self) -> str:
        """Under which its scores are chosen."""
        return f"run:{self.pk}"

    @property
    def is_moving(self) -> bool:
        """Whether its page can change by itself."""
        waits = (JobState.QUEUED, JobState.RUNNING)
        return not self.is_ready and self.job is not None and self.job.state in waits


class ChunkState(models.TextChoices):
    WAITING = "waiting", gettext_lazy("Waiting")
    CLAIMED = "claimed", gettext_lazy("In progress")
    DONE = "done", gettext_lazy("Done")


class ChunkQuerySet(models.QuerySet["RunChunk"]):
    def claimable(self, now: datetime) -> ChunkQuerySet:
        """Waiting, or left by a worker that let its lease lapse."""
        return self.filter(
            Q(state=ChunkState.WAITING) | Q(state=ChunkState.CLAIMED, lease_until__lt=now)
        )


class RunChunk(models.Model):
    """Some summaries of a run, judged together by the worker that holds the lease."""

    run = models.ForeignKey(
        JudgeRun, on_delete=models.CASCADE, related_name="chunks", db_index=False
    )
    position = models.PositiveIntegerField()
    summaries = models.JSONField(help_text=gettext_lazy("IDs of the summaries."))
    pairs = models.PositiveIntegerField(
        help_text=gettext_lazy("Number of pairs of a unit and a summary that is not empty.")
    )
    stored = models.PositiveIntegerField(
        default=0, help_text=gettext_lazy("Number of pairs taken from the cache.")
    )
    state = models.CharField(max_length=7, choices=ChunkState.choices, default=ChunkState.WAITING)
    lease = models.CharField(max_length=36, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    done_at = models.DateTimeField(null=True, blank=True)
    seconds = models.FloatField(default=0)

    objects: ClassVar = ChunkQuerySet.as_manager()

    class Meta:
        ordering = ["position"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["run", "position"], name="chunk_by_position")
        ]

    def __str__(self) -> str:
        return _("chunk {position} of run {run_id}").format(
            position=self.position + 1, run_id=self.run_id
        )


class SummaryPresence(models.Model):
    """What a run found in one summary, in the order of its example's units.

    `presence` is read off the logits by the run's function; `sentences` are places of the
    summary's sentences that convinced the judge, -1 where it names none; `score` is the units'
    weighted mean.
    """

    run = models.ForeignKey(
        JudgeRun, on_delete=models.CASCADE, related_name="presences", db_index=False
    )
    summary = models.ForeignKey(Summary, on_delete=models.CASCADE, related_name="presences")
    presence = models.JSONField()
    sentences = models.JSONField()
    score = models.FloatField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["run", "summary"], name="summary_judged_once")
        ]
        indexes: ClassVar = [models.Index(fields=["run", "score"], name="presence_by_score")]

    def __str__(self) -> str:
        return _("presence in summary {summary_id}").format(summary_id=self.summary_id)
