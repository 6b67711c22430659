"""The tutorial's story by REST alone: from files to a dataset that comes back."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.models import Job
from annotation.corpora.jobs.service import run_job
from annotation.corpora.projects.models import Project, Role
from tests import factories
from tests.annotation.corpora.rest import Rest
from tests.annotation.evaluation.storytelling import FACTS, WORKERS, answer_batch
from tests.browser.story_corpus import REFERENCES, SYSTEMS, pack_study

HERE = "/projects/story"


class Script:
    """Calls that must go through, and jobs that a worker does meanwhile."""

    def __init__(self, user: User) -> None:
        self.rest = Rest(user)

    def get(self, path: str) -> Any:
        return self._read(self.rest.get(path))

    def post(self, path: str, data: Any = None) -> Any:
        return self._read(self.rest.post(path, data))

    def upload(self, path: str, **fields: Any) -> Any:
        return self._read(self.rest.client.post(f"/api/v1{path}", fields))

    def download(self, path: str) -> bytes:
        answer = self.rest.get(path)
        assert answer.status_code == 200
        return b"".join(answer.streaming_content) if answer.streaming else bytes(answer.content)

    def _read(self, answer: Any) -> Any:
        assert answer.status_code in (200, 201, 202, 204), answer.content
        found = answer.json() if answer.content else None
        self._work()
        return found

    def _work(self) -> None:
        """What workers do between two calls."""
        while queued := Job.objects.filter(state="queued").first():
            run_job(job_id=queued.pk)
            queued.refresh_from_db()
            assert queued.state == "done", queued.error


@pytest.fixture
def script(owner: User) -> Script:
    return Script(owner)


def bring_in(script: Script) -> None:
    script.post("/projects/", {"name": "Story", "slug": "story"})
    packed = SimpleUploadedFile("study.zip", pack_study())
    made = script.upload(f"{HERE}/imports/", files=[packed])
    assert script.get(f"{HERE}/imports/{made['id']}/")["state"] == "ready"
    script.post(f"{HERE}/imports/{made['id']}/write/")
    assert script.get(f"{HERE}/")["example_count"] == len(REFERENCES)


def plan(script: Script, author: User) -> dict[str, Any]:
    stus = script.post(f"{HERE}/unit-sets/extract/", {"extractor": "srl"})
    asked = {"money": "20", "hours": 1, "stus": stus["id"], "rounds": 4}
    made = script.post(f"{HERE}/plans/", asked)
    found = script.get(f"{HERE}/plans/{made['id']}/")
    rows = [row for row in found["frontier"]["plans"] if row["written"]]
    key = max(rows, key=lambda row: row["people"])["key"]
    taken = {"key": key, "name": "Round one", "author": author.pk}
    found = script.post(f"{HERE}/plans/{made['id']}/apply/", taken)
    return {"set": found["unit_set"], "campaign": found["campaign"]}


def write(script: Script, ada: Script, ben: Script, unit_set: int) -> dict[str, Any]:
    """One fact of each example by Ada, read by Ben, frozen by the owner."""
    for row in script.get(f"{HERE}/examples/")["results"]:
        example = f"{HERE}/unit-sets/{unit_set}/examples/{row['id']}"
        change = {"action": "create", "text": FACTS[row["key"]], "spans": []}
        op = {"op": str(uuid.uuid4()), "action": "create", "changes": [change]}
        ada.post(f"{example}/ops/", op)
        ada.post(f"{example}/written/")
        ben.post(f"{example}/signed/")
    script.post(f"{HERE}/unit-sets/{unit_set}/plan/rest/")
    script.post(f"{HERE}/unit-sets/{unit_set}/review/")
    frozen: dict[str, Any] = script.post(f"{HERE}/unit-sets/{unit_set}/freeze/", {"reason": ""})
    return frozen


def collect(script: Script, unit_set: int, campaign: int) -> None:
    here = f"{HERE}/campaigns/{campaign}"
    settings = {"provider": "offline", "assignments_per_hit": len(WORKERS), "budget": "20.00"}
    script._read(script.rest("PATCH", f"{here}/", settings))
    script.post(f"{here}/preview/", {"seconds": 20, "statements": 4})
    assert script.get(f"{here}/cost/")["obstacles"] == []
    script.post(f"{here}/publish/")
    assert script.get(f"{here}/live/")["state"] == "live"
    results = answer_batch(script.download(f"{here}/batch/").decode()).encode()
    sent = {"unit_set": unit_set, "campaign": campaign}
    files = [SimpleUploadedFile("results.csv", results)]
    script.upload(f"{HERE}/campaigns/import/", files=files, **sent)
    wanted = len(REFERENCES) * len(SYSTEMS) * len(WORKERS)
    assert script.get(f"{here}/live/")["collected"] == wanted
    script.post(f"{here}/end/")


def settle(script: Script, unit_set: int) -> None:
    units = script.get(f"{HERE}/unit-sets/{unit_set}/units/")["results"]
    [system, *_] = script.get(f"{HERE}/systems/")["results"]
    [summary, *_] = script.get(f"{HERE}/systems/{system['id']}/summaries/")["results"]
    unit = next(row for row in units if row["example"] == summary["example"])
    word = {"summary": summary["id"], "unit": unit["id"], "present": True}
    script.post(f"{HERE}/adjudications/", word)


def test_it_tells_the_whole_story(owner: User, script: Script) -> None:
    bring_in(script)
    invitation = script.post(f"{HERE}/invitations/", {"role": "annotator", "note": "Ada"})
    assert "/invitations/" in invitation["link"]
    assert script.post(f"{HERE}/worker-invitations/", {"uses": 4})["uses_left"] == 4
    people = [factories.make_outsider(name) for name in ("Ada", "Ben")]
    for person in people:
        factories.add_member(Project.objects.get(slug="story"), person, Role.ANNOTATOR)
    drafts = plan(script, people[0])
    frozen = write(script, Script(people[0]), Script(people[1]), drafts["set"])
    assert (frozen["state"], len(frozen["content_hash"])) == ("frozen", 64)
    collect(script, drafts["set"], drafts["campaign"])

    recipe = {"recipe": {"filters": [{"name": "per-summary"}]}}
    preview = script.post(f"{HERE}/labels/preview/", recipe)
    kept = script.post(f"{HERE}/labels/", recipe)
    labels = script.get(f"{HERE}/labels/{kept['id']}/")
    assert labels["figures"]["counts"] == preview["counts"]
    settle(script, drafts["set"])

    run = script.post(f"{HERE}/runs/", {"unit_set": drafts["set"], "judge": "lexical"})
    assert script.get(f"{HERE}/runs/{run['id']}/")["is_ready"]
    script.post(f"{HERE}/score-sets/", {"metric": "rouge"})
    sources = script.get(f"{HERE}/score-sources/")
    human = next(row["key"] for row in sources if row["key"].startswith("labels"))
    metrics = [row["key"] for row in sources if row["key"] != human]
    asked = {"human": human, "metrics": metrics[:3], "resamples": 50}
    report = script.post(f"{HERE}/reports/", asked)
    here = f"{HERE}/reports/{report['id']}"
    assert b"<html" in script.download(f"{here}/html/")
    assert "/shared/" in script.post(f"{here}/share/", {"shared": True})["link"]

    made = script.post(f"{HERE}/gold/", {"labels": kept["id"], "name": "Story"})
    gold = script.get(f"{HERE}/gold/{made['id']}/")
    packed = SimpleUploadedFile(
        "gold.zip", script.download(f"{HERE}/gold/{made['id']}/download/gold/")
    )
    script.upload("/gold/import/", slug="copy", file=packed)
    [copy] = script.get("/projects/copy/gold/")["results"]
    assert copy["content_hash"] == gold["content_hash"]
