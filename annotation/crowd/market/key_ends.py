"""Keys end with what they rest on: an active account, and access to the requester.

`works` is asked with every call; this removes the keys, so that they stay dead if the person comes
back.
"""

from __future__ import annotations

from typing import Any

from django.db.models.signals import post_delete, post_save
from django.dispatch import receiver

from annotation.corpora.models import Membership, Role, User
from annotation.crowd.market.requesters import revoke_lost_keys
from annotation.crowd.models import Requester

RIGHTS = {"is_active", "is_staff", "can_create_projects"}


@receiver(post_save, sender=Membership)
def _end_with_role(*, instance: Membership, **_: Any) -> None:
    if instance.role != Role.OWNER:
        revoke_lost_keys(user=instance.user)


@receiver(post_delete, sender=Membership)
def _end_with_membership(*, instance: Membership, **_: Any) -> None:
    user = User.objects.filter(pk=instance.user_id).first()
    if user is not None:
        revoke_lost_keys(user=user)


@receiver(post_save, sender=User)
def _end_with_account(*, instance: User, created: bool, update_fields: Any, **_: Any) -> None:
    """The account was deactivated, or is no longer staff or let in."""
    if not created and (update_fields is None or RIGHTS & set(update_fields)):
        revoke_lost_keys(user=instance)


@receiver(post_save, sender=Requester)
def _end_with_owner(*, instance: Requester, created: bool, **_: Any) -> None:
    """The requester was given to somebody else."""
    if not created:
        for user in User.objects.filter(requester_keys__requester=instance).distinct():
            revoke_lost_keys(user=user)
