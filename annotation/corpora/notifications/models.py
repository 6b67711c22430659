"""What needs somebody: one row for each person and thing."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation import clock
from annotation.corpora.projects.models import Project
from annotation.translation import gettext_lazy


class NotificationKind(models.TextChoices):
    JOB_DONE = "job_done", gettext_lazy("A job that I started has finished")
    JOB_FAILED = "job_failed", gettext_lazy("A job that I started has failed")
    MEMBERS = "members", gettext_lazy("My role has changed, or somebody accepted my invitation")
    ASSIGNED = "assigned", gettext_lazy("Examples were assigned to me")
    COMMENT = "comment", gettext_lazy("Somebody commented on my units or closed one of my comments")
    SENT_BACK = "sent_back", gettext_lazy("My examples were sent back")
    REVIEW = "review", gettext_lazy("Examples are waiting for my review")
    ANSWERS = "answers", gettext_lazy("One of my campaigns has answers to review")
    MONEY = "money", gettext_lazy("One of my campaigns has reached its cap or run out of money")
    QUESTION = "question", gettext_lazy("A worker has asked me about a HIT")
    WEBHOOK = "webhook", gettext_lazy("One of my webhooks can't be reached")


class MailState(models.TextChoices):
    """How far a notification's mail is. From `sending` on it is never sent again."""

    OFF = "off", gettext_lazy("Not wanted")
    DUE = "due", gettext_lazy("To be sent")
    SENDING = "sending", gettext_lazy("Being sent")
    SENT = "sent", gettext_lazy("Sent")
    UNSURE = "unsure", gettext_lazy("Possibly sent")
    FAILED = "failed", gettext_lazy("Not sent")


class NotificationQuerySet(models.QuerySet["Notification"]):
    def unread(self) -> NotificationQuerySet:
        return self.filter(read_at=None)


class Notification(models.Model):
    """`key` says what it is about: the same thing told twice is one row."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="notifications",
        db_index=False,
    )
    project = models.ForeignKey(
        Project, null=True, on_delete=models.CASCADE, related_name="notifications"
    )
    kind = models.CharField(max_length=12, choices=NotificationKind.choices)
    key = models.CharField(max_length=120)
    text = models.CharField(max_length=300)
    target_kind = models.CharField(max_length=24, blank=True)
    target_id = models.BigIntegerField(null=True)
    at = models.DateTimeField(default=clock.now)
    read_at = models.DateTimeField(null=True, blank=True)
    mail = models.CharField(max_length=8, choices=MailState.choices, default=MailState.OFF)
    mail_after = models.DateTimeField(default=clock.now)
    mail_attempts = models.PositiveSmallIntegerField(default=0)

    objects: ClassVar = NotificationQuerySet.as_manager()

    class Meta:
        ordering = ["-at", "-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "key"], name="notification_once")
        ]
        indexes: ClassVar = [
            models.Index(fields=["user", "-at"], name="notification_by_user"),
            models.Index(fields=["user"], condition=Q(read_at=None), name="notification_unread"),
            models.Index(fields=["mail_after"], condition=Q(mail="due"), name="notification_mail"),
        ]

    def __str__(self) -> str:
        return self.text
