"""An import: what was sent, what it would create, and what came of it."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext as _

from annotation import clock
from annotation.corpora.jobs.models import Job
from annotation.corpora.projects.models import Project
from annotation.translation import gettext_lazy


class ImportState(models.TextChoices):
    CHECKING = "checking", gettext_lazy("Checking")
    READY = "ready", gettext_lazy("Ready to import")
    REFUSED = "refused", gettext_lazy("Has problems")
    WRITING = "writing", gettext_lazy("Importing")
    DONE = "done", gettext_lazy("Imported")
    REMOVING = "removing", gettext_lazy("Being undone")
    DROPPED = "dropped", gettext_lazy("Discarded")
    FAILED = "failed", gettext_lazy("Failed")


class Upload(models.Model):
    """Files that were sent for a job other than an import, in `folder` until it has read them.

    A gold dataset has no project before it is restored.
    """

    folder = models.CharField(max_length=36, unique=True, editable=False)
    project = models.ForeignKey(
        Project, null=True, on_delete=models.CASCADE, related_name="uploads"
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    size = models.PositiveBigIntegerField()
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return _("upload {folder}").format(folder=self.folder)


class ImportQuerySet(models.QuerySet["Import"]):
    def unfinished(self) -> ImportQuerySet:
        """Imports whose rows nobody may see: being written, being removed, or failed half-way."""
        hidden = [ImportState.WRITING, ImportState.REMOVING, ImportState.FAILED]
        return self.filter(state__in=hidden)


class Import(models.Model):
    """`plan` is what the check found: counts, problems, notes; later, what was created.

    The files sent lie in `folder` under the data directory, or at `path` on the server.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="imports")
    job = models.ForeignKey(Job, null=True, on_delete=models.SET_NULL, related_name="imports")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    folder = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    path = models.CharField(max_length=1000, blank=True)
    name = models.CharField(max_length=200)
    format = models.CharField(max_length=20, blank=True)
    state = models.CharField(
        max_length=10, choices=ImportState.choices, default=ImportState.CHECKING
    )
    plan = models.JSONField(default=dict)
    # Of a table with an example a row: what each column holds, as somebody said.
    columns = models.JSONField(default=dict, blank=True)
    # Bytes that were sent; files that lie on the server are nobody's upload.
    size = models.PositiveBigIntegerField(default=0)
    created_at = models.DateTimeField(default=clock.now)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar = ImportQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["project"],
                condition=models.Q(state__in=["writing", "removing"]),
                name="one_writing_import_per_project",
            )
        ]

    def __str__(self) -> str:
        return f"import of {self.name}"


class KeptFile(models.Model):
    """A units or labels file that came with a corpus, kept as it came: a line an example."""

    source = models.ForeignKey(Import, on_delete=models.CASCADE, related_name="kept_files")
    name = models.CharField(max_length=200)
    data = models.BinaryField()

    class Meta:
        ordering = ["name"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["source", "name"], name="kept_file_once_per_import")
        ]

    def __str__(self) -> str:
        return self.name
