"""What the keys of REST and of the marketplace have in common: a person, a scope, an end.

- People and the keys they hand to their scripts.
- Tries that are counted, so that nobody can try without end.
"""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation import clock
from annotation.faults import if_free
from annotation.translation import gettext_lazy

USE_NOTED_EVERY = timedelta(minutes=1)
LONGEST_DAYS = 3650


class KeyScope(models.TextChoices):
    """Each scope includes the scopes before it."""

    READ = "read", gettext_lazy("Read")
    PUBLISH = "publish", gettext_lazy("Read and publish")
    PAY = "pay", gettext_lazy("Read, publish and pay")

    def includes(self, needed: KeyScope) -> bool:
        order = list(KeyScope)
        return order.index(self) >= order.index(needed)


class Key(models.Model):
    """A credential of one person. It works until it is revoked, or `expires_at`."""

    scope = models.CharField(max_length=8, choices=KeyScope.choices, default=KeyScope.READ)
    expires_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=clock.now)
    last_used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    @property
    def is_expired(self) -> bool:
        return self.expires_at is not None and self.expires_at <= clock.now()

    def allows(self, needed: KeyScope) -> bool:
        return KeyScope(self.scope).includes(needed)

    def note_use(self) -> None:
        """Written at most once a minute, so that reading stays cheap."""
        before = clock.now() - USE_NOTED_EVERY
        if self.last_used_at is None or self.last_used_at < before:
            stale = Q(last_used_at=None) | Q(last_used_at__lt=before)
            rows: Any = type(self)._default_manager
            with if_free():
                rows.filter(stale, pk=self.pk).update(last_used_at=clock.now())


class UserManager(BaseUserManager["User"]):
    def create_user(self, email: str, password: str | None = None, **fields: Any) -> User:
        user = self.model(email=self.normalize_email(email), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> User:
        rights = {"is_staff": True, "is_superuser": True, "can_create_projects": True}
        return self.create_user(email, password, **rights, **fields)

    def normalize_email(self, email: str | None) -> str:  # type: ignore[override]
        """Lower-case the whole address: nobody has two accounts that differ only in case."""
        return (email or "").strip().lower()

    def get_by_natural_key(self, username: str | None) -> User:
        return self.get(email=self.normalize_email(username))


class User(AbstractBaseUser, PermissionsMixin):
    """Somebody who signs in, known by an e-mail address."""

    email = models.EmailField("e-mail", unique=True)
    name = models.CharField(max_length=120)
    is_staff = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    # For people whom staff or a project's owner let in. Whoever signed up as a worker is a worker.
    can_create_projects = models.BooleanField(default=False)
    # Django makes an account when it checks the settings, without a database to ask for the time.
    date_joined = models.DateTimeField(default=timezone.now)
    # Kinds of notifications that are not to be mailed; what comes to be later is mailed.
    unmailed = models.JSONField(default=list, blank=True)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["name"]

    def __str__(self) -> str:
        return self.name or self.email

    def get_full_name(self) -> str:
        return self.name

    def get_short_name(self) -> str:
        return self.name.split(" ")[0]


class ApiToken(Key):
    """A key for REST calls. Only its SHA-256 is stored; the key itself is shown once."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=80)
    prefix = models.CharField(max_length=12)
    digest = models.CharField(max_length=64, unique=True)

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    @staticmethod
    def digest_of(key: str) -> str:
        return hashlib.sha256(key.encode()).hexdigest()


class AttemptKind(models.TextChoices):
    SIGN_IN = "sign_in", gettext_lazy("Signing in")
    SIGN_UP = "sign_up", gettext_lazy("Creating an account")
    KEY = "key", gettext_lazy("Creating a key")
    RESET = "reset", gettext_lazy("Requesting a password link")
    CODE = "code", gettext_lazy("Entering a code")


class Attempt(models.Model):
    """One try; by whom and from where is kept as a digest. Rows go when they no longer count."""

    kind = models.CharField(max_length=8, choices=AttemptKind.choices)
    account = models.CharField(max_length=64, blank=True)
    address = models.CharField(max_length=64, blank=True)
    at = models.DateTimeField(default=clock.now)

    class Meta:
        indexes = [
            models.Index(fields=["account", "at"], name="attempt_by_account"),
            models.Index(fields=["address", "at"], name="attempt_by_address"),
            models.Index(fields=["kind", "at"], name="attempt_by_age"),
        ]

    def __str__(self) -> str:
        return _("{kind} at {at:%Y-%m-%d %H:%M}").format(kind=self.get_kind_display(), at=self.at)
