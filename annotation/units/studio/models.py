"""Who writes and who checks an example, and what they say to each other about it."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext as _

from annotation import clock
from annotation.corpora.corpus.models import Example
from annotation.translation import gettext_lazy
from annotation.units.sets.models import Unit, UnitSet


class AssignmentState(models.TextChoices):
    TODO = "todo", gettext_lazy("To write")
    WRITTEN = "written", gettext_lazy("To check")
    SIGNED = "signed", gettext_lazy("Signed off")
    SPARED = "spared", gettext_lazy("Left to STUs")


class Assignment(models.Model):
    """An example of a set: its author, its reviewer, and how far it is."""

    set = models.ForeignKey(UnitSet, on_delete=models.CASCADE, related_name="assignments")
    example = models.ForeignKey(Example, on_delete=models.CASCADE, related_name="assignments")
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    reviewer = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    state = models.CharField(
        max_length=7, choices=AssignmentState.choices, default=AssignmentState.TODO
    )
    written_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    written_at = models.DateTimeField(null=True, blank=True)
    signed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    signed_at = models.DateTimeField(null=True, blank=True)
    priority = models.FloatField(
        default=0, help_text=gettext_lazy("Higher values come first in the queue.")
    )

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["set", "example"], name="assignment_once_per_example")
        ]
        indexes: ClassVar = [
            models.Index(fields=["set", "state", "author"], name="assignment_queue")
        ]

    def __str__(self) -> str:
        return _("example {example_id} of {set_id}: {state}").format(
            example_id=self.example_id, set_id=self.set_id, state=self.state
        )


class CommentState(models.TextChoices):
    OPEN = "open", gettext_lazy("Open")
    ACCEPTED = "accepted", gettext_lazy("Accepted")
    REJECTED = "rejected", gettext_lazy("Rejected")
    ANSWERED = "answered", gettext_lazy("Answered")


class Comment(models.Model):
    """A reviewer's remark on a unit or an example, perhaps with another wording."""

    set = models.ForeignKey(UnitSet, on_delete=models.CASCADE, related_name="comments")
    example = models.ForeignKey(Example, on_delete=models.CASCADE, related_name="+")
    unit = models.ForeignKey(Unit, null=True, on_delete=models.CASCADE, related_name="comments")
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    op = models.UUIDField(
        null=True, help_text=gettext_lazy("The editor's own ID for it: created once.")
    )
    text = models.TextField(max_length=2000, blank=True)
    suggestion = models.CharField(max_length=1000, blank=True)
    unit_revision = models.PositiveIntegerField(
        null=True,
        blank=True,
        help_text=gettext_lazy("Revision of the unit when the comment was written."),
    )
    state = models.CharField(max_length=8, choices=CommentState.choices, default=CommentState.OPEN)
    answer = models.TextField(max_length=2000, blank=True)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    answered_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["pk"]
        indexes: ClassVar = [models.Index(fields=["set", "example"], name="comment_by_example")]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["set", "op"], condition=Q(op__isnull=False), name="comment_made_once"
            )
        ]

    def __str__(self) -> str:
        return self.text or f"“{self.suggestion}”"


class Presence(models.Model):
    """Who has an example of a set open; `seen_at` is when their editor last asked for changes."""

    set = models.ForeignKey(UnitSet, on_delete=models.CASCADE, related_name="+")
    example = models.ForeignKey(Example, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    seen_at = models.DateTimeField(default=clock.now)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["set", "example", "user"], name="presence_once")
        ]

    def __str__(self) -> str:
        return _("{user} in example {example_id}").format(
            user=self.user, example_id=self.example_id
        )
