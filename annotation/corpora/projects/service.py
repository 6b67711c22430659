"""Making, renaming and deleting projects, and correcting what is said of a system.

- Who belongs to a project: invitations, roles, leaving.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from annotation import append_only, clock
from annotation.access import require_project_creator
from annotation.corpora.accounts.models import User
from annotation.corpora.accounts.service import change_rights
from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.corpora.corpus.models import Example, System, SystemKind
from annotation.corpora.imports.models import ImportState
from annotation.corpora.imports.uploads import remove_files
from annotation.corpora.notifications.models import NotificationKind
from annotation.corpora.notifications.service import notify
from annotation.corpora.projects.models import (
    INVITATION_LIFETIME,
    Invitation,
    Membership,
    Project,
    Role,
)
from annotation.errors import DomainError, Invalid
from annotation.removal import remove_rows
from annotation.wording import counted

CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def create_project(*, user: User | None, name: str, slug: str, description: str = "") -> Project:
    if user is not None:
        require_project_creator(user)
    try:
        with transaction.atomic():
            project = Project.objects.create(name=name, slug=slug, description=description)
            if user is not None:
                Membership.objects.create(project=project, user=user, role=Role.OWNER)
            record_activity(
                project=project,
                actor=user,
                verb=Verb.CREATE,
                target=project,
                text=_("created the project"),
            )
    except IntegrityError:
        raise DomainError(
            _("The address '{slug}' is taken.").format(slug=slug),
            _("Choose another one, for instance with a year."),
        ) from None
    return project


def update_project(*, project: Project, name: str, description: str) -> None:
    project.name = name
    project.description = description
    with transaction.atomic():
        project.save(update_fields=["name", "description"])
        text = _("changed the project's name or description")
        record_activity(project=project, verb=Verb.CHANGE, target=project, text=text)


# What later apps hang on a project's examples, to be removed before them.
REMOVE_FIRST: list[Callable[[Project], None]] = []


def delete_project(*, project: Project) -> None:
    """Delete the project, everything in it and its uploads; texts first, without loading them."""
    busy = project.imports.filter(state__in=[ImportState.WRITING, ImportState.REMOVING])
    if busy.exists():
        raise DomainError(
            _("An import to this project is in progress."),
            _("Wait until it is done, or cancel it."),
        )
    imports = list(project.imports.all())
    with transaction.atomic(), append_only.suspended():
        for remove in REMOVE_FIRST:
            remove(project)
        remove_rows(Example.objects.filter(project=project))
        # What was done in the project goes with it; that it went is told outside of it.
        text = _("deleted the project {slug}").format(slug=project.slug)
        record_activity(project=None, verb=Verb.DELETE, target=project, text=text)
        project.delete()
    for import_ in imports:
        remove_files(import_)


def update_system(*, system: System, user: User | None, name: str, kind: SystemKind) -> None:
    if CONTROL.search(name):
        raise Invalid(_("name: a system's name can't contain control characters."))
    before = f"{system.name} ({system.kind})"
    system.name, system.kind = name, kind
    try:
        with transaction.atomic():
            system.save(update_fields=["name", "kind"])
            text = _("changed system {before} to {name} ({kind})").format(
                before=before, name=name, kind=kind
            )
            record_activity(
                project=system.project, actor=user, verb=Verb.CHANGE, target=system, text=text
            )
    except IntegrityError:
        raise DomainError(
            _("This project already has a system called '{name}'.").format(name=name)
        ) from None


def set_system_kinds(*, project: Project, user: User | None, kinds: Mapping[int, str]) -> int:
    """Set the kinds of several systems at once; how many have changed."""
    rows = System.objects.live().filter(project=project, pk__in=kinds)
    changed = [row for row in rows if row.kind != kinds[row.pk]]
    for row in changed:
        row.kind = SystemKind(kinds[row.pk])
    if changed:
        listed = ", ".join(f"{row.name} ({row.kind})" for row in changed)
        text = _("set the kinds of {systems}: {listed}").format(
            systems=counted(len(changed), "system", "systems"), listed=listed
        )[:300]
        with transaction.atomic():
            System.objects.bulk_update(changed, ["kind"], batch_size=500)
            record_activity(
                project=project, actor=user, verb=Verb.CHANGE, target=project, text=text
            )
    return len(changed)


# Later apps have links of their own, and add what withdraws those of a project.
LINK_WITHDRAWERS: list[Callable[[Project, User], None]] = []


def create_invitation(*, project: Project, user: User, role: Role, note: str = "") -> Invitation:
    with transaction.atomic():
        made = Invitation.objects.create(
            project=project,
            role=role,
            note=note,
            created_by=user,
            expires_at=clock.now() + INVITATION_LIFETIME,
        )
        # Not the note: only owners may read whom a link is for.
        text = _("invited {with_article}").format(with_article=role.with_article)
        record_activity(project=project, actor=user, verb=Verb.INVITE, target=made, text=text)
    return made


def revoke_invitation(*, invitation: Invitation) -> None:
    if invitation.accepted_at is not None:
        raise DomainError(
            _("This invitation has already been accepted."), _("Remove the member instead.")
        )
    with transaction.atomic():
        text = _("withdrew the invitation of {with_article}").format(
            with_article=Role(invitation.role).with_article
        )
        record_activity(project=invitation.project, verb=Verb.REVOKE, target=invitation, text=text)
        invitation.delete()


def _withdraw_links(leaving: Membership, user: User) -> None:
    """An owner has seen every link of the project, and could come back by any of them."""
    if leaving.role == Role.OWNER:
        for withdraw in LINK_WITHDRAWERS:
            withdraw(leaving.project, user)


def _withdraw_invitations(project: Project, user: User) -> None:
    """Also those that are shut by who made them, who could become an owner again."""
    unused = project.invitations.filter(accepted_at=None)
    if count := len(unused):
        unused.delete()
        text = _("withdrew {invitations} because an owner has left").format(
            invitations=counted(count, "open invitation", "open invitations")
        )
        record_activity(project=project, actor=user, verb=Verb.REVOKE, target=project, text=text)


LINK_WITHDRAWERS.append(_withdraw_invitations)


def accept_invitation(*, invitation: Invitation, user: User) -> Membership:
    """The first bearer becomes a member; a second one, or a late one, does not."""
    with transaction.atomic():
        now = clock.now()
        open_ones = Invitation.objects.open().filter(pk=invitation.pk)
        if Membership.objects.filter(project=invitation.project, user=user).exists():
            raise DomainError(_("You are already a member of this project."))
        if not open_ones.update(accepted_at=now, accepted_by=user):
            raise DomainError(_("This invitation is no longer valid."), _("Ask for a new link."))
        membership = Membership.objects.create(
            project=invitation.project, user=user, role=invitation.role
        )
        change_rights(user=user, can_create_projects=True)
        role = Role(membership.role).with_article
        text = _("joined as {role}").format(role=role)
        record_activity(
            project=invitation.project, actor=user, verb=Verb.JOIN, target=membership, text=text
        )
        notify(
            users=[invitation.created_by],
            project=invitation.project,
            kind=NotificationKind.MEMBERS,
            key=f"joined:{membership.pk}",
            text=_("{user} accepted your invitation and joined as {role}.").format(
                user=user, role=role
            ),
            target=membership,
        )
    return membership


def change_role(*, membership: Membership, role: Role, user: User) -> None:
    with transaction.atomic():
        if role != Role.OWNER:
            _keep_an_owner(membership)
            _withdraw_links(membership, user)
        membership.role = role
        membership.save(update_fields=["role"])
        text = _("changed the role of {user} to {role}").format(
            user=membership.user, role=role.label.lower()
        )
        record_activity(
            project=membership.project, actor=user, verb=Verb.ROLE, target=membership, text=text
        )
        notify(
            users=[membership.user],
            project=membership.project,
            kind=NotificationKind.MEMBERS,
            key=f"role:{membership.pk}",
            text=_("{user} changed your role in {project} to {role}.").format(
                user=user, project=membership.project, role=role.label.lower()
            ),
            target=membership.project,
            actor=user,
            renew=True,
        )


def remove_member(*, membership: Membership, user: User) -> None:
    with transaction.atomic():
        _keep_an_owner(membership)
        _withdraw_links(membership, user)
        text = (
            _("left")
            if membership.user_id == user.pk
            else _("removed {user}").format(user=membership.user)
        )
        record_activity(
            project=membership.project, actor=user, verb=Verb.REMOVE, target=membership, text=text
        )
        notify(
            users=[membership.user],
            project=None,
            kind=NotificationKind.MEMBERS,
            key=f"removed:{membership.pk}",
            text=_("{user} removed you from {project}.").format(
                user=user, project=membership.project
            ),
            actor=user,
        )
        membership.delete()


def _keep_an_owner(leaving: Membership) -> None:
    """Lock the owners, so that the last two cannot leave at the same moment."""
    owners = Membership.objects.select_for_update().filter(project=leaving.project, role=Role.OWNER)
    if leaving.role == Role.OWNER and len(owners) == 1:
        raise DomainError(
            _("{user} is the only owner of this project.").format(user=leaving.user),
            _("Make another member an owner first."),
        )
