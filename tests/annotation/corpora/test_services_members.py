"""Members: invited once, and never without an owner."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.corpora.accounts.models import User
from annotation.corpora.projects import service as projects_service
from annotation.corpora.projects.models import (
    INVITATION_LIFETIME,
    Invitation,
    Membership,
    Project,
    Role,
)
from annotation.corpora.projects.queries import get_invitation, list_open_invitations
from annotation.errors import DomainError
from tests import factories


@pytest.fixture
def invitation(project: Project, owner: User) -> Invitation:
    return projects_service.create_invitation(
        project=project, user=owner, role=Role.EDITOR, note="for Ada"
    )


# The database's clock stands still within a test's transaction, a little behind ours.
MINUTE = timedelta(minutes=1)


def membership_of(user: User) -> Membership:
    return Membership.objects.get(user=user)


def test_it_makes_the_first_bearer_a_member(invitation: Invitation, outsider: User) -> None:
    assert invitation.is_open
    found = get_invitation(invitation.token)
    assert found == invitation
    projects_service.accept_invitation(invitation=invitation, user=outsider)
    assert membership_of(outsider).role == Role.EDITOR
    invitation.refresh_from_db()
    assert (invitation.accepted_by, invitation.is_open) == (outsider, False)
    assert not list_open_invitations(invitation.project).exists()
    assert invitation.project.activities.latest("pk").text == "joined as an editor"


@pytest.mark.parametrize(
    "spoil",
    [
        lambda invitation: Invitation.objects.update(expires_at=timezone.now() - MINUTE),
        lambda invitation: projects_service.revoke_invitation(invitation=Invitation.objects.get()),
        lambda invitation: Invitation.objects.update(accepted_at=timezone.now()),
    ],
    ids=["expired", "revoked", "used"],
)
def test_it_makes_nobody_a_member_once_it_is_closed(
    spoil: Callable[[Invitation], object], invitation: Invitation, outsider: User
) -> None:
    spoil(invitation)
    with pytest.raises(DomainError, match="no longer valid") as caught:
        projects_service.accept_invitation(invitation=invitation, user=outsider)
    assert caught.value.hint == "Ask for a new link."
    assert not Membership.objects.filter(user=outsider).exists()


def test_it_stays_open_when_a_member_follows_it(
    invitation: Invitation, owner: User, outsider: User
) -> None:
    with pytest.raises(DomainError, match="already a member"):
        projects_service.accept_invitation(invitation=invitation, user=owner)
    assert membership_of(owner).role == Role.OWNER
    projects_service.accept_invitation(invitation=invitation, user=outsider)


def test_it_lasts_a_fortnight(invitation: Invitation) -> None:
    left = invitation.expires_at - timezone.now()
    assert timedelta(days=13, hours=23) < left <= INVITATION_LIFETIME == timedelta(days=14)


@pytest.mark.parametrize("token", ["", "x", "1:abc:def"])
def test_it_is_not_found_by_a_token_that_was_not_signed(token: str, invitation: Invitation) -> None:
    assert get_invitation(token) is None
    assert get_invitation(invitation.token[:-1] + "!") is None


def test_it_is_not_revoked_after_it_was_accepted(invitation: Invitation, outsider: User) -> None:
    projects_service.accept_invitation(invitation=invitation, user=outsider)
    invitation.refresh_from_db()
    with pytest.raises(DomainError, match="already been accepted"):
        projects_service.revoke_invitation(invitation=invitation)
    assert membership_of(outsider)


@pytest.mark.parametrize("role", [Role.EDITOR, Role.ANNOTATOR, Role.VIEWER])
def test_it_keeps_the_last_owner_in_the_role(
    role: Role, project: Project, owner: User, editor: User
) -> None:
    with pytest.raises(DomainError, match="Owner is the only owner") as caught:
        projects_service.change_role(membership=membership_of(owner), role=role, user=owner)
    assert caught.value.hint == "Make another member an owner first."
    assert membership_of(owner).role == Role.OWNER


def test_it_keeps_the_last_owner_in_the_project(
    project: Project, owner: User, editor: User
) -> None:
    with pytest.raises(DomainError, match="the only owner"):
        projects_service.remove_member(membership=membership_of(owner), user=owner)
    projects_service.change_role(membership=membership_of(owner), role=Role.OWNER, user=owner)
    projects_service.change_role(membership=membership_of(editor), role=Role.OWNER, user=owner)
    projects_service.remove_member(membership=membership_of(owner), user=owner)
    assert not Membership.objects.filter(user=owner).exists()
    with pytest.raises(DomainError, match="the only owner"):
        projects_service.remove_member(membership=membership_of(editor), user=editor)


def test_it_writes_down_who_left_and_who_was_removed(
    project: Project, owner: User, editor: User, viewer: User
) -> None:
    projects_service.remove_member(membership=membership_of(editor), user=editor)
    assert (project.activities.latest("pk").actor, project.activities.latest("pk").text) == (
        editor,
        "left",
    )
    projects_service.remove_member(membership=membership_of(viewer), user=owner)
    assert (project.activities.latest("pk").actor, project.activities.latest("pk").text) == (
        owner,
        "removed Viewer",
    )


def test_it_changes_a_role(project: Project, owner: User, viewer: User) -> None:
    projects_service.change_role(membership=membership_of(viewer), role=Role.ANNOTATOR, user=owner)
    assert membership_of(viewer).role == Role.ANNOTATOR
    assert project.activities.latest("pk").text == "changed the role of Viewer to annotator"


def leave(membership: Membership, owner: User) -> None:
    projects_service.remove_member(membership=membership, user=membership.user)


def remove(membership: Membership, owner: User) -> None:
    projects_service.remove_member(membership=membership, user=owner)


def demote(membership: Membership, owner: User) -> None:
    projects_service.change_role(membership=membership, role=Role.EDITOR, user=owner)


@pytest.mark.parametrize("go", [leave, remove, demote])
def test_an_owner_who_goes_takes_every_open_link_along(
    go: Callable[[Membership, User], None], project: Project, owner: User
) -> None:
    second, guest = factories.make_user("Second"), factories.make_user("Guest")
    membership = factories.add_member(project, second, Role.OWNER)
    used = projects_service.create_invitation(project=project, user=owner, role=Role.VIEWER)
    projects_service.accept_invitation(invitation=used, user=guest)
    links = [
        projects_service.create_invitation(project=project, user=user, role=Role.OWNER)
        for user in (owner, second)
    ]
    go(membership, owner)
    assert list(project.invitations.all()) == [used]
    told = project.activities.get(text__contains="open invitations").text
    assert told == "withdrew 2 open invitations because an owner has left"
    Membership.objects.update_or_create(project=project, user=second, defaults={"role": Role.OWNER})
    for link in links:
        with pytest.raises(DomainError, match="no longer valid"):
            projects_service.accept_invitation(
                invitation=link, user=factories.make_user(f"By{link.pk}")
            )


def test_links_stay_open_when_others_go(invitation: Invitation, owner: User, viewer: User) -> None:
    projects_service.change_role(membership=membership_of(viewer), role=Role.EDITOR, user=owner)
    projects_service.remove_member(membership=membership_of(viewer), user=owner)
    assert list(list_open_invitations(invitation.project)) == [invitation]


def test_a_mere_worker_who_owns_a_project_lets_nobody_in(
    invitation: Invitation, owner: User
) -> None:
    outsider = factories.make_outsider("Friend")
    User.objects.filter(pk=owner.pk).update(can_create_projects=False)
    with pytest.raises(DomainError, match="no longer valid"):
        projects_service.accept_invitation(invitation=invitation, user=outsider)
    outsider.refresh_from_db()
    assert not outsider.can_create_projects
