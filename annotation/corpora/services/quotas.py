"""How much people may have sent: by each account over all projects, and to each project."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db.models import Q, QuerySet, Sum

from annotation.corpora.models import Import, ImportState, Project, Upload, User
from annotation.errors import TooLarge
from annotation.translation import gettext as _

MB = 2**20
# What was refused or dropped is kept nowhere, and counts for nobody.
UNCOUNTED = (ImportState.REFUSED, ImportState.DROPPED)
# Unless it is a table whose columns can still be chosen otherwise.
KEPT_TABLES = Q(state=ImportState.REFUSED, plan__columns__0__isnull=False)


@dataclass(frozen=True, slots=True)
class Usage:
    """Bytes that were sent and are kept, and how many may be."""

    used: int
    most: int

    @property
    def left(self) -> int:
        return max(0, self.most - self.used)


@dataclass(frozen=True, slots=True)
class Room:
    """What a project and an account still have room for.

    Commands of staff have no account, and a gold dataset has no project before it is restored.
    """

    project: Usage | None = None
    account: Usage | None = None

    def check(self, size: int) -> None:
        """Refuse what does not fit, and say whose room it is that is full."""
        if self.project is not None and size > self.project.left:
            raise _refusal(_("This project has"), self.project, size, "QUOTA_PROJECT_MB")
        if self.account is not None and size > self.account.left:
            raise _refusal(_("Your account has"), self.account, size, "QUOTA_ACCOUNT_MB")


def find_room(*, project: Project | None, user: User | None) -> Room:
    return Room(
        None if project is None else get_project_usage(project),
        None if user is None else get_account_usage(user),
    )


def get_project_usage(project: Project) -> Usage:
    return Usage(_sum(project=project), settings.QUOTA_PROJECT_MB * MB)


def get_account_usage(user: User) -> Usage:
    return Usage(_sum(created_by=user), settings.QUOTA_ACCOUNT_MB * MB)


def lock_quotas(*, project: Project | None, user: User | None) -> None:
    """Until the transaction ends nobody else counts: two at once don't both take the last room."""
    if project is not None:
        Project.objects.select_for_update().get(pk=project.pk)
    if user is not None:
        User.objects.select_for_update().get(pk=user.pk)


def _refusal(owner: str, usage: Usage, size: int, setting: str) -> TooLarge:
    used, most, more = (-(-part // MB) for part in (usage.used, usage.most, size))
    return TooLarge(
        _("{owner} no room for another {more:,} MB: {used:,} of {most:,} MB are used.").format(
            owner=owner, more=more, used=used, most=most
        ),
        _(
            "Undo or discard imports that you don't need, or ask the administrators of this server "
            "for a larger {setting}."
        ).format(setting=setting),
    )


def _sum(**owner: Project | User) -> int:
    """Of imports, and of what is kept for other jobs."""
    kept: list[QuerySet[Any]] = [
        Import.objects.filter(**owner).exclude(Q(state__in=UNCOUNTED) & ~KEPT_TABLES),
        Upload.objects.filter(**owner),
    ]
    return sum(rows.aggregate(sum=Sum("size"))["sum"] or 0 for rows in kept)
