"""Studies of what metrics lose when texts are changed."""

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
from scoring.metrics.perturbations import PERTURBATIONS, SYNONYMS, Perturbation


class RobustnessStudy(models.Model):
    """Some metrics on texts as they are, and with shares of them changed by one perturbation.

    `shares` are of what the perturbation changes, from 0 to 1, in rising order. `columns` are the
    metrics' numbers in the order in which every example's row has them. `found` is empty until the
    job is done.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="robustness")
    metrics = models.JSONField(default=list)
    systems = models.JSONField(default=list)
    perturbation = models.CharField(max_length=20, default=SYNONYMS)
    shares = models.JSONField(default=list)
    examples_wanted = models.PositiveIntegerField(default=0, help_text=gettext_lazy("0 means all."))
    seed = models.PositiveBigIntegerField(default=0)
    columns = models.JSONField(default=list)
    found = models.JSONField(default=dict)
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
        return _("Robustness {pk}: {metrics}").format(pk=self.pk, metrics=", ".join(self.metrics))

    @property
    def is_moving(self) -> bool:
        """Whether its page can change by itself."""
        waits = (JobState.QUEUED, JobState.RUNNING)
        return not self.is_ready and self.job is not None and self.job.state in waits

    @property
    def percentages(self) -> list[float]:
        """Of what is changed, none first."""
        return [0, *(round(100 * share, 6) for share in self.shares)]

    @property
    def kind(self) -> Perturbation:
        return PERTURBATIONS[self.perturbation]


class ExampleDrops(models.Model):
    """Sums over an example's summaries: shares × (before, after, count) × columns, float64.

    Little-endian; empty until the example's turn has come.
    """

    study = models.ForeignKey(
        RobustnessStudy, on_delete=models.CASCADE, related_name="examples", db_index=False
    )
    example = models.ForeignKey(Example, on_delete=models.CASCADE, related_name="+")
    sums = models.BinaryField(default=bytes)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["study", "example"], name="example_perturbed_once")
        ]

    def __str__(self) -> str:
        return _("drops of example {example_id}").format(example_id=self.example_id)
