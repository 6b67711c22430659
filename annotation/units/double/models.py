"""Two people who write the units of the same references, neither seeing what the other wrote."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext as _

from annotation import clock
from annotation.corpora.projects.models import Project
from annotation.units.sets.models import UnitSet


class DoubleAnnotation(models.Model):
    """Examples `first_example` to `last_example`, written twice: each author has an own set.

    Until both authors are done, each set is shown to its author only. Then both are frozen,
    `agreement` is computed from them, and somebody else merges them into `merged`.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="doubles")
    name = models.CharField(max_length=78)
    first_example = models.PositiveIntegerField()
    last_example = models.PositiveIntegerField()
    merged = models.OneToOneField(
        UnitSet, null=True, blank=True, on_delete=models.SET_NULL, related_name="merged_from"
    )
    revealed_at = models.DateTimeField(null=True, blank=True)
    agreement = models.JSONField(default=dict, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["project", "name"], name="double_annotation_name_once")
        ]

    def __str__(self) -> str:
        return self.name


class DoubleAuthor(models.Model):
    """One of the two authors, the set that they write, and when they said that it is done."""

    double = models.ForeignKey(DoubleAnnotation, on_delete=models.CASCADE, related_name="authors")
    set = models.OneToOneField(UnitSet, on_delete=models.CASCADE, related_name="double_author")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    position = models.PositiveSmallIntegerField()
    done_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["position"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["double", "position"], name="double_author_once")
        ]

    def __str__(self) -> str:
        return _("{user} in {double}").format(
            user=self.user or _("former member"), double=self.double
        )
