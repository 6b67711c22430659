"""The list of projects, and making one."""

from __future__ import annotations

import pytest
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Membership, Project, Role
from tests import factories
from tests.annotation.conftest import sign_in
from tests.annotation.corpora.pages import page_of


def test_it_offers_a_first_project(as_outsider: Client):
    page = page_of(as_outsider.get("/"))
    assert "No projects yet" in page.text
    assert "/projects/new/" in page.links


def test_it_lists_ones_own_projects(corpus: Project, viewer: User, outsider: User):
    factories.make_project(outsider, "theirs", "Theirs")
    page = page_of(sign_in(viewer).get("/"))
    assert "A study" in page.text
    assert "Viewer" in page.words
    assert "/p/study/" in page.links
    assert "Theirs" not in page.text
    assert [word for word in page.words if word.isdigit()] == ["3", "2", "6"]


def test_it_makes_a_project(as_owner: Client, owner: User):
    page_of(as_owner.get("/projects/new/"))
    sent = {"name": "Dams", "slug": "Dams-26", "description": "About dams."}
    response = as_owner.post("/projects/new/", sent)
    assert (response.status_code, response["Location"]) == (302, "/p/dams-26/")
    membership = Membership.objects.get(project__slug="dams-26")
    assert (membership.user, membership.role) == (owner, Role.OWNER)


@pytest.mark.parametrize(
    "change, message",
    [
        ({"name": ""}, "This field is required."),
        ({"name": " "}, "This field is required."),
        ({"name": "x" * 121}, "at most 120 characters"),
        ({"slug": "a b"}, "valid “slug”"),
        ({"slug": "New"}, "This address is reserved"),
        ({"slug": "STUDY"}, "The address 'study' is taken."),
        ({"slug": "x" * 65}, "at most 64 characters"),
        ({"description": "x" * 2001}, "at most 2000 characters"),
    ],
)
def test_it_says_what_is_wrong(
    change: dict[str, str], message: str, project: Project, as_outsider: Client
):
    sent = {"name": "Dams", "slug": "dams", **change}
    page = page_of(as_outsider.post("/projects/new/", sent), 422)
    assert message in page.text
    assert Project.objects.count() == 1


def test_it_says_what_is_wrong_with_an_empty_form(as_owner: Client):
    assert "This field is required." in page_of(as_owner.post("/projects/new/"), 422).text
