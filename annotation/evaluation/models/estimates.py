"""Scores of systems estimated from people's labels of some examples and a judge's run on all."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from annotation import clock
from annotation.corpora.models import Job, JobState, Project
from annotation.evaluation.models.labels import LabelSet
from annotation.evaluation.models.runs import JudgeRun


class Chosen(models.TextChoices):
    """How the examples that people judged were chosen."""

    PLAN = "plan", "By a plan in this project, at random"
    SAMPLE = "sample", "By a sample in this project, with stored inclusion probabilities"
    RANDOM = "random", "At random, with equal probability for every example"
    RANKER = "ranker", "By a ranker or by hand, with unequal probabilities"


class CountBy(models.TextChoices):
    EXAMPLES = "examples", "Every example counts equally"
    UNITS = "units", "Every unit counts equally"


class Target(models.TextChoices):
    DOCUMENTS = "documents", "These examples, as if people had judged them all"
    POPULATION = "population", "The population that these examples were drawn from"


class ScoreEstimate(models.Model):
    """`options` say what was asked, how examples were chosen too; `found` is empty until ready.

    Labels or a run that are deleted afterwards stay named in `sources`.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="score_estimates")
    label_set = models.ForeignKey(
        LabelSet, null=True, on_delete=models.SET_NULL, related_name="score_estimates"
    )
    run = models.ForeignKey(
        JudgeRun, null=True, on_delete=models.SET_NULL, related_name="score_estimates"
    )
    sources = models.JSONField(default=dict, help_text="Labels, run and plan, by name and hash.")
    options = models.JSONField(default=dict)
    found = models.JSONField(default=dict)
    signature = models.CharField(max_length=500, blank=True)
    job = models.ForeignKey(Job, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    is_ready = models.BooleanField(default=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return f"Estimate {self.pk}: {self.sources.get('labels')} and {self.sources.get('judge')}"

    @property
    def is_moving(self) -> bool:
        """Whether its page can change by itself."""
        waits = (JobState.QUEUED, JobState.RUNNING)
        return not self.is_ready and self.job is not None and self.job.state in waits
