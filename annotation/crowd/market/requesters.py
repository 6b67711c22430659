"""Requesters and their keys: made on the account page or by a command."""

from __future__ import annotations

from django.db import transaction

from annotation.corpora.models import Project, User
from annotation.crowd.models import Requester, RequesterKey
from annotation.errors import DomainError, NotFound

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
def create_key(*, requester: Requester) -> RequesterKey:
    """A key pair; what it signs is done in the requester's name."""
    rows = Requester.objects.select_for_update().filter(pk=requester.pk)
    if not rows.exists() or requester.keys.count() >= MOST_KEYS:
        raise DomainError(f"A requester has at most {MOST_KEYS} keys.", "Revoke one first.")
    return RequesterKey.objects.create(requester=requester)


def revoke_key(*, requester: Requester, pk: int) -> RequesterKey:
    """From this moment on, nothing is taken that the key signed."""
    key = requester.keys.filter(pk=pk).first()
    if key is None:
        raise NotFound("There is no such key.")
    requester.keys.filter(pk=pk).delete()
    return key
