"""Who belongs to a project: invitations, roles, leaving."""

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction

from annotation import clock
from annotation.corpora.models import (
    Invitation,
    Membership,
    NotificationKind,
    Project,
    Role,
    User,
    Verb,
)
from annotation.corpora.models.projects import INVITATION_LIFETIME
from annotation.corpora.services.accounts import change_rights
from annotation.corpora.services.activity import record_activity
from annotation.corpora.services.notifications import notify
from annotation.errors import DomainError
from annotation.translation import gettext as _
from annotation.wording import counted

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
