"""Every text of other people's making is shown as text, on every page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.corpora.accounts import service as accounts_service
from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Activity, Verb
from annotation.corpora.imports.models import Import
from annotation.corpora.jobs import service as jobs_service
from annotation.corpora.jobs.models import Job, JobLine, JobState
from annotation.corpora.notifications.models import Notification
from annotation.corpora.projects import service as projects_service
from annotation.corpora.projects.models import Project, Role
from tests import factories
from tests.annotation.corpora.pages import HOSTILE, page_of
from tests.annotation.corpora.places import make_job, tell
from tests.annotation.corpora.test_permissions import TABLE, addresses

# Pages on which nothing of anybody's making is shown.
OURS_ALONE = {
    *("corpora:glossary", "corpora:create_project", "api_docs"),
    *(
        "corpora:forgot_password",
        "corpora:reset_sent",
        "corpora:new_password",
        "corpora:second_factor",
    ),
}
NOT_PAGES = {
    *(
        "healthz",
        "live",
        "ready",
        "js_messages",
        "api_schema",
        "corpora:download",
        "corpora:download_activity",
        "corpora:bell",
    ),
}


@pytest.fixture
def hostile(project: Project, owner: User, tmp_path: Path) -> Project:
    """A project in which every text that people may choose is an attack."""
    User.objects.update(name=HOSTILE)
    Project.objects.update(name=HOSTILE, description=HOSTILE)
    line = factories.example(
        f"{HOSTILE}1",
        documents=[HOSTILE, f"a\n{HOSTILE}"],
        references=[f"{HOSTILE} was here.", {"name": HOSTILE, "text": HOSTILE}],
        summaries={HOSTILE: f"{HOSTILE} was here.", "lead": ""},
    )
    factories.import_corpus(project, factories.write_jsonl(tmp_path / "h.jsonl", [line]))
    Import.objects.update(name=HOSTILE)
    Activity.objects.create(
        project=project, actor=owner, verb=Verb.CHANGE, label=HOSTILE, text=HOSTILE
    )
    projects_service.create_invitation(project=project, user=owner, role=Role.VIEWER, note=HOSTILE)
    accounts_service.create_token(user=owner, name=HOSTILE)
    tell(owner, project)
    Notification.objects.update(text=HOSTILE)
    return project


@pytest.fixture
def job(hostile: Project, owner: User) -> Job:
    job = make_job(
        hostile,
        title=HOSTILE,
        phase=HOSTILE,
        error=HOSTILE,
        state=JobState.RUNNING,
        created_by=owner,
    )
    JobLine.objects.create(job=job, text=HOSTILE)
    return job


def address(name: str, project: Project, job: Job) -> str:
    values = {
        "slug": project.slug,
        "uidb64": "MQ",
        "token": project.invitations.get().token,
        "pk": {
            "corpora:example": project.examples.get().pk,
            "corpora:system": project.systems.get(name=HOSTILE).pk,
            "corpora:import": project.imports.get().pk,
            "corpora:job": job.pk,
        }.get(name),
    }
    return reverse(name, kwargs={taken: values[taken] for taken in addresses()[name]})


# REST answers with JSON, and later apps see to their own pages.
OTHERS = ("api:", "units:", "units_api:", "crowd:", "crowd_api:", "evaluation:", "evaluation_api:")


def pages() -> list[str]:
    """Every address that the owner reads as a page."""
    return sorted(
        name
        for name, row in TABLE.items()
        if row["GET"]["owner"] == 200 and not name.startswith(OTHERS) and name not in NOT_PAGES
    )


@pytest.mark.parametrize("name", pages())
def test_it_escapes_what_people_wrote(name: str, hostile: Project, job: Job, as_owner: Client):
    page = page_of(as_owner.get(address(name, hostile, job)))
    assert (HOSTILE in page.text) is (name not in OURS_ALONE)


def test_it_escapes_what_is_searched_for(hostile: Project, as_owner: Client):
    for headers in ({}, {"HX-Request": "true"}):
        for q in (HOSTILE, f"no {HOSTILE}"):
            page = page_of(as_owner.get("/p/study/examples/", {"q": q}, headers=headers))
            assert HOSTILE in page.text


def test_it_escapes_what_is_focused(hostile: Project, as_owner: Client):
    here = f"/p/study/examples/{hostile.examples.get().pk}/"
    for query in ({"sentence": "1"}, {"reference": HOSTILE}, {"order": HOSTILE}):
        assert HOSTILE in page_of(as_owner.get(here, query)).text


def test_it_escapes_what_a_stranger_typed(db: None):
    page = page_of(
        Client().post("/sign-in/", {"username": HOSTILE, "password": HOSTILE, "next": HOSTILE}), 422
    )
    assert (page.values["username"], page.values["next"]) == (HOSTILE, HOSTILE)
    assert page.values["password"] == ""


def refused(client: Client, name: str, data: bytes) -> Any:
    client.post("/p/study/imports/new/", {"files": SimpleUploadedFile(name, data)})
    import_ = Import.objects.latest("pk")
    assert import_.job is not None
    jobs_service.run_job(job_id=import_.job.pk)
    return page_of(client.get(f"/p/study/imports/{import_.pk}/"))


def test_it_escapes_the_names_and_the_problems_of_files(hostile: Project, as_owner: Client):
    name = "<img src=x onerror=alert(1)>.jsonl"
    line = f'{{"type": "{HOSTILE}"}}'.encode()
    page = refused(as_owner, name, line)
    assert name in page.text
    assert HOSTILE in page.text


def test_it_escapes_an_invitation(hostile: Project):
    page = page_of(Client().get(f"/invitations/{hostile.invitations.get().token}/"))
    assert f"Join {HOSTILE}" in page.text


def test_it_escapes_messages(hostile: Project, as_owner: Client):
    as_owner.post("/p/study/delete/", {"confirm": "study"})
    assert f"{HOSTILE} was deleted." in page_of(as_owner.get("/")).text
