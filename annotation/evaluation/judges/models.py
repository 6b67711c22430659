"""Judges that a project has trained on its own labels."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import ClassVar

from django.conf import settings
from django.db import models

from annotation import clock
from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.projects.models import Project
from annotation.evaluation.gold.models import GoldVersion
from annotation.evaluation.labels.models import LabelSet
from annotation.translation import gettext_lazy

# Below JUDGES_DIR, where nobody finds them by a folder's name: a judge is its project's own.
TRAINED = ".trained"


class FoldsBy(models.TextChoices):
    EXAMPLES = "examples", gettext_lazy("By examples")
    SYSTEMS = "systems", gettext_lazy("By systems")


class TrainedJudge(models.Model):
    """One version of a judge, and what it learned from; `card` is empty until it is ready.

    Labels that are deleted afterwards stay named in `learned_from`, and known by the card's hash.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="trained_judges")
    name = models.CharField(max_length=80)
    version = models.PositiveIntegerField()
    base = models.CharField(max_length=300)
    options = models.JSONField(default=dict)
    label_set = models.ForeignKey(
        LabelSet, null=True, blank=True, on_delete=models.SET_NULL, related_name="trained_judges"
    )
    gold = models.ForeignKey(
        GoldVersion, null=True, blank=True, on_delete=models.SET_NULL, related_name="trained_judges"
    )
    learned_from = models.CharField(max_length=300)
    folds_by = models.CharField(max_length=8, choices=FoldsBy.choices, default=FoldsBy.EXAMPLES)
    folds = models.PositiveSmallIntegerField(
        default=5, help_text=gettext_lazy("0 means no held-out data.")
    )
    card = models.JSONField(default=dict)
    folder = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    job = models.ForeignKey(Job, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    is_ready = models.BooleanField(default=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["project", "name", "version"], name="trained_judge_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"

    @property
    def path(self) -> Path:
        return Path(settings.JUDGES_DIR) / TRAINED / str(self.folder)

    @property
    def work_path(self) -> Path:
        """What is done of a training that is not finished."""
        return self.path.with_name(f"{self.folder}.work")

    @property
    def is_moving(self) -> bool:
        """Whether its page can change by itself."""
        waits = (JobState.QUEUED, JobState.RUNNING)
        return not self.is_ready and self.job is not None and self.job.state in waits
