"""Requesters and their keys: created on the account page or by a command.

- Keys end with what they rest on: an active account, and access to the requester.
- Who could ever decide for a requester: nobody is paid by themselves, and leaving changes
  nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.db.models.signals import post_delete, post_save, pre_delete
from django.dispatch import receiver
from django.utils.translation import gettext as _

from annotation import clock
from annotation.access import owns_project
from annotation.corpora.accounts.models import KeyScope, User
from annotation.corpora.accounts.service import KEY_REVOKERS, end_after
from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.corpora.projects.models import Membership, Project, Role
from annotation.crowd.campaigns.models import Hit
from annotation.crowd.market.models_accounts import Requester, RequesterKey, RequesterTie
from annotation.crowd.market.models_work import MarketHit
from annotation.crowd.requesters.queries import list_accessible
from annotation.doors import current_actor
from annotation.errors import DomainError, Forbidden
from annotation.translation import gettext_lazy

MOST_REQUESTERS = 20
MOST_KEYS = 10
STAFF_OR_OWNER = gettext_lazy(
    "Only staff, or an owner of the project that it is for, can create a requester."
)


@transaction.atomic
def create_requester(
    *,
    name: str,
    owner: User | None = None,
    project: Project | None = None,
    user: User | None = None,
) -> Requester:
    """By staff, by an owner of the project that it is for, or by a command, which is nobody."""
    if user is not None:
        check_may_create(user, project)
    name = name.strip()
    if not name or len(name) > 120:
        raise DomainError(_("A requester's name must have 1 to 120 characters."))
    if owner is not None and owner.requesters.count() >= MOST_REQUESTERS:
        raise DomainError(
            _("One person can have at most {most_requesters} requesters.").format(
                most_requesters=MOST_REQUESTERS
            )
        )
    if project is not None and Requester.objects.filter(project=project).exists():
        raise DomainError(
            _("{project} already has a requester.").format(project=project), _("Use that one.")
        )
    made = Requester.objects.create(name=name, owner=owner, project=project)
    text = _("created the requester {name}").format(name=name)
    record_activity(project=project, actor=user, verb=Verb.CREATE, target=project, text=text)
    return made


@transaction.atomic
def get_project_requester(*, project: Project, user: User | None = None) -> Requester:
    """The one that a project's campaigns publish as, without any money at first."""
    defaults = {"name": project.name}
    found, is_new = Requester.objects.get_or_create(project=project, defaults=defaults)
    if is_new:
        text = _("created the requester {name}").format(name=found.name)
        record_activity(project=project, actor=user, verb=Verb.CREATE, target=project, text=text)
    return found


def check_may_create(user: User, project: Project | None) -> None:
    """Staff may for any project or none; an owner for that project only."""
    if not (user.is_staff or (project is not None and owns_project(user, project))):
        raise Forbidden(STAFF_OR_OWNER, _("Ask staff, or an owner of your project."))


def check_may_create_some(user: User) -> None:
    """Whether there is any project, or none, for which they may."""
    if not (user.is_staff or owns_project(user)):
        raise Forbidden(STAFF_OR_OWNER, _("Ask staff, or an owner of your project."))


@transaction.atomic
def create_key(
    *,
    requester: Requester,
    user: User,
    scope: str = KeyScope.READ,
    days: int | None = None,
) -> RequesterKey:
    """A key pair of one person; what it signs is done in the requester's name."""
    if not list_accessible(user).filter(pk=requester.pk).exists():
        raise DomainError(
            _("{email} isn't allowed to use the requester {requester}.").format(
                email=user.email, requester=requester
            ),
            _("Choose the requester's owner, an owner of its project, or a staff member."),
        )
    rows = Requester.objects.select_for_update().filter(pk=requester.pk)
    if not rows.exists() or requester.keys.count() >= MOST_KEYS:
        raise DomainError(
            _("A requester can have at most {most_keys} keys.").format(most_keys=MOST_KEYS),
            _("Revoke one first."),
        )
    key = RequesterKey.objects.create(
        requester=requester, user=user, scope=scope, expires_at=end_after(days)
    )
    text = _("created the key {key} of the requester {requester}, for {user}").format(
        key=key, requester=requester, user=user
    )
    record_activity(project=requester.project, verb=Verb.CREATE, target=key, text=text)
    return key


def works(key: RequesterKey) -> bool:
    """Whether its holder is still active and may still use the requester."""
    return list_accessible(key.user).filter(pk=key.requester_id).exists()


@transaction.atomic
def revoke_key(*, key: RequesterKey) -> None:
    """From this moment on, nothing that the key signed is accepted."""
    text = _("revoked the key {key} of the requester {requester}, held by {user}").format(
        key=key, requester=key.requester, user=key.user
    )
    record_activity(project=key.requester.project, verb=Verb.REVOKE, target=key, text=text)
    key.delete()


def revoke_keys_of(user: User) -> None:
    """Every key that this person holds, of whichever requester."""
    for key in user.requester_keys.select_related("requester", "requester__project", "user"):
        revoke_key(key=key)


KEY_REVOKERS.append(revoke_keys_of)


def revoke_lost_keys(*, user: User) -> None:
    """Revoke the keys of requesters that this person may no longer use."""
    lost = user.requester_keys.exclude(requester__in=list_accessible(user))
    for key in lost.select_related("requester", "requester__project", "user"):
        revoke_key(key=key)


RIGHTS = {"is_active", "is_staff", "can_create_projects"}


@receiver(post_save, sender=Membership)
def _end_with_role(*, instance: Membership, **__: Any) -> None:
    if instance.role != Role.OWNER:
        revoke_lost_keys(user=instance.user)


@receiver(post_delete, sender=Membership)
def _end_with_membership(*, instance: Membership, **__: Any) -> None:
    user = User.objects.filter(pk=instance.user_id).first()
    if user is not None:
        revoke_lost_keys(user=user)


@receiver(post_save, sender=User)
def _end_with_account(*, instance: User, created: bool, update_fields: Any, **__: Any) -> None:
    """The account was deactivated, or is no longer staff or let in."""
    if not created and (update_fields is None or RIGHTS & set(update_fields)):
        revoke_lost_keys(user=instance)


@receiver(post_save, sender=Requester)
def _end_with_owner(*, instance: Requester, created: bool, **__: Any) -> None:
    """The requester was given to somebody else."""
    if not created:
        for user in User.objects.filter(requester_keys__requester=instance).distinct():
            revoke_lost_keys(user=user)


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
def _tie_member(*, instance: Membership, raw: bool, **__: Any) -> None:
    if not raw:
        tie_members(instance.project_id, [instance.user_id])


@receiver(pre_delete, sender=Membership)
def _tie_who_leaves(*, instance: Membership, origin: Any, **__: Any) -> None:
    """Not if the account or the project itself is being deleted, which `let_go` is for."""
    if getattr(origin, "model", type(origin)) is Membership:
        tie_members(instance.project_id, [instance.user_id])


@receiver(post_save, sender=RequesterKey)
def _tie_holder(*, instance: RequesterKey, raw: bool, **__: Any) -> None:
    if not raw:
        tie([instance.requester_id], [instance.user_id])


@receiver(post_save, sender=Requester)
def _tie_owners(*, instance: Requester, raw: bool, **__: Any) -> None:
    if raw:
        return
    members = Membership.objects.filter(project=instance.project_id)
    users = set(members.values_list("user", flat=True)) if instance.project_id else set()
    tie([instance.pk], sorted(users | ({instance.owner_id} if instance.owner_id else set())))
