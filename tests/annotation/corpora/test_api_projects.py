"""REST: projects, members, invitations."""

from __future__ import annotations

from django.test import Client

from annotation.corpora.accounts.models import KeyScope, User
from annotation.corpora.projects.models import Invitation, Membership, Project, Role
from tests import factories
from tests.annotation.corpora.rest import Rest, error_of


def test_it_makes_a_project_whose_owner_you_are(owner: User):
    made = Rest(owner).post("/projects/", {"name": "Dams", "slug": "Dams-26"})
    assert made.status_code == 201
    told = made.json()
    assert (told["slug"], told["role"], told["description"]) == ("dams-26", "owner", "")
    assert Membership.objects.get(project__slug="dams-26").user == owner


def test_it_lists_your_projects_only(project: Project, owner: User, outsider: User):
    factories.make_project(outsider, "theirs", "Theirs")
    told = Rest(owner).get("/projects/").json()
    assert [(row["slug"], row["role"]) for row in told["results"]] == [("study", "owner")]


def test_it_changes_what_is_named_and_nothing_else(project: Project, owner: User):
    rest = Rest(owner)
    changed = rest("PATCH", "/projects/study/", {"description": "About dams."}).json()
    assert (changed["name"], changed["description"]) == ("A study", "About dams.")
    changed = rest("PATCH", "/projects/study/", {"name": "Dams", "slug": "other"}).json()
    assert (changed["slug"], changed["name"]) == ("study", "Dams")
    assert changed["description"] == "About dams."


def test_it_deletes_a_project_with_all_in_it(corpus: Project, owner: User):
    rest = Rest(owner)
    assert rest("DELETE", "/projects/study/").status_code == 204
    assert not Project.objects.exists()
    assert error_of(rest.get("/projects/study/")) == (404, "not_found")


def test_it_lists_members_by_rank(project: Project, owner: User, viewer: User, editor: User):
    rows = Rest(viewer).get("/projects/study/members/").json()["results"]
    assert [(row["user"]["name"], row["role"]) for row in rows] == [
        ("Owner", "owner"),
        ("Editor", "editor"),
        ("Viewer", "viewer"),
    ]


def test_it_changes_a_role(project: Project, owner: User, viewer: User):
    pk = Membership.objects.get(user=viewer).pk
    rest = Rest(owner)
    changed = rest("PATCH", f"/projects/study/members/{pk}/", {"role": "editor"})
    assert changed.json()["role"] == "editor"
    assert rest("PATCH", f"/projects/study/members/{pk}/", {}).json()["role"] == "editor"
    wrong = rest("PATCH", f"/projects/study/members/{pk}/", {"role": "king"})
    assert error_of(wrong) == (400, "invalid")


def test_it_keeps_an_owner(project: Project, owner: User):
    pk = Membership.objects.get(user=owner).pk
    rest = Rest(owner)
    for method, data in (("DELETE", None), ("PATCH", {"role": "viewer"})):
        response = rest(method, f"/projects/study/members/{pk}/", data)
        assert error_of(response) == (409, "conflict")
    assert Membership.objects.get().role == Role.OWNER


def test_it_removes_a_member(project: Project, owner: User, viewer: User):
    pk = Membership.objects.get(user=viewer).pk
    theirs = Rest(viewer)
    assert theirs.get("/projects/study/").status_code == 200
    assert Rest(owner)("DELETE", f"/projects/study/members/{pk}/").status_code == 204
    assert theirs.get("/projects/study/").status_code == 404


def test_it_leaves_members_of_other_projects_alone(project: Project, owner: User, outsider: User):
    factories.make_project(outsider, "theirs")
    pk = Membership.objects.get(user=outsider).pk
    response = Rest(owner)("DELETE", f"/projects/study/members/{pk}/")
    assert error_of(response) == (404, "not_found")


def test_it_makes_a_link_that_opens(project: Project, owner: User):
    rest = Rest(owner)
    made = rest.post("/projects/study/invitations/", {"role": "editor", "note": "For a friend"})
    assert made.status_code == 201
    assert made.json()["link"].startswith("http://testserver/invitations/")
    assert b"A study" in Client().get(made.json()["link"]).content
    assert rest.get("/projects/study/invitations/").json()["results"] == [made.json()]


def test_it_withdraws_a_link(project: Project, owner: User):
    rest = Rest(owner)
    made = rest.post("/projects/study/invitations/", {"role": "viewer"}).json()
    assert rest("DELETE", f"/projects/study/invitations/{made['id']}/").status_code == 204
    assert Client().get(made["link"]).status_code == 404
    assert not Invitation.objects.exists()


def test_somebody_joins_by_an_invitation(project: Project, owner: User) -> None:
    made = Rest(owner).post(f"/projects/{project.slug}/invitations/", {"role": "annotator"})
    token = made.json()["link"].rstrip("/").rpartition("/")[2]
    rest = Rest(factories.make_user("Newcomer"))
    assert error_of(rest.post("/invitations/no:token/accept/"))[0] == 404
    joined = rest.post(f"/invitations/{token}/accept/")
    assert (joined.status_code, joined.json()["role"]) == (201, "annotator")
    assert rest.get(f"/projects/{project.slug}/").status_code == 200
    assert error_of(rest.post(f"/invitations/{token}/accept/"))[0] == 409
    reads = Rest(factories.make_user("Reader"), KeyScope.PUBLISH)
    assert error_of(reads.post(f"/invitations/{token}/accept/"))[0] == 403
