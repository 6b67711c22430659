"""A label set: which units each summary carries, by one rule, and how that came about.

- What people decide about judgements: whose work counts, and what an expert says instead.
"""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext as _

from annotation import clock
from annotation.corpora.corpus.models import Summary
from annotation.corpora.jobs.models import Job
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import Assignment, Campaign, Worker
from annotation.evaluation.runs.models import JudgeRun
from annotation.translation import gettext_lazy
from annotation.units.sets.models import Unit, UnitSet


class LabelOrigin(models.TextChoices):
    CROWD = "crowd", gettext_lazy("Crowd judgements")
    FILES = "files", gettext_lazy("Imported labels")


class LabelSet(models.Model):
    """One version of the labels of a frozen unit set; never changed once it is ready.

    `recipe` says how answers became labels, `answers_hash` which answers they were, and
    `signature` both together. `figures` are counts and agreement as they were then. A campaign may
    still run: `answers_until` has the last assignment of each that was read, all if it has none.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="label_sets")
    unit_set = models.ForeignKey(UnitSet, on_delete=models.PROTECT, related_name="label_sets")
    version = models.PositiveIntegerField()
    origin = models.CharField(max_length=5, choices=LabelOrigin.choices, default=LabelOrigin.CROWD)
    campaigns = models.ManyToManyField(Campaign, related_name="label_sets", blank=True)
    recipe = models.JSONField(default=dict)
    answers_hash = models.CharField(max_length=64, blank=True)
    answers_until = models.JSONField(default=dict)
    signature = models.CharField(max_length=500, blank=True)
    content_hash = models.CharField(max_length=64, blank=True)
    figures = models.JSONField(default=dict)
    note = models.CharField(max_length=300, blank=True)
    job = models.ForeignKey(Job, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    is_ready = models.BooleanField(default=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["unit_set", "version"], name="label_set_version_once")
        ]

    def __str__(self) -> str:
        return _("Labels v{version} of {unit_set}").format(
            version=self.version, unit_set=self.unit_set
        )


class SummaryLabels(models.Model):
    """The labels of one summary, in the order of its example's units.

    `labels` holds 1, 0 or null where nobody answered; `posteriors` how sure the rule is that
    the unit is there; `votes` how many people said absent and present, of those that count;
    `expert` the places that a person settled. `settled` names those of them that were drawn to be
    settled: place, people's label before, and the chance that it was settled.
    """

    label_set = models.ForeignKey(
        LabelSet, on_delete=models.CASCADE, related_name="summaries", db_index=False
    )
    summary = models.ForeignKey(Summary, on_delete=models.CASCADE, related_name="labels")
    labels = models.JSONField()
    posteriors = models.JSONField(default=list)
    votes = models.JSONField(default=list)
    expert = models.JSONField(default=list)
    settled = models.JSONField(default=list)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["label_set", "summary"], name="summary_labelled_once")
        ]

    def __str__(self) -> str:
        return _("labels of summary {summary_id}").format(summary_id=self.summary_id)


class Drop(models.Model):
    """An assignment that a label set left out, by which rule and why."""

    label_set = models.ForeignKey(LabelSet, on_delete=models.CASCADE, related_name="drops")
    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="drops")
    rule = models.CharField(max_length=40)
    reason = models.CharField(max_length=300)

    class Meta:
        ordering = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["label_set", "assignment"], name="drop_once")
        ]

    def __str__(self) -> str:
        return _("assignment {assignment_id}: {reason}").format(
            assignment_id=self.assignment_id, reason=self.reason
        )


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
