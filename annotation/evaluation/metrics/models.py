"""Scores of a metric, computed here or brought in from a file, kept by example."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext as _

from annotation import clock
from annotation.corpora.corpus.models import Example
from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.projects.models import Project
from annotation.translation import gettext_lazy
from annotation.wording import counted


class ScoreOrigin(models.TextChoices):
    COMPUTED = "computed", gettext_lazy("Computed here")
    FILE = "file", gettext_lazy("Imported from a file")


class ScoreSet(models.Model):
    """Numbers of every summary of some systems; never changed once they are all there.

    `systems` are names, in the order in which every example's row has them; `columns` are the
    numbers' names, and `lower` those of them in which less is better. `display_names` are what
    somebody calls the columns. `content_hash` is taken over all numbers by their own names.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="score_sets")
    name = models.CharField(max_length=100)
    origin = models.CharField(max_length=8, choices=ScoreOrigin.choices)
    metric = models.CharField(
        max_length=40, blank=True, help_text=gettext_lazy("Empty if from a file.")
    )
    options = models.JSONField(default=dict)
    systems = models.JSONField(default=list)
    columns = models.JSONField(default=list)
    lower = models.JSONField(default=list)
    display_names = models.JSONField(default=dict)
    counts = models.JSONField(default=dict)
    signature = models.CharField(max_length=1000, blank=True)
    content_hash = models.CharField(max_length=64, blank=True)
    note = models.CharField(max_length=300, blank=True)
    job = models.ForeignKey(Job, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    is_ready = models.BooleanField(default=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return _("Scores {pk}: {name}").format(pk=self.pk, name=self.name)

    def name_column(self, column: str) -> str:
        """The name that somebody has given to it, or its own."""
        return str(self.display_names.get(column, column))

    @property
    def named_columns(self) -> list[tuple[str, str]]:
        """Every column with its display name."""
        return [(column, self.name_column(column)) for column in self.columns]

    @property
    def is_moving(self) -> bool:
        """Whether its page can change by itself."""
        waits = (JobState.QUEUED, JobState.RUNNING)
        return not self.is_ready and self.job is not None and self.job.state in waits

    @property
    def import_notes(self) -> list[str]:
        """What a file held besides scores, and what became of it."""
        flags, unread = self.options.get("flags", {}), self.options.get("unread", [])
        notes = []
        if flags:
            rows = counted(sum(flags.values()), "row", "rows")
            listed = ", ".join(f"{flag} ({count:,})" for flag, count in flags.items())
            notes.append(
                _("The file flags {rows}, which were imported: {listed}.").format(
                    rows=rows, listed=listed
                )
                if self.options["flagged"]
                else _("The file flags {rows}, which were skipped: {listed}.").format(
                    rows=rows, listed=listed
                )
            )
        if unread:
            notes.append(
                _("Columns of the file that were not imported: {unread}.").format(
                    unread=", ".join(unread)
                )
            )
        return notes


class ExampleScores(models.Model):
    """The numbers of one example's summaries: systems × columns, float64, little-endian.

    A cell without a summary or without an answer is nan. Empty until the example's turn has come.
    """

    score_set = models.ForeignKey(
        ScoreSet, on_delete=models.CASCADE, related_name="examples", db_index=False
    )
    example = models.ForeignKey(Example, on_delete=models.CASCADE, related_name="scores")
    values = models.BinaryField(default=bytes)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["score_set", "example"], name="example_scored_once")
        ]

    def __str__(self) -> str:
        return _("scores of example {example_id}").format(example_id=self.example_id)


class StoredScore(models.Model):
    """What a metric gave for some texts, whichever study they stand in; both by their hashes."""

    metric_key = models.BinaryField(max_length=16)
    text_key = models.BinaryField(max_length=16)
    values = models.BinaryField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["metric_key", "text_key"], name="stored_score_once")
        ]

    def __str__(self) -> str:
        return _("stored score {pk}").format(pk=self.pk)
