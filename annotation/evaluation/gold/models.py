"""Gold versions: a study as it stood, in one file that never changes."""

from __future__ import annotations

import secrets
import uuid
from pathlib import Path
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext as _

from annotation import clock
from annotation.corpora.jobs.models import Job
from annotation.corpora.projects.models import Project
from annotation.evaluation.labels.models import LabelSet
from annotation.translation import gettext_lazy


class WorkerNames(models.TextChoices):
    PSEUDONYM = "pseudonym", gettext_lazy("Pseudonyms (keyed hash)")
    ID = "id", gettext_lazy("Provider’s worker IDs")


def make_key() -> bytes:
    return secrets.token_bytes(32)


class PseudonymKey(models.Model):
    """What workers' pseudonyms are made with: the same worker has one name in all versions."""

    project = models.OneToOneField(Project, on_delete=models.CASCADE, related_name="pseudonym_key")
    key = models.BinaryField(default=make_key)

    def __str__(self) -> str:
        return _("key of {project}").format(project=self.project)


class GoldVersion(models.Model):
    """Units, labels and texts of a study at one moment, under a hash.

    All of it is in one file, from which every download is made; `content_hash` is taken over what
    the file holds. `facts` is what is told of the study.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="gold_versions")
    label_set = models.ForeignKey(LabelSet, on_delete=models.PROTECT, related_name="gold_versions")
    name = models.CharField(max_length=80)
    version = models.PositiveIntegerField()
    description = models.TextField(max_length=4000, blank=True)
    licence = models.CharField(max_length=80, blank=True)
    citation = models.TextField(max_length=4000, blank=True)
    worker_names = models.CharField(
        max_length=9, choices=WorkerNames.choices, default=WorkerNames.PSEUDONYM
    )
    facts = models.JSONField(default=dict)
    file = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    size = models.PositiveBigIntegerField(default=0)
    content_hash = models.CharField(max_length=64, blank=True)
    expected_hash = models.CharField(
        max_length=64,
        blank=True,
        help_text=gettext_lazy("Hash of the file that this version was restored from."),
    )
    job = models.ForeignKey(Job, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    is_ready = models.BooleanField(default=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["project", "name", "version"], name="gold_version_once")
        ]

    def __str__(self) -> str:
        return f"{self.name} v{self.version}"

    @property
    def path(self) -> Path:
        return Path(settings.GOLD_DIR) / f"{self.file}.jsonl"
