"""REST: metrics are listed, summaries scored, scores brought in, read and deleted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.service import run_job
from annotation.corpora.projects.models import Project
from annotation.evaluation.metrics.models import ScoreSet
from scoring.metrics import METRICS
from tests.annotation.corpora.rest import Rest, error_of
from tests.annotation.evaluation.scored import begin_scores, make_scores

SCORES = "/projects/study/score-sets/"


@pytest.fixture
def rest(owner: User) -> Rest:
    return Rest(owner)


def send(rest: Rest, text: str, **fields: str) -> Any:
    file = SimpleUploadedFile("theirs.csv", text.encode())
    return rest.client.post(f"/api/v1{SCORES}import/", {"file": file, **fields})


def test_it_lists_metrics(rest: Rest, corpus: Project) -> None:
    found = {row["name"]: row for row in rest.get("/projects/study/metrics/").json()}
    assert list(found) == list(METRICS)
    assert found["rouge"]["options"][0] == {
        "name": "stem",
        "default": True,
        "what": "use Porter stems",
        "choices": [],
    }


def test_it_scores_by_a_job(rest: Rest, corpus: Project) -> None:
    made = rest.post(SCORES, {"metric": "meteor", "options": {"synonyms": False, "alpha": 0.8}})
    assert made.status_code == 202, made.json()
    told = made.json()
    assert (told["is_ready"], told["counts"], told["columns"]) == (False, {}, [])
    assert told["options"]["alpha"] == 0.8
    run_job(job_id=told["job"]["id"])
    done = rest.get(f"{SCORES}{told['id']}/").json()
    assert done["is_ready"]
    assert done["columns"] == ["meteor", "meteor_recall", "meteor_precision"]
    assert done["counts"]["summaries"] == 6
    [row] = rest.get(SCORES).json()["results"]
    assert row["signature"] == done["signature"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 400),
        ({"metric": "rogue"}, 400),
        ({"metric": "rouge", "options": {"stem": []}}, 400),
        ({"metric": "rouge", "options": {"stem": "x" * 201}}, 400),
        ({"metric": "rouge", "options": {"stem": "perhaps"}}, 409),
        ({"metric": "meteor", "options": {"alpha": 1e999}}, 400),
        ({"metric": "meteor", "options": {"beta": 10**30}}, 202),
        ({"metric": "rouge", "stem": False}, 400),
        ({"metric": "rouge", "systems": ["lede"]}, 404),
    ],
)
def test_it_refuses_what_it_does_not_understand(
    rest: Rest, corpus: Project, body: dict[str, Any], status: int
) -> None:
    assert rest.post(SCORES, body).status_code == status


def test_it_tells_systems_and_every_number(rest: Rest, corpus: Project) -> None:
    made = make_scores(corpus, "js")
    told = rest.get(f"{SCORES}{made.pk}/systems/?column=js2").json()
    assert (told["column"], told["is_lower_better"]) == ("js2", True)
    assert [row["system"] for row in told["rows"]] == ["lead", "soup"]
    assert told["rows"][0]["low"] <= told["rows"][0]["score"] <= told["rows"][0]["high"]
    assert rest.get(f"{SCORES}{made.pk}/systems/").json()["column"] == "js1"
    assert error_of(rest.get(f"{SCORES}{made.pk}/systems/?column=x")) == (404, "not_found")
    lines = b"".join(rest.get(f"{SCORES}{made.pk}/download/").streaming_content).splitlines()
    assert len(lines) == 1 + made.counts["scores"]


def test_it_tells_nothing_of_what_is_not_ready(rest: Rest, corpus: Project) -> None:
    made = begin_scores(corpus)
    for path in ("systems/", "download/"):
        assert error_of(rest.get(f"{SCORES}{made.pk}/{path}")) == (409, "conflict")
    assert error_of(rest("DELETE", f"{SCORES}{made.pk}/")) == (409, "conflict")


def test_it_takes_scores_in(rest: Rest, corpus: Project) -> None:
    text = "doc_id,system,metric,score,flag\ne1,lead,ter,0.5,\ne1,soup,ter,1,odd\n"
    told = send(rest, text, name="TER", lower="ter", flagged="false").json()
    assert (told["name"], told["lower"], told["systems"]) == ("TER", ["ter"], ["lead"])
    run_job(job_id=told["job"]["id"])
    sources = rest.get("/projects/study/score-sources/").json()
    assert [(row["key"], row["is_lower_better"]) for row in sources] == [
        (f"scores:{told['id']}:ter", True)
    ]
    assert rest("DELETE", f"{SCORES}{told['id']}/").status_code == 204
    assert not ScoreSet.objects.exists()


def test_it_only_checks_scores_if_asked_to(rest: Rest, corpus: Project, tmp_path: Path) -> None:
    text = "doc_id,system,metric,score\ne1,lead,ter,0.5\ne1,soup,ter,1\n"
    told = send(rest, text, check="true")
    assert (told.status_code, told.json()) == (200, {"checked": 2})
    (tmp_path / "ter.csv").write_text(text)
    call_command("import_scores", str(tmp_path / "ter.csv"), "--project", "study", "--check")
    assert not ScoreSet.objects.exists()


def test_it_lists_the_problems_of_a_file(rest: Rest, corpus: Project) -> None:
    told = send(rest, "doc_id,system,metric,score\ne9,lead,ter,0.5\n")
    assert told.status_code == 409
    error = told.json()["error"]
    assert error["code"] == "refused"
    assert error["problems"][0]["line"] == 2
