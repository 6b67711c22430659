"""Curves of what mixed units give, and plans for a budget before it is spent."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation import clock
from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import Campaign
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.runs.models import JudgeRun
from annotation.translation import gettext_lazy
from annotation.units.sets.models import UnitSet
from annotation.wording import choose_plural


class CurveRun(models.Model):
    """What correlation with people is left at every share of STUs, by the order they come in.

    `label_set` has people's labels of SCUs. Without runs an STU has the label of the SCU
    nearest to it by ROUGE-1. `found` is empty until the job is done. What is deleted
    afterwards stays named in `sources`.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="curve_runs")
    label_set = models.ForeignKey(
        LabelSet, null=True, on_delete=models.SET_NULL, related_name="curve_runs"
    )
    stus = models.ForeignKey(UnitSet, on_delete=models.PROTECT, related_name="curve_runs")
    scu_run = models.ForeignKey(
        JudgeRun, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    stu_run = models.ForeignKey(
        JudgeRun, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    judge = models.CharField(
        max_length=300, help_text=gettext_lazy("'human', or the judge of both runs.")
    )
    sources = models.JSONField(default=dict, help_text=gettext_lazy("Sources, by name."))
    options = models.JSONField(
        default=dict, help_text=gettext_lazy("Step, seeds, bootstrap and seed.")
    )
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
        return _("Curves {pk}: {scus} and {stus}").format(
            pk=self.pk, scus=self.sources.get("scus"), stus=self.sources.get("stus")
        )

    @property
    def is_moving(self) -> bool:
        """Whether its page can change by itself."""
        waits = (JobState.QUEUED, JobState.RUNNING)
        return not self.is_ready and self.job is not None and self.job.state in waits


class BudgetPlan(models.Model):
    """A budget, a goal, and the plans that are worth a thought; one of them may be taken.

    `asked` is what the simulation was told, its seed too, and `frontier` what it found. `scus` are
    units that are written already and cost no hours. `chosen` is the key of the plan that was
    taken; `unit_set` and `campaign` were made of it, and `work` says which examples are scored,
    which of them people judge, by id, and how many SCUs were copied.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="budget_plans")
    asked = models.JSONField(default=dict)
    frontier = models.JSONField(default=dict)
    stus = models.ForeignKey(
        UnitSet, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    scus = models.ForeignKey(
        UnitSet, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    pilot = models.ForeignKey(
        LabelSet, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    job = models.ForeignKey(Job, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    is_ready = models.BooleanField(default=False)
    chosen = models.CharField(max_length=80, blank=True)
    work = models.JSONField(default=dict)
    unit_set = models.ForeignKey(
        UnitSet, null=True, blank=True, on_delete=models.SET_NULL, related_name="budget_plans"
    )
    campaign = models.ForeignKey(
        Campaign, null=True, blank=True, on_delete=models.SET_NULL, related_name="budget_plans"
    )
    chosen_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    chosen_at = models.DateTimeField(null=True, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        money, hours = self.asked.get("money"), self.asked.get("hours")
        parts = [] if money is None else [f"${Decimal(money):,.2f}".removesuffix(".00")]
        if hours is not None:
            words = ngettext("{hours:g} hour", "{hours:g} hours", choose_plural(hours))
            parts.append(words.format(hours=hours))
        return _("Budget {pk}: {parts}").format(
            pk=self.pk, parts=_(" and ").join(parts) or _("no limit")
        )

    @property
    def is_moving(self) -> bool:
        """Whether its page can change by itself."""
        waits = (JobState.QUEUED, JobState.RUNNING)
        return not self.is_ready and self.job is not None and self.job.state in waits

    @property
    def plans(self) -> list[dict[str, Any]]:
        return list(self.frontier.get("plans", []))

    @property
    def best_meets_goal(self) -> bool:
        best = self.frontier.get("best")
        return any(row["key"] == best and row["meets_goal"] for row in self.plans)

    @property
    def chosen_plan(self) -> dict[str, Any] | None:
        return next((row for row in self.plans if row["key"] == self.chosen), None)
