"""REST: an import from its files to its end, and jobs."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Example
from annotation.corpora.jobs import service as jobs_service
from annotation.corpora.jobs.models import Job, JobLine, JobState
from annotation.corpora.projects.models import Project
from tests.annotation.corpora.places import make_job
from tests.annotation.corpora.rest import Rest, error_of, jsonl

IMPORTS = "/projects/study/imports/"
JOBS = "/projects/study/jobs/"


def run(told: dict[str, Any]) -> None:
    """Do what a worker does with the job that a call told of."""
    assert jobs_service.run_job(job_id=told["id"])


def test_it_imports_and_takes_back(project: Project, owner: User):
    rest = Rest(owner)
    sent = rest.upload(IMPORTS, jsonl("e1", "e2"))
    assert (sent.status_code, sent.json()["state"]) == (202, "checking")
    here = f"{IMPORTS}{sent.json()['id']}/"
    assert error_of(rest.post(f"{here}write/")) == (409, "conflict")

    run(sent.json()["job"])
    checked = rest.get(here).json()
    assert (checked["state"], checked["format"]) == ("ready", "jsonl")
    assert checked["plan"]["counts"]["examples"] == {"new": 2, "same": 0}
    assert checked["plan"]["problems"] == []
    assert not Example.objects.exists()

    writing = rest.post(f"{here}write/")
    assert (writing.status_code, writing.json()["state"]) == (202, "queued")
    assert rest.get(here).json()["state"] == "writing"
    run(writing.json())
    assert rest.get(here).json()["state"] == "done"
    assert rest.get("/projects/study/").json()["example_count"] == 2
    assert error_of(rest("DELETE", here)) == (409, "conflict")

    removing = rest.post(f"{here}undo/")
    assert removing.status_code == 202
    assert rest.get("/projects/study/examples/").json()["count"] == 0
    run(removing.json())
    assert rest.get(here).json()["state"] == "dropped"
    assert rest.get("/projects/study/").json()["example_count"] == 0
    assert not Example.objects.exists()


def test_it_tells_what_is_wrong_with_the_files(project: Project, owner: User):
    rest = Rest(owner)
    sent = rest.upload(IMPORTS, SimpleUploadedFile("bad.jsonl", b'{"type": "example"}\n{'))
    run(sent.json()["job"])
    told = rest.get(f"{IMPORTS}{sent.json()['id']}/").json()
    assert told["state"] == "refused"
    assert told["plan"]["problem_count"] == len(told["plan"]["problems"]) > 0
    first = told["plan"]["problems"][0]
    assert (first["file"], first["line"]) == ("bad.jsonl", 1)
    assert first["message"]
    assert first["expected"]


def test_it_drops_what_was_not_written(project: Project, owner: User):
    rest = Rest(owner)
    here = f"{IMPORTS}{rest.upload(IMPORTS, jsonl('e1')).json()['id']}/"
    assert rest("DELETE", here).status_code == 204
    assert rest.get(here).json()["state"] == "dropped"
    assert error_of(rest("DELETE", here)) == (409, "conflict")


@pytest.mark.parametrize(
    "files, fields, status",
    [
        ([], {}, 400),
        ([], {"files": "e1"}, 400),
        ([jsonl("e1")], {"format": "pdf"}, 400),
        ([SimpleUploadedFile("ü" * 200, b"x")], {}, 400),
        ([jsonl("e1"), jsonl("e2")], {}, 409),
        ([jsonl("e1", name="a"), jsonl("e2", name="b")], {}, 202),
        ([SimpleUploadedFile("empty.txt", b"")], {}, 202),
        ([SimpleUploadedFile("a" * 255, b"x")], {"format": "csv"}, 202),
    ],
    ids=["none", "a text", "unknown", "long name", "twice", "two", "empty", "longest name"],
)
def test_it_takes_files(
    files: list[SimpleUploadedFile],
    fields: dict[str, str],
    status: int,
    project: Project,
    owner: User,
):
    for file in files:
        file.seek(0)
    assert Rest(owner).client.post(f"/api/v1{IMPORTS}", {"files": files, **fields}).status_code == (
        status
    )


def test_it_lists_imports_newest_first(project: Project, owner: User):
    rest = Rest(owner)
    ids = [rest.upload(IMPORTS, jsonl("e1")).json()["id"] for _ in range(3)]
    assert [row["id"] for row in rest.get(IMPORTS).json()["results"]] == ids[::-1]


def test_it_tells_how_far_a_job_is(project: Project, owner: User):
    job = make_job(project, state=JobState.RUNNING, done=1, total=4, phase="Reading")
    JobLine.objects.create(job=job, text="Resumed, attempt 2.")
    rest = Rest(owner)
    told = rest.get(f"{JOBS}{job.pk}/").json()
    assert (told["state"], told["share"], told["phase"]) == ("running", 0.25, "Reading")
    assert [line["text"] for line in told["lines"]] == ["Resumed, attempt 2."]
    assert [row["id"] for row in rest.get(JOBS).json()["results"]] == [job.pk]


def test_it_cancels_a_job(project: Project, owner: User):
    rest = Rest(owner)
    sent = rest.upload(IMPORTS, jsonl("e1")).json()
    here = f"{JOBS}{sent['job']['id']}/cancel/"
    stopped = rest.post(here)
    assert (stopped.status_code, stopped.json()["state"]) == (202, "cancelled")
    assert rest.get(f"{IMPORTS}{sent['id']}/").json()["state"] == "dropped"
    assert error_of(rest.post(here)) == (409, "conflict")


def test_it_tries_a_failed_job_again(project: Project, owner: User):
    job = make_job(project, state=JobState.FAILED, error="The disk is full.", attempts=3)
    rest = Rest(owner)
    again = rest.post(f"{JOBS}{job.pk}/retry/").json()
    assert (again["state"], again["error"], again["attempts"]) == ("queued", "", 0)
    assert error_of(rest.post(f"{JOBS}{job.pk}/retry/")) == (409, "conflict")
    assert Job.objects.count() == 1
