"""An invitation, as everybody who may open its link sees it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client
from django.utils import timezone

from annotation.corpora.accounts.models import User
from annotation.corpora.projects import service as projects_service
from annotation.corpora.projects.models import Invitation, Membership, Project, Role
from annotation.errors import DomainError
from tests.annotation.conftest import sign_in
from tests.annotation.corpora.pages import page_of

NEWCOMER = {"name": "New Comer", "email": "New@example.org", "password": "tulips-in-spring"}


@pytest.fixture
def invitation(project: Project, owner: User) -> Invitation:
    return projects_service.create_invitation(project=project, user=owner, role=Role.EDITOR)


def link(invitation: Invitation) -> str:
    return f"/invitations/{invitation.token}/"


def role_of(email: str) -> str | None:
    return Membership.objects.filter(user__email=email).values_list("role", flat=True).first()


def test_it_says_what_one_is_invited_to(invitation: Invitation):
    page = page_of(Client().get(link(invitation)))
    assert "Owner invites you" in page.text
    assert "Join A study" in page.text
    assert "editor" in page.text
    assert f"/sign-in/?next={quote(link(invitation), safe='')}" in page.links


def test_it_makes_an_account_and_a_member(invitation: Invitation):
    client = Client()
    response = client.post(link(invitation), NEWCOMER)
    assert (response.status_code, response["Location"]) == (302, "/p/study/")
    assert role_of("new@example.org") == "editor"
    assert "Welcome to A study." in page_of(client.get("/p/study/")).text
    assert client.post("/sign-out/").status_code == 302
    back = client.post(
        "/sign-in/", {"username": "new@example.org", "password": NEWCOMER["password"]}
    )
    assert back.status_code == 302


@pytest.mark.parametrize(
    "change, message",
    [
        ({"password": "short"}, "too short"),
        ({"password": "password"}, "too common"),
        ({"password": "1029384756"}, "entirely numeric"),
        ({"password": "new@example.org"}, "too similar"),
        ({"name": ""}, "required"),
        ({"name": "x" * 121}, "at most 120"),
        ({"name": "a\x00b"}, "Null characters"),
        ({"email": "new"}, "valid email"),
        ({"email": "OWNER@example.org"}, "owner@example.org already has an account"),
    ],
)
def test_it_says_what_is_wrong_with_an_account(
    change: dict[str, str], message: str, invitation: Invitation
):
    page = page_of(Client().post(link(invitation), {**NEWCOMER, **change}), 422)
    assert message.lower() in page.text.lower()
    assert User.objects.count() == 1
    invitation.refresh_from_db()
    assert invitation.is_open


def test_it_makes_no_account_for_somebody_who_comes_too_late(
    invitation: Invitation, monkeypatch: pytest.MonkeyPatch
):
    """Account and membership come together, also when two people press at the same moment."""

    def taken(**given: Any) -> None:
        raise DomainError("This invitation is no longer valid.", "Ask for a new link.")

    monkeypatch.setattr(projects_service, "accept_invitation", taken)
    client = Client()
    page = page_of(client.post(link(invitation), NEWCOMER), 422)
    assert "This invitation is no longer valid. Ask for a new link." in page.text
    assert User.objects.count() == 1
    assert client.get("/").status_code == 302


def test_it_asks_somebody_who_is_signed_in_only_to_join(invitation: Invitation, outsider: User):
    client = sign_in(outsider)
    page = page_of(client.get(link(invitation)))
    assert "Signed in as outsider@example.org" in page.text
    assert set(page.values) == {"csrfmiddlewaretoken"}
    response = client.post(link(invitation))
    assert (response.status_code, response["Location"]) == (302, "/p/study/")
    assert role_of("outsider@example.org") == "editor"


def test_it_does_not_change_the_role_of_a_member(invitation: Invitation, viewer: User):
    page = page_of(sign_in(viewer).post(link(invitation)), 409)
    assert "You are already a member of this project." in page.text
    assert role_of("viewer@example.org") == "viewer"
    invitation.refresh_from_db()
    assert invitation.is_open


def test_it_works_once(invitation: Invitation, outsider: User):
    assert Client().post(link(invitation), NEWCOMER).status_code == 302
    again = {**NEWCOMER, "email": "second@example.org"}
    for client in (Client(), sign_in(outsider)):
        assert "It was used on" in page_of(client.get(link(invitation))).text
    assert (
        "This invitation is no longer valid"
        in page_of(Client().post(link(invitation), again), 422).text
    )
    late = page_of(sign_in(outsider).post(link(invitation)), 409)
    assert "This invitation is no longer valid." in late.text
    assert Membership.objects.count() == 2
    assert not User.objects.filter(email="second@example.org").exists()


def test_it_runs_out(invitation: Invitation, outsider: User):
    Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert "It expired on" in page_of(Client().get(link(invitation))).text
    assert page_of(sign_in(outsider).post(link(invitation)), 409)
    assert page_of(Client().post(link(invitation), NEWCOMER), 422)
    assert Membership.objects.count() == 1


def test_it_can_be_withdrawn(invitation: Invitation, as_owner: Client):
    revoked = as_owner.post(f"/p/study/invitations/{invitation.pk}/revoke/")
    assert revoked.status_code == 302
    page = page_of(Client().get(link(invitation)), 404)
    assert "This invitation was withdrawn" in page.text
    assert "A study" not in page.text


@pytest.mark.parametrize("token", ["x", "1", "MQ:1:x", "%00", "ü", "a" * 5000])
def test_it_opens_with_a_whole_link_only(token: str, invitation: Invitation):
    page = page_of(Client().get(f"/invitations/{token}/"), 404)
    assert "A study" not in page.text


def test_it_cannot_be_guessed_from_another(invitation: Invitation):
    """The id in the link is signed: nobody makes the next one out of it."""
    _, rest = invitation.token.split(":", 1)
    assert Client().get(f"/invitations/Mg:{rest}/").status_code == 404
