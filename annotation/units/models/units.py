"""A unit, the words it stands on, and every change that was ever made to it."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation import clock
from annotation.corpora.models import Example, Reference, Sentence
from annotation.translation import gettext as _
from annotation.translation import gettext_lazy
from annotation.units.models.sets import UnitSet


class UnitKind(models.TextChoices):
    SCU = "scu", "SCU"
    STU = "stu", "STU"


class Unit(models.Model):
    """One fact in one short sentence, written by a person (SCU) or an extractor (STU).

    `revision` counts the changes; who changes a unit names the revision that they saw.
    A deleted unit keeps its row while the set is a draft, so that it can be brought back.
    `lint` holds the rules that warn of it, each between commas, and one comma for none; it is empty
    if the unit was not checked since its example last changed.
    """

    set = models.ForeignKey(UnitSet, on_delete=models.CASCADE, related_name="units")
    example = models.ForeignKey(Example, on_delete=models.CASCADE, related_name="units")
    kind = models.CharField(max_length=3, choices=UnitKind.choices, default=UnitKind.SCU)
    text = models.CharField(max_length=1000, blank=True)
    weight = models.PositiveSmallIntegerField(default=1)
    position = models.PositiveIntegerField()
    revision = models.PositiveIntegerField(default=1)
    is_deleted = models.BooleanField(default=False)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    extractor = models.CharField(max_length=80, blank=True)
    extractor_version = models.CharField(max_length=120, blank=True)
    promoted_from = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    seconds = models.FloatField(default=0, help_text=gettext_lazy("Time spent on writing it."))
    lint = models.CharField(max_length=400, blank=True, default="", db_default="")
    created_at = models.DateTimeField(default=clock.now)
    updated_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["position", "pk"]
        indexes: ClassVar = [
            models.Index(fields=["set", "example", "position"], name="unit_by_example"),
            models.Index(fields=["set", "kind", "is_deleted"], name="unit_by_kind"),
            models.Index(fields=["set", "author", "is_deleted", "seconds"], name="unit_by_author"),
        ]

    def __str__(self) -> str:
        return self.text


class Contributor(models.Model):
    """A range of a reference's text that a unit stands on; `is_aligned` if found by overlap."""

    unit = models.ForeignKey(Unit, on_delete=models.CASCADE, related_name="contributors")
    reference = models.ForeignKey(Reference, on_delete=models.CASCADE, related_name="+")
    sentence = models.ForeignKey(
        Sentence, null=True, on_delete=models.CASCADE, related_name="contributors"
    )
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    is_aligned = models.BooleanField(default=False)

    class Meta:
        ordering = ["reference_id", "start", "pk"]

    def __str__(self) -> str:
        return _("{start}–{end} of reference {reference_id}").format(
            start=self.start, end=self.end, reference_id=self.reference_id
        )


class Change(models.Model):
    """One thing that somebody did in an example: the history, and the feed of the open editors.

    `op` is the editor's own name for the change: sent twice, it is made once. `before` and
    `after` hold the state of each unit that it touched, by the unit's id.
    """

    set = models.ForeignKey(UnitSet, on_delete=models.CASCADE, related_name="changes")
    example = models.ForeignKey(Example, on_delete=models.CASCADE, related_name="+")
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    op = models.UUIDField(null=True)
    action = models.CharField(max_length=20)
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)
    at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["pk"]
        indexes: ClassVar = [models.Index(fields=["set", "example"], name="change_by_example")]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["set", "op"], condition=Q(op__isnull=False), name="change_made_once"
            )
        ]

    def __str__(self) -> str:
        return _("{action} by {actor}").format(action=self.action, actor=self.actor)
