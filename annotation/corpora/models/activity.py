"""Who did what, when, to what, and through which door. Rows are only added."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models

from annotation import clock
from annotation.corpora.models.append_only import AppendOnly
from annotation.corpora.models.projects import Project


class Door(models.TextChoices):
    """How somebody came in. Empty for what happened before doors were written down."""

    PAGE = "page", "Page"
    REST = "rest", "REST"
    COMMAND = "command", "Command"
    JOB = "job", "Job"


class Verb(models.TextChoices):
    """Every kind of act that is written down. What it was done to is the target's kind."""

    CREATE = "create", "Created"
    CHANGE = "change", "Changed"
    DELETE = "delete", "Deleted"
    INVITE = "invite", "Invited"
    JOIN = "join", "Joined"
    ROLE = "role", "Changed a role"
    REMOVE = "remove", "Left or was removed"
    REVOKE = "revoke", "Revoked"
    IMPORT = "import", "Imported"
    EXPORT = "export", "Exported"
    UNDO = "undo", "Undid"
    DROP = "drop", "Discarded"
    START = "start", "Started"
    FINISH = "finish", "Finished"
    PAUSE = "pause", "Paused"
    RESUME = "resume", "Resumed"
    CANCEL = "cancel", "Cancelled"
    RETRY = "retry", "Retried"
    ASSIGN = "assign", "Assigned"
    WRITE = "write", "Finished writing"
    REVIEW = "review", "Sent for review"
    REOPEN = "reopen", "Sent back"
    SIGN_OFF = "sign_off", "Signed off"
    FREEZE = "freeze", "Froze"
    PLAN = "plan", "Planned"
    RANK = "rank", "Ranked"
    PUBLISH = "publish", "Published"
    EXTEND = "extend", "Extended"
    END = "end", "Ended"
    APPROVE = "approve", "Approved"
    REJECT = "reject", "Rejected"
    BONUS = "bonus", "Paid a bonus"
    SETTLE = "settle", "Settled manually"
    BLOCK = "block", "Excluded"
    UNBLOCK = "unblock", "Re-admitted"
    MESSAGE = "message", "Messaged workers"
    DECIDE = "decide", "Decided on answers"
    ADJUDICATE = "adjudicate", "Adjudicated"
    SHARE = "share", "Shared by link"
    UNSHARE = "unshare", "Stopped sharing"


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
