"""Jobs: what runs, how far it is, what it said."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.models import JobLine, JobState
from annotation.corpora.projects.models import Project
from tests import factories
from tests.annotation.conftest import sign_in
from tests.annotation.corpora.pages import page_of
from tests.annotation.corpora.places import make_job

JOBS = "/p/study/jobs/"


def test_it_says_when_there_are_none(project: Project, as_viewer: Client):
    page = page_of(as_viewer.get(JOBS))
    assert "Jobs" in page.text
    assert [link for link in page.links if link.startswith(JOBS) and link != JOBS] == []


def test_it_lists_jobs(corpus: Project, as_viewer: Client):
    job = make_job(corpus, title="Count the dams", state=JobState.RUNNING, done=1, total=4)
    page = page_of(as_viewer.get(JOBS))
    assert f"{JOBS}{job.pk}/" in page.links
    assert "Count the dams" in page.text
    assert "25 %" in page.text
    assert 'hx-trigger="every 2s"' in page.html


def test_it_does_not_look_again_when_all_is_over(corpus: Project, as_viewer: Client):
    assert "hx-trigger" not in page_of(as_viewer.get(JOBS)).html


@pytest.mark.parametrize(
    "fields, words, verbs",
    [
        ({"state": "queued"}, "Waiting for a worker", {"cancel"}),
        ({"state": "running", "phase": "Reading"}, "Reading", {"cancel"}),
        ({"state": "running", "done": 1, "total": 3}, "33 %", {"cancel"}),
        ({"state": "running", "cancel_requested": True}, "stopping after this step", set()),
        ({"state": "queued", "kind": "remove_import"}, "Waiting for a worker", set()),
        ({"state": "done"}, "Finished", set()),
        ({"state": "failed", "error": "The disk is full."}, "The disk is full.", {"retry"}),
        ({"state": "cancelled"}, "Stopped before it was finished", set()),
    ],
)
def test_it_shows_every_state(
    fields: dict[str, Any],
    words: str,
    verbs: set[str],
    project: Project,
    editor: User,
    as_viewer: Client,
):
    job = make_job(project, **fields)
    here = f"{JOBS}{job.pk}/"
    page = page_of(sign_in(editor).get(here))
    assert words in page.text
    assert job.get_state_display() in page.text
    assert {f"{here}{verb}/" for verb in verbs} == {a for a in page.actions if a.startswith(JOBS)}
    assert not [a for a in page_of(as_viewer.get(here)).actions if a.startswith(JOBS)]
    assert ("hx-trigger" in page.html) is not job.is_over


def test_it_says_how_long_it_takes(project: Project, as_viewer: Client):
    begun = timezone.now() - timedelta(seconds=60)
    job = make_job(project, state=JobState.RUNNING, done=1, total=2, pace_from=begun)
    assert "about 60 s left" in page_of(as_viewer.get(f"{JOBS}{job.pk}/")).text


def test_it_shows_the_log(project: Project, as_viewer: Client):
    job = make_job(project)
    for number in (1, 2):
        JobLine.objects.create(job=job, text=f"Line {number}.")
    text = page_of(as_viewer.get(f"{JOBS}{job.pk}/")).text
    assert text.index("Line 1.") < text.index("Line 2.")


def test_it_leads_to_what_it_is_about(corpus: Project, as_viewer: Client):
    import_ = corpus.imports.get()
    assert import_.job is not None
    page = page_of(as_viewer.get(f"{JOBS}{import_.job.pk}/"))
    assert f"/p/study/imports/{import_.pk}/" in page.links


def test_it_cancels(project: Project, as_owner: Client):
    job = make_job(project, state=JobState.RUNNING)
    here = f"{JOBS}{job.pk}/"
    response = as_owner.post(f"{here}cancel/")
    assert (response.status_code, response["Location"]) == (302, here)
    job.refresh_from_db()
    assert job.cancel_requested


def test_it_tries_again(project: Project, as_owner: Client):
    job = make_job(project, state=JobState.FAILED, error="The disk is full.")
    here = f"{JOBS}{job.pk}/"
    response = as_owner.post(f"{here}retry/")
    assert (response.status_code, response["Location"]) == (302, here)
    job.refresh_from_db()
    assert (job.state, job.error) == (JobState.QUEUED, "")


@pytest.mark.parametrize("verb, state", [("cancel", "done"), ("retry", "running")])
def test_it_says_what_cannot_be_done(verb: str, state: str, project: Project, as_owner: Client):
    job = make_job(project, state=state)
    page_of(as_owner.post(f"{JOBS}{job.pk}/{verb}/"), 409)


def test_it_shows_no_job_of_another_project(project: Project, as_outsider: Client, outsider: User):
    factories.make_project(outsider, "theirs")
    job = make_job(project, state=JobState.FAILED)
    assert as_outsider.get(f"/p/theirs/jobs/{job.pk}/").status_code == 404
    for verb in ("cancel", "retry"):
        assert as_outsider.post(f"/p/theirs/jobs/{job.pk}/{verb}/").status_code == 404
