"""The marketplace's two sides: requesters, who publish work, and the workers who do it.

- Where a requester's events go, how it went, and the events themselves.
"""

from __future__ import annotations

import secrets
import string
from datetime import datetime
from decimal import Decimal
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.db.models.expressions import Combinable
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from annotation import clock
from annotation.corpora.accounts.models import Key
from annotation.corpora.projects.models import Membership, Project

ID_LETTERS = string.ascii_uppercase + string.digits
SECRET_SALT = "giza.requester.secret"
PLACES = 4


def make_id(length: int = 30, prefix: str = "") -> str:
    """An id as the MTurk API writes them: capitals and digits, not to be guessed."""
    return prefix + "".join(secrets.choice(ID_LETTERS) for __ in range(length - len(prefix)))


def make_worker_id() -> str:
    return make_id(14, "A")


def make_access_key() -> str:
    return make_id(20, "GZ")


class Money(models.BigIntegerField):
    """An amount in US dollars, a Decimal here and whole hundredths of a cent in the database.

    SQLite has no decimals: there a sum of dollars would be a float, and a cap would leak.
    """

    # What the type checker reads: a column of integers that is read and written as decimals.
    _pyi_private_set_type: Decimal | int | str | Combinable  # type: ignore[assignment]
    _pyi_private_get_type: Decimal  # type: ignore[assignment]
    _pyi_lookup_exact_type: Decimal | int | str  # type: ignore[assignment]

    def from_db_value(self, value: int | None, *__: object) -> Decimal | None:
        return None if value is None else Decimal(value).scaleb(-PLACES)

    def to_python(self, value: Any) -> Decimal | None:
        return None if value in (None, "") else Decimal(str(value))

    def get_prep_value(self, value: Any) -> Any:
        if value is None or hasattr(value, "resolve_expression"):
            return value
        scaled = Decimal(str(value)).scaleb(PLACES)
        if scaled != scaled.to_integral_value():
            raise ValueError(f"{value} is finer than a hundredth of a cent")
        return int(scaled)

    def value_to_string(self, obj: models.Model) -> str:
        return str(self.value_from_object(obj))


def dollars(amount: Decimal) -> models.Value:
    """An amount to be added to a column by the database itself."""
    return models.Value(amount, output_field=Money())


class Requester(models.Model):
    """Who publishes HITs here. `balance` and `held` are kept with every entry of the ledger.

    `held` is promised to HITs that are out; what is left of the balance may be promised anew.
    """

    name = models.CharField(max_length=120)
    project = models.OneToOneField(
        Project, null=True, blank=True, on_delete=models.SET_NULL, related_name="requester"
    )
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="requesters",
    )
    balance = Money(default=Decimal(0))
    held = Money(default=Decimal(0))
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def available(self) -> Decimal:
        return self.balance - self.held

    @property
    def held_keys(self) -> models.QuerySet[RequesterKey]:
        """The keys with who holds them."""
        return self.keys.select_related("user")


class RequesterKey(Key):
    """A key pair as AWS hands them out. The secret is derived from the id, so none is stored."""

    requester = models.ForeignKey(Requester, on_delete=models.CASCADE, related_name="keys")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="requester_keys"
    )
    access_key = models.CharField(max_length=20, unique=True, default=make_access_key)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.access_key

    @property
    def secret(self) -> str:
        return salted_hmac(SECRET_SALT, self.access_key, algorithm="sha256").hexdigest()[:40]


class RequesterTie(models.Model):
    """Somebody who could once decide for a requester. It stays: they never work for that requester.

    Written when somebody owns the requester, holds a key of it, or is a member of its project.
    """

    requester = models.ForeignKey(Requester, on_delete=models.CASCADE, related_name="ties")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="requester_ties"
    )
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["requester", "user"], name="tie_once")
        ]

    def __str__(self) -> str:
        return _("{user} tied to {requester}").format(user=self.user, requester=self.requester)


class WorkerAccount(models.Model):
    """Somebody who works here. The counts are what the system qualifications are computed from."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="worker_account"
    )
    worker_id = models.CharField(max_length=14, unique=True, default=make_worker_id)
    country = models.CharField(max_length=2, blank=True)
    subdivision = models.CharField(max_length=3, blank=True)
    is_adult = models.BooleanField(default=False)
    is_suspended = models.BooleanField(default=False)
    accepted = models.PositiveIntegerField(default=0)
    submitted = models.PositiveIntegerField(default=0)
    approved = models.PositiveIntegerField(default=0)
    rejected = models.PositiveIntegerField(default=0)
    returned = models.PositiveIntegerField(default=0)
    abandoned = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=clock.now)

    def __str__(self) -> str:
        return self.worker_id

    @property
    def unread_messages(self) -> models.QuerySet[Message]:
        """Answers and messages of requesters that the worker has not seen."""
        return self.messages.filter(is_from_worker=False, read_at=None)


class WorkerInvitationQuerySet(models.QuerySet["WorkerInvitation"]):
    def open(self) -> WorkerInvitationQuerySet:
        """Those that still let somebody in. A link ends when who made it could make none."""
        owners = Membership.objects.owning().filter(
            project=OuterRef("project"), user=OuterRef("created_by")
        )
        return self.filter(
            Q(created_by__is_staff=True) | Exists(owners),
            uses_left__gt=0,
            expires_at__gt=clock.now(),
            created_by__is_active=True,
        )


class WorkerInvitation(models.Model):
    """A link that lets its bearers become workers; `uses_left` counts down.

    Made by staff, or by an owner of `project`.
    """

    token = models.CharField(max_length=30, unique=True, default=make_id)
    note = models.CharField(max_length=120, blank=True)
    project = models.ForeignKey(
        Project, null=True, on_delete=models.CASCADE, related_name="worker_invitations"
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+"
    )
    uses_left = models.PositiveIntegerField(default=1)
    expires_at = models.DateTimeField()
    created_at = models.DateTimeField(default=clock.now)

    objects: ClassVar = WorkerInvitationQuerySet.as_manager()

    def __str__(self) -> str:
        return _("invitation of workers, {uses_left} left").format(uses_left=self.uses_left)


class WorkerBlock(models.Model):
    """A worker whom a requester does not want."""

    requester = models.ForeignKey(Requester, on_delete=models.CASCADE, related_name="blocks")
    worker = models.ForeignKey(WorkerAccount, on_delete=models.CASCADE, related_name="blocks")
    reason = models.TextField(blank=True)
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["requester", "worker"], name="block_once")
        ]

    def __str__(self) -> str:
        return _("{worker} blocked by {requester}").format(
            worker=self.worker, requester=self.requester
        )


class Message(models.Model):
    """What a requester and a worker wrote to each other."""

    requester = models.ForeignKey(Requester, on_delete=models.CASCADE, related_name="messages")
    worker = models.ForeignKey(WorkerAccount, on_delete=models.CASCADE, related_name="messages")
    is_from_worker = models.BooleanField(default=False)
    subject = models.CharField(max_length=200)
    text = models.TextField(max_length=4096)
    hit_id = models.CharField(max_length=30, blank=True)
    read_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["-pk"]
        indexes: ClassVar = [
            models.Index(fields=["worker"], condition=Q(read_at=None), name="message_unread"),
            models.Index(
                fields=["requester"],
                condition=Q(read_at=None, is_from_worker=True),
                name="message_to_requester",
            ),
        ]

    def __str__(self) -> str:
        return self.subject


class WebhookQuerySet(models.QuerySet["Webhook"]):
    def due(self, now: datetime) -> WebhookQuerySet:
        """Those that have something to send, may be tried now, and are in nobody's hands."""
        waiting = Notification.objects.filter(webhook=models.OuterRef("pk"), delivered_at=None)
        return self.filter(
            Q(leased_until=None) | Q(leased_until__lte=now),
            models.Exists(waiting),
            disabled_at=None,
            next_at__lte=now,
        )


class Webhook(models.Model):
    """An address, and how the last tries went. `failures` are those since it last worked.

    A process that sends holds the lease, so that no two send to one address at a time.
    """

    requester = models.ForeignKey(Requester, on_delete=models.CASCADE, related_name="webhooks")
    destination = models.CharField(max_length=1024)
    next_at = models.DateTimeField(default=clock.now)
    leased_until = models.DateTimeField(null=True, blank=True)
    failures = models.PositiveIntegerField(default=0)
    failing_since = models.DateTimeField(null=True, blank=True)
    failure = models.CharField(max_length=300, blank=True)
    last_failure_at = models.DateTimeField(null=True, blank=True)
    last_success_at = models.DateTimeField(null=True, blank=True)
    last_seconds = models.FloatField(null=True, blank=True)
    notified_at = models.DateTimeField(null=True, blank=True)
    disabled_at = models.DateTimeField(null=True, blank=True)
    is_given_up = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=clock.now)

    objects: ClassVar = WebhookQuerySet.as_manager()

    class Meta:
        ordering = ["destination", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["requester", "destination"], name="webhook_once")
        ]
        indexes: ClassVar = [
            models.Index(fields=["next_at"], condition=Q(disabled_at=None), name="webhook_due")
        ]

    def __str__(self) -> str:
        return self.destination


class Notification(models.Model):
    """An event that a requester asked to hear of."""

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="notifications")
    body = models.JSONField()
    created_at = models.DateTimeField(default=clock.now)
    delivered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        indexes: ClassVar = [
            models.Index(
                fields=["webhook"], condition=Q(delivered_at=None), name="notification_waiting"
            ),
            models.Index(fields=["created_at"], name="notification_age"),
        ]

    def __str__(self) -> str:
        return _("to {webhook}").format(webhook=self.webhook)
