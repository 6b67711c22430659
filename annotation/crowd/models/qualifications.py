"""Who may do which work: qualification types, requests for them, and who holds them."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q

from annotation import clock
from annotation.crowd.models.accounts import Requester, WorkerAccount, make_id


class QualificationType(models.Model):
    requester = models.ForeignKey(
        Requester, on_delete=models.CASCADE, related_name="qualification_types"
    )
    qualification_type_id = models.CharField(max_length=30, unique=True, default=make_id)
    name = models.CharField(max_length=200)
    description = models.TextField(max_length=2000)
    keywords = models.TextField(max_length=1000, blank=True)
    is_active = models.BooleanField(default=True)
    retry_seconds = models.BigIntegerField(null=True, blank=True)
    test = models.TextField(blank=True)
    test_seconds = models.BigIntegerField(null=True, blank=True)
    answer_key = models.TextField(blank=True)
    auto_granted = models.BooleanField(default=False)
    auto_granted_value = models.IntegerField(default=1)
    is_requestable = models.BooleanField(default=True)
    is_deleted = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["requester", "name"],
                condition=Q(is_deleted=False),
                name="qualification_name_once",
            )
        ]

    def __str__(self) -> str:
        return self.name


class QualificationRequest(models.Model):
    """A worker asks for a qualification, perhaps with the answers to its test."""

    type = models.ForeignKey(QualificationType, on_delete=models.CASCADE, related_name="requests")
    worker = models.ForeignKey(
        WorkerAccount, on_delete=models.CASCADE, related_name="qualification_requests"
    )
    request_id = models.CharField(max_length=30, unique=True, default=make_id)
    answer = models.TextField(blank=True)
    state = models.CharField(max_length=8, default="open")
    reason = models.TextField(blank=True)
    started_at = models.DateTimeField(default=clock.now)
    submitted_at = models.DateTimeField(null=True, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["type", "worker"], condition=Q(state="open"), name="request_open_once"
            )
        ]

    def __str__(self) -> str:
        return self.request_id


class Qualification(models.Model):
    """What a worker holds of a type."""

    type = models.ForeignKey(QualificationType, on_delete=models.CASCADE, related_name="holders")
    worker = models.ForeignKey(
        WorkerAccount, on_delete=models.CASCADE, related_name="qualifications"
    )
    value = models.IntegerField(default=1)
    is_granted = models.BooleanField(default=True)
    reason = models.TextField(blank=True)
    granted_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["type", "worker"], name="qualification_once")
        ]

    def __str__(self) -> str:
        return f"{self.type}: {self.value}"
