"""Requesters and their keys: made on the account page or by a command."""

from __future__ import annotations

from django.db import transaction

from annotation.corpora.models import KeyScope, Project, User, Verb
from annotation.corpora.services.accounts import KEY_REVOKERS, end_after
from annotation.corpora.services.activity import record_activity
from annotation.crowd.models import Requester, RequesterKey
from annotation.crowd.selectors.requesters import list_accessible
from annotation.errors import DomainError

MOST_REQUESTERS = 20
MOST_KEYS = 10


def create_requester(
    *, name: str, owner: User | None = None, project: Project | None = None
) -> Requester:
    name = name.strip()
    if not name or len(name) > 120:
        raise DomainError("A requester's name has 1 to 120 characters.")
    if owner is not None and owner.requesters.count() >= MOST_REQUESTERS:
        raise DomainError(f"One person has at most {MOST_REQUESTERS} requesters.")
    return Requester.objects.create(name=name, owner=owner, project=project)


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
            f"{user.email} may not use the requester {requester}.",
            "Name the requester's owner, an owner of its project, or staff.",
        )
    rows = Requester.objects.select_for_update().filter(pk=requester.pk)
    if not rows.exists() or requester.keys.count() >= MOST_KEYS:
        raise DomainError(f"A requester has at most {MOST_KEYS} keys.", "Revoke one first.")
    key = RequesterKey.objects.create(
        requester=requester, user=user, scope=scope, expires_at=end_after(days)
    )
    text = f"made the key {key} of the requester {requester}, for {user}"
    record_activity(project=requester.project, verb=Verb.CREATE, target=key, text=text)
    return key


def works(key: RequesterKey) -> bool:
    """Whether its holder is still active and may still use the requester."""
    return list_accessible(key.user).filter(pk=key.requester_id).exists()


@transaction.atomic
def revoke_key(*, key: RequesterKey) -> None:
    """From this moment on, nothing that the key signed is accepted."""
    text = f"revoked the key {key} of the requester {key.requester}, held by {key.user}"
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
