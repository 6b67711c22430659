"""Scores of systems estimated from people's labels of some examples and a judge's run on all."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext as _

from annotation import clock
from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.projects.models import Project
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.runs.models import JudgeRun
from annotation.translation import gettext_lazy


class Chosen(models.TextChoices):
    """How the examples that people judged were chosen."""

    PLAN = "plan", gettext_lazy("By a plan in this project, at random")
    SAMPLE = (
        "sample",
        gettext_lazy("By a sample in this project, with stored inclusion probabilities"),
    )
    RANDOM = "random", gettext_lazy("At random, with equal probability for every example")
    RANKER = "ranker", gettext_lazy("By a ranker or by hand, with unequal probabilities")


class CountBy(models.TextChoices):
    EXAMPLES = "examples", gettext_lazy("Every example counts equally")
    UNITS = "units", gettext_lazy("Every unit counts equally")


class Target(models.TextChoices):
    DOCUMENTS = "documents", gettext_lazy("These examples, as if people had judged them all")
    POPULATION = "population", gettext_lazy("The population that these examples were drawn from")


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
    sources = models.JSONField(
        default=dict, help_text=gettext_lazy("Labels, run and plan, by name and hash.")
    )
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
        return _("Estimate {pk}: {labels} and {judge}").format(
            pk=self.pk, labels=self.sources.get("labels"), judge=self.sources.get("judge")
        )

    @property
    def is_moving(self) -> bool:
        """Whether its page can change by itself."""
        waits = (JobState.QUEUED, JobState.RUNNING)
        return not self.is_ready and self.job is not None and self.job.state in waits
