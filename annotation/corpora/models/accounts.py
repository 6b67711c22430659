"""People and the keys they hand to their scripts."""

from __future__ import annotations

import hashlib
from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models
from django.utils import timezone

from annotation.corpora.models.keys import Key


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
