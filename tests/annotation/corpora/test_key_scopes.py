"""Keys of REST: what each scope may do, when a key ends, and with whom."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.urls import get_resolver
from django.utils import timezone

from annotation.corpora.accounts.models import ApiToken, KeyScope, User
from annotation.corpora.projects import service as projects_service
from annotation.corpora.projects.models import Invitation, Membership, Project, Role
from annotation.corpora.rest import GizaView
from tests.annotation.conftest import sign_in
from tests.annotation.corpora.rest import Rest, error_of
from tests.factories import add_member, make_user

pytestmark = pytest.mark.django_db

# Everything that decides about money, or that could make somebody or something that does.
NEEDS_PAY = {
    ("tokens", "POST"),
    ("token", "DELETE"),
    ("project", "DELETE"),
    ("member", "PATCH"),
    ("member", "DELETE"),
    ("invitations", "GET"),
    ("invitations", "POST"),
    ("invitation", "DELETE"),
    ("accept_invitation", "POST"),
    ("worker_invitations", "GET"),
    ("worker_invitations", "POST"),
    ("deposits", "POST"),
    ("review", "POST"),
    ("settle_entry", "POST"),
    ("top_up", "POST"),
}


def views() -> Iterator[tuple[str, type[GizaView], str]]:
    """The name, the view and each method of every address of REST."""
    parts: list[Any] = get_resolver().url_patterns
    apps = [part for part in parts if str(part.pattern) == "api/v1/"]
    for pattern in [pattern for app in apps for pattern in app.url_patterns]:
        view = pattern.callback.view_class
        for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
            if hasattr(view, method.lower()):
                yield str(pattern.name), view, method


def test_it_states_what_every_call_needs():
    rows = list(views())
    assert len(rows) > 100
    for name, view, method in rows:
        assert issubclass(view, GizaView), name
        if method != "GET":
            assert view.scope_for(method) != KeyScope.READ, name
    needed = {(name, method) for name, view, method in rows if view.scope_for(method) == "pay"}
    assert needed == NEEDS_PAY


def test_a_key_that_reads_changes_nothing(project: Project, owner: User):
    rest = Rest(owner, scope="read")
    assert rest.get("/projects/study/").status_code == 200
    refused = rest("PATCH", "/projects/study/", {"name": "Other"})
    assert error_of(refused) == (403, "forbidden")
    assert "needs a key with the scope 'publish'" in refused.json()["error"]["message"]
    project.refresh_from_db()
    assert project.name == "A study"


def test_a_key_that_publishes_lets_nobody_in(project: Project, owner: User):
    rest = Rest(owner, scope="publish")
    assert rest("PATCH", "/projects/study/", {"name": "Other"}).status_code == 200
    for method, path, data in [
        ("POST", "/projects/study/invitations/", {"role": "owner"}),
        ("GET", "/projects/study/invitations/", None),
        ("POST", "/tokens/", {"name": "more", "scope": "pay"}),
        ("DELETE", "/projects/study/", None),
    ]:
        assert error_of(rest(method, path, data)) == (403, "forbidden"), path


def test_a_session_may_do_all_that_its_person_may(project: Project, owner: User):
    made = sign_in(owner).post(
        "/api/v1/projects/study/invitations/", {"role": "viewer"}, content_type="application/json"
    )
    assert made.status_code == 201


def test_a_new_key_only_reads_unless_it_is_asked_for(owner: User):
    rest = Rest(owner)
    assert rest.post("/tokens/", {"name": "one"}).json()["scope"] == "read"
    assert rest.post("/tokens/", {"name": "two", "scope": "pay"}).json()["scope"] == "pay"
    assert error_of(rest.post("/tokens/", {"name": "x", "scope": "all"})) == (400, "invalid")


def test_a_key_expires(owner: User):
    rest = Rest(owner)
    ApiToken.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    refused = rest.get("/me/")
    assert error_of(refused) == (401, "authentication_failed")
    assert "has expired" in refused.json()["error"]["message"]


def test_a_key_makes_none_that_outlives_it(owner: User):
    rest = Rest(owner)
    end = timezone.now() + timedelta(days=2)
    ApiToken.objects.update(expires_at=end)
    later = end + timedelta(days=9999)
    ends = {}
    for days in (1, 3, None):
        sent = {"name": f"for {days} days", **({"days": days} if days else {})}
        made = rest.post("/tokens/", sent)
        ends[days] = ApiToken.objects.get(pk=made.json()["id"]).expires_at or later
    assert (ends[3], ends[None]) == (end, end)
    assert ends[1] < end
    for days in (0, -1, 4000):
        refused = rest.post("/tokens/", {"name": "x", "days": days})
        assert error_of(refused) == (400, "invalid")


def test_a_key_stays_dead_when_its_account_comes_back(owner: User):
    rest = Rest(owner)
    owner.is_active = False
    owner.save()
    owner.is_active = True
    owner.save()
    assert error_of(rest.get("/me/")) == (401, "authentication_failed")


def test_a_session_dies_with_its_account(owner: User):
    client = sign_in(owner)
    assert client.get("/account/").status_code == 200
    User.objects.filter(pk=owner.pk).update(is_active=False)
    assert client.get("/account/").status_code == 302
    assert client.get("/api/v1/me/").status_code == 401


def is_open(invitation: Invitation) -> bool:
    return invitation.is_open


def test_an_invitation_dies_with_who_made_it(project: Project, owner: User):
    """A removed owner could otherwise come back by a link that they kept."""
    second = make_user("Second")
    membership = add_member(project, second, Role.OWNER)
    made = projects_service.create_invitation(project=project, user=second, role=Role.OWNER)
    address = f"/invitations/{made.token}/"
    assert is_open(made)
    projects_service.change_role(membership=membership, role=Role.EDITOR, user=owner)
    assert not is_open(made)
    newcomer = make_user("Newcomer")
    assert sign_in(newcomer).post(address).status_code == 404
    Membership.objects.filter(pk=membership.pk).update(role=Role.OWNER)
    assert sign_in(newcomer).post(address).status_code == 404
    made = projects_service.create_invitation(project=project, user=second, role=Role.OWNER)
    assert is_open(made)
    User.objects.filter(pk=second.pk).update(is_active=False)
    assert sign_in(newcomer).post(f"/invitations/{made.token}/").status_code == 409
    assert not Membership.objects.filter(user=newcomer).exists()
