"""Who belongs to a project: invitations, roles, leaving."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from annotation.corpora.models import Invitation, Membership, Project, Role, User
from annotation.corpora.models.projects import INVITATION_LIFETIME
from annotation.corpora.services.events import record_event
from annotation.errors import DomainError


def create_invitation(*, project: Project, user: User, role: Role, note: str = "") -> Invitation:
    return Invitation.objects.create(
        project=project,
        role=role,
        note=note,
        created_by=user,
        expires_at=timezone.now() + INVITATION_LIFETIME,
    )


def revoke_invitation(*, invitation: Invitation) -> None:
    if invitation.accepted_at is not None:
        raise DomainError("This invitation was accepted already.", "Remove the member instead.")
    invitation.delete()


def accept_invitation(*, invitation: Invitation, user: User) -> Membership:
    """The first bearer becomes a member; a second one, or a late one, does not."""
    with transaction.atomic():
        now = timezone.now()
        open_ones = Invitation.objects.filter(
            pk=invitation.pk, accepted_at=None, expires_at__gt=now
        )
        if Membership.objects.filter(project=invitation.project, user=user).exists():
            raise DomainError("You are a member of this project already.")
        if not open_ones.update(accepted_at=now, accepted_by=user):
            raise DomainError("This invitation is no longer open.", "Ask for a new link.")
        membership = Membership.objects.create(
            project=invitation.project, user=user, role=invitation.role
        )
        text = f"joined as {membership.get_role_display().lower()}"
        record_event(project=invitation.project, actor=user, action="join", text=text)
    return membership


def change_role(*, membership: Membership, role: Role, user: User) -> None:
    with transaction.atomic():
        if role != Role.OWNER:
            _keep_an_owner(membership)
        membership.role = role
        membership.save(update_fields=["role"])
        text = f"made {membership.user} {role.label.lower()}"
        record_event(project=membership.project, actor=user, action="role", text=text)


def remove_member(*, membership: Membership, user: User) -> None:
    with transaction.atomic():
        _keep_an_owner(membership)
        text = "left" if membership.user_id == user.pk else f"removed {membership.user}"
        record_event(project=membership.project, actor=user, action="remove", text=text)
        membership.delete()


def _keep_an_owner(leaving: Membership) -> None:
    """Lock the owners, so that the last two cannot leave at the same moment."""
    owners = Membership.objects.select_for_update().filter(project=leaving.project, role=Role.OWNER)
    if leaving.role == Role.OWNER and len(owners) == 1:
        raise DomainError(
            f"{leaving.user} is the only owner of this project.", "Make somebody else owner first."
        )
