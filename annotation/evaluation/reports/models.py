"""Reports on metrics: how far each goes with people, found once and read many times."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext as _

from annotation import clock
from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.projects.models import Project
from annotation.translation import gettext_lazy

LONGEST_TITLE = 120
MOST_METRICS = 30
LONGEST_COMMENTARY = 10_000


class Report(models.Model):
    """Metrics held against people's scores.

    `human` and `metrics` are keys of score sources; `sources` keeps their names, signatures and
    hashes, for they may be deleted later. `found` is empty until the job is done; `commentary` is
    what people say about it, and no part of it. Who has
    `share_token` may read the report without an account; it is empty unless an owner wants that.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="reports")
    title = models.CharField(max_length=LONGEST_TITLE)
    human = models.CharField(max_length=200)
    metrics = models.JSONField(default=list)
    systems = models.JSONField(default=list, help_text=gettext_lazy("Names; all of them if empty."))
    sources = models.JSONField(default=list)
    options = models.JSONField(default=dict, help_text=gettext_lazy("Resamples, seed and inputs."))
    found = models.JSONField(default=dict)
    commentary = models.TextField(max_length=LONGEST_COMMENTARY, blank=True)
    signature = models.CharField(max_length=500, blank=True)
    share_token = models.CharField(max_length=64, null=True, blank=True, unique=True)
    job = models.ForeignKey(Job, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    is_ready = models.BooleanField(default=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return _("Report {pk}: {title}").format(pk=self.pk, title=self.title)

    @property
    def is_moving(self) -> bool:
        """Whether its page can change by itself."""
        waits = (JobState.QUEUED, JobState.RUNNING)
        return not self.is_ready and self.job is not None and self.job.state in waits

    @property
    def is_shared(self) -> bool:
        return self.share_token is not None

    @property
    def metric_names(self) -> list[str]:
        return [row["name"] for row in self.sources if row["key"] in self.metrics]

    @property
    def human_name(self) -> str:
        return next((str(row["name"]) for row in self.sources if row["key"] == self.human), "")

    @property
    def learned(self) -> list[dict[str, Any]]:
        """Its judges and metrics that were trained on the texts at hand, each once."""
        found = [row["learned"] for row in self.sources if row.get("learned")]
        return [row for place, row in enumerate(found) if row not in found[:place]]

    @property
    def lead(self) -> dict[str, Any] | None:
        """The metric that stands first, with its figures."""
        rows = self.found.get("leaderboard", [])
        return next((row for row in rows if row["metric"] == self.found.get("lead")), None)
