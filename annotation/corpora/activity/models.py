"""Rows of books: they are added, and never changed or removed.

Code that tries is refused here, with a TypeError. Statements that go past the models are refused by
the database, through the triggers of `annotation/append_only.py`.

- Who did what, when, to what, and through which door. Rows are only added.
"""

from __future__ import annotations

from typing import Any, ClassVar, NoReturn, TypeVar

from django.conf import settings
from django.db import models

from annotation import clock
from annotation.corpora.projects.models import Project
from annotation.translation import gettext_lazy

M = TypeVar("M", bound=models.Model)


class AppendOnlyQuerySet(models.QuerySet[M]):
    """Only a whole project, or a requester's account, takes its books with it."""

    def update(self, **changes: Any) -> NoReturn:
        raise TypeError(f"{self.model.__name__} rows are never changed")

    def delete(self) -> NoReturn:
        raise TypeError(f"{self.model.__name__} rows are never deleted")


class AppendOnly(models.Model):
    """Refuses to change or delete what was written."""

    objects = AppendOnlyQuerySet.as_manager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **options: Any) -> None:
        if self.pk is not None:
            raise TypeError(f"{type(self).__name__} rows are never changed")
        super().save(*args, **options)

    def delete(self, *args: Any, **options: Any) -> NoReturn:
        raise TypeError(f"{type(self).__name__} rows are never deleted")


class Door(models.TextChoices):
    """How somebody came in. Empty for what happened before doors were written down."""

    PAGE = "page", gettext_lazy("Page")
    REST = "rest", "REST"
    COMMAND = "command", gettext_lazy("Command")
    JOB = "job", gettext_lazy("Job")


class Verb(models.TextChoices):
    """Every kind of act that is written down. What it was done to is the target's kind."""

    CREATE = "create", gettext_lazy("Created")
    CHANGE = "change", gettext_lazy("Changed")
    DELETE = "delete", gettext_lazy("Deleted")
    INVITE = "invite", gettext_lazy("Invited")
    JOIN = "join", gettext_lazy("Joined")
    ROLE = "role", gettext_lazy("Changed a role")
    REMOVE = "remove", gettext_lazy("Left or was removed")
    REVOKE = "revoke", gettext_lazy("Revoked")
    IMPORT = "import", gettext_lazy("Imported")
    EXPORT = "export", gettext_lazy("Exported")
    UNDO = "undo", gettext_lazy("Undid")
    DROP = "drop", gettext_lazy("Discarded")
    START = "start", gettext_lazy("Started")
    FINISH = "finish", gettext_lazy("Finished")
    PAUSE = "pause", gettext_lazy("Paused")
    RESUME = "resume", gettext_lazy("Resumed")
    CANCEL = "cancel", gettext_lazy("Cancelled")
    RETRY = "retry", gettext_lazy("Retried")
    ASSIGN = "assign", gettext_lazy("Assigned")
    WRITE = "write", gettext_lazy("Finished writing")
    REVIEW = "review", gettext_lazy("Sent for review")
    REOPEN = "reopen", gettext_lazy("Sent back")
    SIGN_OFF = "sign_off", gettext_lazy("Signed off")
    FREEZE = "freeze", gettext_lazy("Froze")
    PLAN = "plan", gettext_lazy("Planned")
    RANK = "rank", gettext_lazy("Ranked")
    PUBLISH = "publish", gettext_lazy("Published")
    EXTEND = "extend", gettext_lazy("Extended")
    END = "end", gettext_lazy("Ended")
    APPROVE = "approve", gettext_lazy("Approved")
    REJECT = "reject", gettext_lazy("Rejected")
    BONUS = "bonus", gettext_lazy("Paid a bonus")
    SETTLE = "settle", gettext_lazy("Settled manually")
    BLOCK = "block", gettext_lazy("Excluded")
    UNBLOCK = "unblock", "Re-admitted"
    MESSAGE = "message", gettext_lazy("Messaged workers")
    DECIDE = "decide", gettext_lazy("Decided on answers")
    ADJUDICATE = "adjudicate", gettext_lazy("Adjudicated")
    SHARE = "share", gettext_lazy("Shared by link")
    UNSHARE = "unshare", gettext_lazy("Stopped sharing")


class Activity(AppendOnly):
    """One act, in words that need no look-up: `text` goes on from the name of whoever did it.

    `actor` is empty where the program acted by itself. `label` is what the target was called, and
    stays when the target goes. Acts that belong to an account, such as making a key, have no
    project. `details` holds counts and names: no secret, no answer, no text of a corpus.
    """

    project = models.ForeignKey(
        Project, null=True, on_delete=models.CASCADE, related_name="activities", db_index=False
    )
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="activities"
    )
    verb = models.CharField(max_length=40, choices=Verb.choices)
    target_kind = models.CharField(max_length=24, blank=True)
    target_id = models.BigIntegerField(null=True)
    label = models.CharField(max_length=200, blank=True)
    text = models.CharField(max_length=300)
    details = models.JSONField(default=dict)
    door = models.CharField(max_length=8, choices=Door.choices, blank=True)
    at = models.DateTimeField(default=clock.now)

    class Meta:
        verbose_name_plural = "activities"
        ordering = ["-pk"]
        indexes: ClassVar = [models.Index(fields=["project", "-id"], name="activity_by_project")]

    def __str__(self) -> str:
        return self.text
