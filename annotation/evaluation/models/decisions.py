"""What people decide about judgements: whose work counts, and what an expert says instead.

Nothing is ever deleted: a decision that is undone keeps its row, with who did it and when.
"""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation import clock
from annotation.corpora.models import Project, Summary
from annotation.crowd.models import Assignment, Worker
from annotation.evaluation.models.labels import LabelSet
from annotation.evaluation.models.runs import JudgeRun
from annotation.translation import gettext as _
from annotation.translation import gettext_lazy
from annotation.units.models import Unit


class Verdict(models.TextChoices):
    DROP = "drop", gettext_lazy("Excluded")
    KEEP = "keep", gettext_lazy("Always included")


class Decision(models.Model):
    """A person's word on a worker, or on one assignment: left out of labels, or kept in them."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="decisions")
    worker = models.ForeignKey(
        Worker, null=True, blank=True, on_delete=models.CASCADE, related_name="decisions"
    )
    assignment = models.ForeignKey(
        Assignment, null=True, blank=True, on_delete=models.CASCADE, related_name="decisions"
    )
    verdict = models.CharField(max_length=4, choices=Verdict.choices)
    reason = models.CharField(max_length=300)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    made_at = models.DateTimeField(default=clock.now)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-made_at", "-pk"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(worker__isnull=False, assignment__isnull=True)
                | Q(worker__isnull=True, assignment__isnull=False),
                name="decision_on_one_thing",
            ),
            models.UniqueConstraint(
                fields=["worker"],
                condition=Q(undone_at__isnull=True, worker__isnull=False),
                name="decision_once_per_worker",
            ),
            models.UniqueConstraint(
                fields=["assignment"],
                condition=Q(undone_at__isnull=True, assignment__isnull=False),
                name="decision_once_per_assignment",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_verdict_display()}: {self.reason}"


class Adjudication(models.Model):
    """An expert's word on one unit in one summary; it stands above any vote.

    Where it was settled beside a run: `draw` says what judge and people had said, in which stratum
    it lay, how many statements that had, and, unless it was picked by hand, that it was drawn.
    `saw_verdicts` says that who settled it had looked at the verdicts of that run before.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="adjudications")
    summary = models.ForeignKey(Summary, on_delete=models.CASCADE, related_name="adjudications")
    unit = models.ForeignKey(Unit, on_delete=models.PROTECT, related_name="adjudications")
    present = models.BooleanField()
    run = models.ForeignKey(
        JudgeRun, null=True, blank=True, on_delete=models.SET_NULL, related_name="adjudications"
    )
    label_set = models.ForeignKey(
        LabelSet, null=True, blank=True, on_delete=models.SET_NULL, related_name="adjudications"
    )
    draw = models.JSONField(default=dict, blank=True)
    saw_verdicts = models.BooleanField(default=False)
    reason = models.CharField(max_length=300, blank=True)
    expert = models.CharField(
        max_length=80,
        blank=True,
        help_text=gettext_lazy("The expert’s name, in a study restored from its dataset."),
    )
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    made_at = models.DateTimeField(default=clock.now)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-made_at", "-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["summary", "unit"],
                condition=Q(undone_at__isnull=True),
                name="adjudication_once",
            )
        ]

    def __str__(self) -> str:
        return _("unit {unit_id} in {summary_id}: {present}").format(
            unit_id=self.unit_id, summary_id=self.summary_id, present=self.present
        )
