"""The members of a project: invite, change a role, remove, leave."""

from __future__ import annotations

import pytest
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Invitation, Membership, Project, Role
from tests import factories
from tests.annotation.conftest import sign_in
from tests.annotation.corpora.pages import page_of

MEMBERS = "/p/study/members/"


def pk_of(user: User) -> int:
    return Membership.objects.get(user=user).pk


def test_it_shows_owners_their_tools(project: Project, as_owner: Client, viewer: User):
    page = page_of(as_owner.get(MEMBERS))
    assert "viewer@example.org" in page.text
    assert f"{MEMBERS}{pk_of(viewer)}/role/" in page.actions
    assert f"{MEMBERS}{pk_of(viewer)}/remove/" in page.actions
    assert "/p/study/invitations/" in page.actions


def test_it_shows_others_only_the_way_out(project: Project, as_viewer: Client, viewer: User):
    Invitation.objects.create(
        project=project,
        role=Role.EDITOR,
        note="For a friend",
        created_by=viewer,
        expires_at="2099-01-01T00:00Z",
    )
    page = page_of(as_viewer.get(MEMBERS))
    assert "Owner" in page.text
    assert "For a friend" not in page.text
    ours = [action for action in page.actions if action.startswith("/p/")]
    assert ours == [f"{MEMBERS}{pk_of(viewer)}/remove/"]


def test_it_makes_a_link_to_copy(project: Project, as_owner: Client):
    sent = {"role": "annotator", "note": "For a friend"}
    response = as_owner.post("/p/study/invitations/", sent)
    assert (response.status_code, response["Location"]) == (302, MEMBERS)
    page = page_of(as_owner.get(MEMBERS))
    assert "For a friend" in page.text
    assert f"http://testserver/invitations/{Invitation.objects.get().token}/" in page.html


@pytest.mark.parametrize("sent", [{}, {"role": "king"}, {"role": "viewer", "note": "x" * 121}])
def test_it_refuses_a_wrong_invitation(sent: dict[str, str], project: Project, as_owner: Client):
    page_of(as_owner.post("/p/study/invitations/", sent), 422)
    assert not Invitation.objects.exists()


def test_it_changes_a_role(project: Project, as_owner: Client, viewer: User):
    response = as_owner.post(f"{MEMBERS}{pk_of(viewer)}/role/", {"role": "editor"})
    assert (response.status_code, response["Location"]) == (302, MEMBERS)
    assert Membership.objects.get(user=viewer).role == Role.EDITOR
    page = page_of(as_owner.post(f"{MEMBERS}{pk_of(viewer)}/role/", {"role": "king"}), 400)
    assert "There is no such role." in page.text


def test_it_keeps_an_owner(project: Project, as_owner: Client, owner: User):
    for action, sent in (("role", {"role": "viewer"}), ("remove", {})):
        page = page_of(as_owner.post(f"{MEMBERS}{pk_of(owner)}/{action}/", sent), 409)
        assert "Owner is the only owner of this project." in page.text
    assert Membership.objects.get(user=owner).role == Role.OWNER


def test_it_removes(project: Project, as_owner: Client, viewer: User):
    response = as_owner.post(f"{MEMBERS}{pk_of(viewer)}/remove/")
    assert (response.status_code, response["Location"]) == (302, MEMBERS)
    assert not Membership.objects.filter(user=viewer).exists()
    assert sign_in(viewer).get("/p/study/").status_code == 404


@pytest.mark.parametrize("who", ["editor", "annotator", "viewer"])
def test_it_lets_everybody_leave(who: str, project: Project, request: pytest.FixtureRequest):
    user = request.getfixturevalue(who)
    response = sign_in(user).post(f"{MEMBERS}{pk_of(user)}/remove/")
    assert (response.status_code, response["Location"]) == (302, "/")
    assert Membership.objects.count() == 1


def test_it_reaches_no_member_of_another_project(
    project: Project, as_owner: Client, outsider: User
):
    factories.make_project(outsider, "theirs")
    for action in ("role", "remove"):
        response = as_owner.post(f"{MEMBERS}{pk_of(outsider)}/{action}/", {"role": "viewer"})
        assert response.status_code == 404


def test_it_withdraws_no_invitation_that_was_used(
    project: Project, as_owner: Client, as_outsider: Client
):
    as_owner.post("/p/study/invitations/", {"role": "viewer"})
    invitation = Invitation.objects.get()
    as_outsider.post(f"/invitations/{invitation.token}/")
    page = page_of(as_owner.post(f"/p/study/invitations/{invitation.pk}/revoke/"), 409)
    assert "Remove the member instead." in page.text
