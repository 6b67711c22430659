"""No page and no call asks the database more often because a project holds more."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.corpora.accounts import service as accounts_service
from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Example, System
from annotation.corpora.imports.models import Import
from annotation.corpora.jobs.models import Job, JobLine
from annotation.corpora.projects import service as projects_service
from annotation.corpora.projects.models import Project, Role
from tests import factories
from tests.annotation.corpora.places import make_job, tell
from tests.annotation.corpora.rest import Rest

Ask = Callable[[str], int]

# For each page, the most queries that it may ask: sign-in, membership and the bell included.
PAGES = {
    "/": 5,
    "/p/study/": 32,
    "/p/study/members/": 8,
    "/p/study/examples/": 11,
    "/p/study/examples/?q=dam&where=summary&missing=references": 11,
    "/p/study/examples/?missing=summaries": 11,
    "/p/study/examples/{example}/": 15,
    "/p/study/examples/{example}/?sentence=1&order=coverage": 15,
    "/p/study/systems/": 6,
    "/p/study/systems/{system}/": 10,
    "/p/study/imports/": 7,
    "/p/study/imports/{import}/": 6,
    "/p/study/jobs/": 6,
    "/p/study/jobs/{job}/": 8,
    "/p/study/export/": 25,
    "/p/study/activity/": 14,
    "/p/study/activity/?q=import&verb=import": 10,
    "/notifications/": 7,
}
CALLS = {
    "/projects/": 4,
    "/projects/study/": 4,
    "/projects/study/members/": 5,
    "/projects/study/invitations/": 5,
    "/projects/study/examples/": 5,
    "/projects/study/examples/?q=dam&where=summary": 5,
    "/projects/study/examples/{example}/": 8,
    "/projects/study/systems/": 5,
    "/projects/study/systems/{system}/summaries/": 6,
    "/projects/study/imports/": 5,
    "/projects/study/imports/{import}/": 4,
    "/projects/study/jobs/": 5,
    "/projects/study/jobs/{job}/": 5,
    "/projects/study/activity/": 4,
    "/notifications/": 4,
    "/tokens/": 4,
}


def fill(project: Project, owner: User, folder: Path, numbers: range) -> None:
    """One of everything that a page can list, for every number."""
    names = [f"system{number}" for number in numbers]
    lines = [
        factories.example(
            f"e{number}",
            documents=["A dam."] * 3,
            references=["The dam burst. Nobody was hurt."] * 2,
            summaries=dict.fromkeys(names, "A dam."),
        )
        for number in numbers
    ]
    lines.append(factories.example(f"gap{numbers[0]}", references=[], summaries={"dam": "A dam."}))
    factories.import_corpus(
        project, factories.write_jsonl(folder / f"from-{numbers[0]}.jsonl", lines)
    )
    for number in numbers:
        member = factories.make_user(f"member{number}")
        factories.add_member(project, member, Role.EDITOR)
        job = make_job(project, created_by=member)
        JobLine.objects.create(job=job, text="A line.")
        Import.objects.create(project=project, name="more", job=job, created_by=member)
        projects_service.create_invitation(project=project, user=owner, role=Role.VIEWER)
        accounts_service.create_token(user=owner, name="more")
        factories.make_project(owner, f"other{number}")
        tell(owner, project, f"news {number}")


def address(path: str) -> str:
    return path.format_map(
        {
            "example": Example.objects.order_by("position")[1].pk,
            "system": System.objects.all()[0].pk,
            "import": Import.objects.filter(state="done")[0].pk,
            "job": Job.objects.filter(title="Check it")[0].pk,
        }
    )


def asker(client: Client) -> Ask:
    def ask(path: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            response = client.get(path)
        assert response.status_code == 200
        return len(queries)

    return ask


def counted(client: Client, paths: list[str]) -> dict[str, int]:
    ask = asker(client)
    # The first request of a session does more than the others.
    ask(paths[0])
    return {path: ask(address(path)) for path in paths}


def test_it_asks_the_same_of_a_large_project(
    project: Project, owner: User, as_owner: Client, tmp_path: Path
):
    """With three of everything, and then with twelve."""
    calls = {f"/api/v1{path}": most for path, most in CALLS.items()}
    most = PAGES | calls
    rest = Rest(owner).client
    found = []
    for numbers in (range(3), range(3, 12)):
        fill(project, owner, tmp_path, numbers)
        found.append(counted(as_owner, list(PAGES)) | counted(rest, list(calls)))
    few, many = found
    print("\n".join(f"{number:3}  {path}" for path, number in many.items()))
    assert many == few
    assert {path: number for path, number in many.items() if number > most[path]} == {}
