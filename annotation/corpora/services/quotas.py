"""How much people may have sent: by each account over all projects, and to each project."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.db.models import QuerySet, Sum

from annotation.corpora.models import Import, ImportState, Project, User
from annotation.errors import TooLarge

MB = 2**20
# What was refused or dropped is kept nowhere, and counts for nobody.
UNCOUNTED = (ImportState.REFUSED, ImportState.DROPPED)


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
    """What a project and an account still have room for; commands of staff have no account."""

    project: Usage
    account: Usage | None = None

    def check(self, size: int) -> None:
        """Refuse what does not fit, and say whose room it is that is full."""
        if size > self.project.left:
            raise _refusal("This project has", self.project, size, "QUOTA_PROJECT_MB")
        if self.account is not None and size > self.account.left:
            raise _refusal("Your account has", self.account, size, "QUOTA_ACCOUNT_MB")


def find_room(*, project: Project, user: User | None) -> Room:
    return Room(get_project_usage(project), None if user is None else get_account_usage(user))


def get_project_usage(project: Project) -> Usage:
    return Usage(_sum(Import.objects.filter(project=project)), settings.QUOTA_PROJECT_MB * MB)


def get_account_usage(user: User) -> Usage:
    return Usage(_sum(Import.objects.filter(created_by=user)), settings.QUOTA_ACCOUNT_MB * MB)


def lock_quotas(*, project: Project, user: User | None) -> None:
    """Until the transaction ends nobody else counts: two at once don't both take the last room."""
    Project.objects.select_for_update().get(pk=project.pk)
    if user is not None:
        User.objects.select_for_update().get(pk=user.pk)


def _refusal(owner: str, usage: Usage, size: int, setting: str) -> TooLarge:
    used, most, more = (-(-part // MB) for part in (usage.used, usage.most, size))
    return TooLarge(
        f"{owner} no room for {more:,} MB more: {used:,} of {most:,} MB are used.",
        "Undo or drop imports that you don't need, or ask the people who run this server "
        f"for a larger {setting}.",
    )


def _sum(imports: QuerySet[Import]) -> int:
    counted = imports.exclude(state__in=UNCOUNTED)
    return int(counted.aggregate(sum=Sum("size"))["sum"] or 0)
