"""A project's settings and its deletion."""

from __future__ import annotations

import pytest
from django.test import Client

from annotation.corpora.corpus.models import Example, Summary
from annotation.corpora.imports.models import Import, ImportState
from annotation.corpora.jobs.models import Job
from annotation.corpora.projects.models import Project
from tests.annotation.corpora.pages import page_of

SETTINGS = "/p/study/settings/"
DELETE = "/p/study/delete/"


def test_it_renames(project: Project, as_owner: Client):
    assert page_of(as_owner.get(SETTINGS)).values["name"] == "A study"
    response = as_owner.post(SETTINGS, {"name": "Dams", "description": "All of them."})
    assert (response.status_code, response["Location"]) == (302, SETTINGS)
    page = page_of(as_owner.get(SETTINGS))
    assert page.values["name"] == "Dams"
    assert "Saved." in page.text


@pytest.mark.parametrize("sent", [{}, {"name": ""}, {"name": "x" * 121}])
def test_it_refuses_a_wrong_name(sent: dict[str, str], project: Project, as_owner: Client):
    page_of(as_owner.post(SETTINGS, sent), 422)
    project.refresh_from_db()
    assert project.name == "A study"


@pytest.mark.parametrize("typed", ["", "A study", "Study", " study"])
def test_it_deletes_only_when_the_address_is_typed(typed: str, corpus: Project, as_owner: Client):
    page = page_of(as_owner.post(DELETE, {"confirm": typed}), 400)
    assert "The project was not deleted" in page.text
    assert Project.objects.exists()


def test_it_deletes_everything(corpus: Project, as_owner: Client):
    response = as_owner.post(DELETE, {"confirm": "study"})
    assert (response.status_code, response["Location"]) == (302, "/")
    assert "A study was deleted." in page_of(as_owner.get("/")).text
    for model in (Project, Example, Summary, Import, Job):
        assert not model.objects.exists(), model
    assert as_owner.get("/p/study/").status_code == 404


def test_it_does_not_delete_under_an_import(corpus: Project, as_owner: Client):
    corpus.imports.update(state=ImportState.WRITING)
    page = page_of(as_owner.post(DELETE, {"confirm": "study"}), 409)
    assert "An import to this project is in progress." in page.text
    assert Project.objects.exists()
