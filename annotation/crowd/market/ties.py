"""Who could ever decide for a requester: nobody is paid by themselves, and leaving changes nothing.

A tie is written when somebody comes to own a requester, gets a key of it, or is a member of its
project, and is never taken back.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.db.models.signals import post_save, pre_delete
from django.dispatch import receiver

from annotation import clock
from annotation.corpora.models import Membership, Project
from annotation.crowd.models import Hit, MarketHit, Requester, RequesterKey, RequesterTie
from annotation.doors import current_actor

# Of an assignment whose worker was tied to its requester when they submitted it.
TIED = Exists(
    RequesterTie.objects.filter(
        requester=OuterRef("hit__requester"),
        user=OuterRef("worker__user"),
        created_at__lte=OuterRef("submitted_at"),
    )
)


def tie(requesters: Iterable[int], users: Iterable[int]) -> None:
    """Each of these people to each of these requesters, for good."""
    people = list(users)
    ties = [RequesterTie(requester_id=one, user_id=pk) for one in requesters for pk in people]
    RequesterTie.objects.bulk_create(ties, ignore_conflicts=True)


def tie_members(project_id: int, users: Iterable[int]) -> None:
    """To the project's requester, and to whatever requester its campaigns published through."""
    out = Hit.objects.filter(campaign__project=project_id).exclude(provider_id="")
    through = MarketHit.objects.filter(hit_id__in=out.values("provider_id"))
    rows = Requester.objects.filter(Q(project=project_id) | Q(pk__in=through.values("requester")))
    tie(rows.order_by("pk").values_list("pk", flat=True), users)


def is_tied(requester_id: int, user_id: int) -> bool:
    return RequesterTie.objects.filter(requester=requester_id, user=user_id).exists()


def acts_for_themselves(user_id: int) -> bool:
    """Whether who calls, or is signed in, is this worker."""
    actor = current_actor()
    return actor is not None and actor.pk == user_id


def let_go(project: Project) -> None:
    """The project is being deleted: its members stay tied, and nobody takes its HITs any more.

    The sweep gives back the money that is held for their free places.
    """
    tie_members(project.pk, project.memberships.values_list("user", flat=True))
    now = clock.now()
    open_ones = MarketHit.objects.alive().filter(requester__project=project, expires_at__gt=now)
    open_ones.update(expires_at=now)


@receiver(post_save, sender=Membership)
def _tie_member(*, instance: Membership, raw: bool, **_: Any) -> None:
    if not raw:
        tie_members(instance.project_id, [instance.user_id])


@receiver(pre_delete, sender=Membership)
def _tie_who_leaves(*, instance: Membership, origin: Any, **_: Any) -> None:
    """Not if the account or the project itself is being deleted, which `let_go` is for."""
    if getattr(origin, "model", type(origin)) is Membership:
        tie_members(instance.project_id, [instance.user_id])


@receiver(post_save, sender=RequesterKey)
def _tie_holder(*, instance: RequesterKey, raw: bool, **_: Any) -> None:
    if not raw:
        tie([instance.requester_id], [instance.user_id])


@receiver(post_save, sender=Requester)
def _tie_owners(*, instance: Requester, raw: bool, **_: Any) -> None:
    if raw:
        return
    members = Membership.objects.filter(project=instance.project_id)
    users = set(members.values_list("user", flat=True)) if instance.project_id else set()
    tie([instance.pk], sorted(users | ({instance.owner_id} if instance.owner_id else set())))
