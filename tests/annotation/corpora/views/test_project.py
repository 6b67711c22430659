"""The overview of a project: where it stands, what comes next, what happened."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.projects.models import Project
from tests import factories
from tests.annotation.conftest import sign_in
from tests.annotation.corpora.pages import page_of
from tests.annotation.corpora.places import make_job

HERE = "/p/study/"


@pytest.mark.parametrize(
    "who, step, link",
    [
        ("owner", "Import a corpus", "/p/study/imports/new/"),
        ("editor", "Import a corpus", "/p/study/imports/new/"),
        ("annotator", "Show members", "/p/study/members/"),
        ("viewer", "Show members", "/p/study/members/"),
    ],
)
def test_it_begins_with_a_corpus(
    who: str, step: str, link: str, project: Project, request: pytest.FixtureRequest
):
    page = page_of(sign_in(request.getfixturevalue(who)).get(HERE))
    assert step in page.text
    assert link in page.links
    assert f"Your role: {who}" in page.text


def test_it_leads_on(corpus: Project, as_owner: Client, as_viewer: Client, tmp_path: Path):
    page = page_of(as_owner.get(HERE))
    assert "Create content units" in page.text
    assert "/p/study/units/" in page.links
    assert "Open examples" in page_of(as_viewer.get(HERE)).text
    path = factories.write_jsonl(tmp_path / "next.jsonl", [factories.example("e8")])
    ready = factories.check(corpus, path)
    page = page_of(as_owner.get(HERE))
    assert "next.jsonl is ready" in page.text
    assert f"/p/study/imports/{ready.pk}/" in page.links


@pytest.mark.parametrize("who, step", [("annotator", "Open studio"), ("viewer", "Open examples")])
def test_it_leads_writers_to_the_studio(
    who: str, step: str, corpus: Project, owner: User, request: pytest.FixtureRequest
):
    unit_set = factories.make_set(corpus, owner)
    page = page_of(sign_in(request.getfixturevalue(who)).get(HERE))
    assert step in page.text
    assert (f"/p/study/units/{unit_set.pk}/next/" in page.links) is (who == "annotator")


def test_it_shows_counts_and_activity(corpus: Project, as_viewer: Client):
    page = page_of(as_viewer.get(HERE))
    assert "3 examples" in page.text
    assert "6 summaries by 2 systems" in page.text
    assert "imported 3 examples and 6 summaries from corpus.jsonl" in page.text
    assert "Owner created the project" in page.text


def test_it_shows_jobs_that_run(corpus: Project, as_viewer: Client):
    make_job(corpus, title="Count the dams", state=JobState.RUNNING, done=1, total=4)
    make_job(corpus, title="Long over", state=JobState.DONE)
    page = page_of(as_viewer.get(HERE))
    assert "Count the dams" in page.text
    assert "25 %" in page.text
    assert "Long over" not in page.text


def test_it_counts_what_is_there_once_nothing_runs(
    corpus: Project, as_viewer: Client, monkeypatch: pytest.MonkeyPatch
):
    """A job ends after the project was read and before the jobs are: nothing looks again."""

    def end_meanwhile(project: Project) -> list[Job]:
        Project.objects.filter(pk=project.pk).update(example_count=8012)
        return []

    path = "annotation.corpora.projects.queries.list_active_jobs"
    monkeypatch.setattr(path, end_meanwhile)
    answer = as_viewer.get(f"/p/{corpus.slug}/", headers={"HX-Request": "true"})
    assert "8,012" in answer.content.decode()


@pytest.mark.parametrize("who, sees_settings", [("owner", True), ("editor", False)])
def test_it_leads_everybody_to_what_they_may_do(
    who: str, sees_settings: bool, corpus: Project, request: pytest.FixtureRequest
):
    page = page_of(sign_in(request.getfixturevalue(who)).get(HERE))
    assert ("/p/study/settings/" in page.links) is sees_settings
    assert "/p/study/imports/new/" in page.links


def test_it_offers_readers_no_import(corpus: Project, as_viewer: Client):
    assert "/p/study/imports/new/" not in page_of(as_viewer.get(HERE)).links


def test_it_tells_an_outsider_nothing(corpus: Project, as_outsider: Client, outsider: User):
    there, absent = as_outsider.get(HERE), as_outsider.get("/p/other/")
    assert page_of(there, 404).text == page_of(absent, 404).text.replace("other", "study")
    assert "A study" not in page_of(there, 404).text
