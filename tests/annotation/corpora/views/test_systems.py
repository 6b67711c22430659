"""The systems, and what each of them wrote."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import System
from annotation.corpora.projects.models import Project
from tests import factories
from tests.annotation.conftest import sign_in
from tests.annotation.corpora.pages import page_of

SYSTEMS = "/p/study/systems/"


@pytest.fixture
def texts(project: Project, tmp_path: Path) -> Project:
    lines = [
        factories.example("e1", summaries={"lead": "One two three.", "soup": ""}),
        factories.example("e2", summaries={"lead": "Four."}),
    ]
    factories.import_corpus(project, factories.write_jsonl(tmp_path / "texts.jsonl", lines))
    return project


def address(name: str) -> str:
    return f"{SYSTEMS}{System.objects.get(name=name).pk}/"


def test_it_says_when_there_are_none(project: Project, as_owner: Client, as_viewer: Client):
    assert "/p/study/imports/new/" in page_of(as_owner.get(SYSTEMS)).links
    page = page_of(as_viewer.get(SYSTEMS))
    assert "No systems yet" in page.text
    assert "/p/study/imports/new/" not in page.links


def test_it_lists_systems_with_their_share(texts: Project, as_viewer: Client):
    page = page_of(as_viewer.get(SYSTEMS))
    assert {address("lead"), address("soup")} <= set(page.links)
    assert "all" in page.words
    assert "50 %" in page.words


def test_it_shows_what_a_system_wrote(texts: Project, as_viewer: Client):
    page = page_of(as_viewer.get(address("lead")))
    assert "One two three." in page.text
    assert "Four." in page.text
    page = page_of(as_viewer.get(address("soup")))
    assert "empty summary" in page.text
    assert "Examples without one 1" in page.text
    assert "Empty 1" in page.text


def test_it_shows_the_nearest_page(corpus: Project, as_viewer: Client):
    assert "e3" in page_of(as_viewer.get(address("lead"), {"page": "99"})).text


@pytest.mark.parametrize("who, has_form", [("owner", 1), ("editor", 1), ("annotator", 0)])
def test_it_offers_editors_to_correct_it(
    who: str, has_form: int, texts: Project, request: pytest.FixtureRequest
):
    page = page_of(sign_in(request.getfixturevalue(who)).get(address("lead")))
    assert ("name" in page.values) is bool(has_form)


def test_it_corrects_name_and_kind(texts: Project, editor: User):
    here, client = address("lead"), sign_in(editor)
    response = client.post(here, {"name": "lead-3", "kind": "extractive"})
    assert (response.status_code, response["Location"]) == (302, here)
    page = page_of(client.get(here))
    assert "lead-3" in page.text
    assert "Extractive" in page.text


@pytest.mark.parametrize(
    "sent, message",
    [
        ({}, "This field is required."),
        ({"name": "", "kind": "other"}, "This field is required."),
        ({"name": "x" * 201, "kind": "other"}, "at most 200"),
        ({"name": "lead", "kind": "robot"}, "Select a valid choice."),
        ({"name": "soup", "kind": "other"}, "This project already has a system called 'soup'."),
    ],
)
def test_it_says_what_is_wrong(
    sent: dict[str, str], message: str, texts: Project, as_owner: Client
):
    page = page_of(as_owner.post(address("lead"), sent), 422)
    assert message in page.text
    assert "lead · A study" in page.text


def test_it_shows_no_system_of_another_project(texts: Project, as_outsider: Client, outsider: User):
    factories.make_project(outsider, "theirs")
    there = address("lead").replace("/study/", "/theirs/")
    page_of(as_outsider.get(there), 404)
    assert as_outsider.post(there, {"name": "x", "kind": "other"}).status_code == 404
