"""A set of units: draft, in review, frozen; and how a project writes them.

- A unit, the words it stands on, and every change that was ever made to it.
- A summary that somebody has searched for the units of a set, and where it carries them.
"""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext as _

from annotation import clock
from annotation.corpora.corpus.models import Example, Reference, Sentence
from annotation.corpora.jobs.models import Job
from annotation.corpora.projects.models import Project
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


class Peer(models.Model):
    """A peer summary of an example, as it came with its marks.

    Its name may be that of a system of the project, but need not: pyramids of DUC and TAC number
    their peers.
    """

    set = models.ForeignKey(UnitSet, on_delete=models.CASCADE, related_name="peers")
    example = models.ForeignKey(Example, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=200)
    text = models.TextField(blank=True)

    class Meta:
        ordering = ["name", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["set", "example", "name"], name="peer_once_per_example")
        ]

    def __str__(self) -> str:
        return self.name


class PeerMark(models.Model):
    """Ranges of a peer's text that say together what a unit says; without a unit, what none does.

    `spans` are pairs of start and end. `position` counts the marks of a peer.
    """

    peer = models.ForeignKey(Peer, on_delete=models.CASCADE, related_name="marks")
    unit = models.ForeignKey(Unit, null=True, on_delete=models.CASCADE, related_name="peer_marks")
    position = models.PositiveIntegerField()
    spans = models.JSONField(default=list)

    class Meta:
        ordering = ["position", "pk"]

    def __str__(self) -> str:
        return _("mark {position} of peer {peer_id}").format(
            position=self.position + 1, peer_id=self.peer_id
        )
