"""A set of units: draft, in review, frozen; and how a project writes them."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models

from annotation import clock
from annotation.corpora.models import Job, Project
from annotation.translation import gettext as _
from annotation.translation import gettext_lazy


class Weighting(models.TextChoices):
    UNMERGED = "unmerged", gettext_lazy("Unmerged: every SCU has weight 1 (LitePyramid)")
    MERGED = (
        "merged",
        gettext_lazy(
            "Merged: the weight is the number of references that contain the SCU (Pyramid)"
        ),
    )


class StudioSettings(models.Model):
    """What a project has chosen for its writers; made when first changed."""

    project = models.OneToOneField(Project, on_delete=models.CASCADE, related_name="studio")
    weighting = models.CharField(
        max_length=10, choices=Weighting.choices, default=Weighting.UNMERGED
    )
    disabled_rules = models.JSONField(default=list, blank=True)

    def __str__(self) -> str:
        return _("studio of {project}").format(project=self.project)


class SetState(models.TextChoices):
    DRAFT = "draft", gettext_lazy("Draft")
    REVIEW = "review", gettext_lazy("In review")
    FROZEN = "frozen", gettext_lazy("Frozen")


class UnitSet(models.Model):
    """One version of the units of a project under one name.

    A frozen set never changes; `content_hash` is taken over everything in it. Changing it means
    making the next version, which starts as a copy. `extractor` is named where one made the whole
    set, `extractor_version` once it has begun to. An archived set is left out of lists and choices.
    `lint` holds the totals of the last check: units, and units by rule.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="unit_sets")
    name = models.CharField(max_length=80)
    version = models.PositiveIntegerField(default=1)
    state = models.CharField(max_length=8, choices=SetState.choices, default=SetState.DRAFT)
    weighting = models.CharField(
        max_length=10, choices=Weighting.choices, default=Weighting.UNMERGED
    )
    parent = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="children"
    )
    job = models.ForeignKey(Job, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    extractor = models.CharField(max_length=80, blank=True)
    extractor_version = models.CharField(max_length=120, blank=True)
    content_hash = models.CharField(max_length=64, blank=True)
    unit_count = models.PositiveIntegerField(default=0)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(default=clock.now)
    frozen_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    frozen_at = models.DateTimeField(null=True, blank=True)
    freeze_reason = models.CharField(max_length=300, blank=True)
    archived_at = models.DateTimeField(null=True, blank=True)
    lint = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["name", "-version"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["project", "name", "version"], name="unit_set_version_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.name} v{self.version}"

    @property
    def is_frozen(self) -> bool:
        return self.state == SetState.FROZEN
