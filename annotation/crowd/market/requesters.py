"""Requesters and their keys: created on the account page or by a command."""

from __future__ import annotations

from django.db import transaction

from annotation.access import owns_project
from annotation.corpora.models import KeyScope, Project, User, Verb
from annotation.corpora.services.accounts import KEY_REVOKERS, end_after
from annotation.corpora.services.activity import record_activity
from annotation.crowd.models import Requester, RequesterKey
from annotation.crowd.selectors.requesters import list_accessible
from annotation.errors import DomainError, Forbidden
from annotation.translation import gettext as _
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
