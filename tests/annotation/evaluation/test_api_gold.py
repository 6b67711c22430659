"""REST: gold versions made, downloaded, and restored on a server that has nothing of them."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.service import run_job
from annotation.corpora.projects.models import Membership, Project, Role
from annotation.crowd.campaigns.models import Campaign
from annotation.evaluation.gold.downloads import FORMATS
from annotation.evaluation.gold.models import GoldVersion
from annotation.evaluation.labels.models import LabelSet
from tests.annotation.corpora.rest import Rest, error_of
from tests.annotation.evaluation.campaigns import NOISY

GOLD = "/projects/study/gold/"


@pytest.fixture
def rest(owner: User) -> Rest:
    return Rest(owner)


def body_of(response: Any) -> bytes:
    assert response.status_code == 200, response.json()
    return b"".join(response)


def restore(rest: Rest, sent: bytes, *, name: str = "gold.zip", **fields: str) -> Any:
    file = SimpleUploadedFile(name, sent)
    return rest.client.post("/api/v1/gold/import/", {"file": file, "slug": "again", **fields})


def test_it_makes_a_gold_version_by_a_job(rest: Rest, labelled: LabelSet):
    body = {"labels": labelled.pk, "name": "Dams", "licence": "CC-BY-4.0", "citation": "@misc{d}"}
    made = rest.post(GOLD, body)
    assert made.status_code == 202, made.json()
    assert (made.json()["version"], made.json()["is_ready"]) == (1, False)
    path = f"{GOLD}{made.json()['id']}/"
    assert error_of(rest.get(f"{path}download/jsonl/")) == (409, "conflict")
    run_job(job_id=made.json()["job"]["id"])
    found = rest.get(path).json()
    assert found["is_ready"] is True
    assert len(found["content_hash"]) == 64
    assert (found["facts"]["licence"], found["facts"]["counts"]["answers"]) == ("CC-BY-4.0", 72)
    assert rest.post(GOLD, body).json()["version"] == 2
    assert [row["version"] for row in rest.get(GOLD).json()["results"]] == [2, 1]


def test_it_makes_gold_of_labels_that_are_ready(rest: Rest, judged: Campaign):
    made = rest.post("/projects/study/labels/", {}).json()
    answer = rest.post(GOLD, {"labels": made["id"], "name": "Dams"})
    assert error_of(answer) == (409, "conflict")
    assert error_of(rest.post(GOLD, {"labels": 99, "name": "Dams"})) == (404, "not_found")


def test_it_lets_only_an_owner_give_worker_ids(rest: Rest, editor: User, labelled: LabelSet):
    body = {"labels": labelled.pk, "name": "Dams", "worker_names": "id"}
    assert error_of(Rest(editor).post(GOLD, body)) == (403, "forbidden")
    assert not GoldVersion.objects.exists()
    made = rest.post(GOLD, body)
    run_job(job_id=made.json()["job"]["id"])
    assert NOISY in body_of(rest.get(f"{GOLD}{made.json()['id']}/download/jsonl/")).decode()


@pytest.mark.parametrize("format", list(FORMATS))
def test_it_downloads_every_format(format: str, viewer: User, gold: GoldVersion):
    response = Rest(viewer).get(f"{GOLD}{gold.pk}/download/{format}/")
    body = body_of(response)
    chosen = FORMATS[format]
    assert response["Content-Type"] == chosen.media_type
    assert response["Content-Disposition"].endswith(f'.{chosen.suffix}"')
    assert body
    assert NOISY.encode() not in body
    if chosen.suffix == "zip":
        assert zipfile.ZipFile(io.BytesIO(body)).testzip() is None


def test_it_has_no_other_formats(rest: Rest, gold: GoldVersion):
    answer = rest.get(f"{GOLD}{gold.pk}/download/docx/")
    assert error_of(answer) == (404, "not_found")
    assert "jsonl" in answer.json()["error"]["hint"]


@pytest.mark.parametrize(("format", "name"), [("gold", "gold.zip"), ("jsonl", "gold.jsonl")])
def test_it_restores_a_study_with_the_same_hash(
    format: str, name: str, rest: Rest, outsider: User, gold: GoldVersion
):
    sent = body_of(rest.get(f"{GOLD}{gold.pk}/download/{format}/"))
    elsewhere = Rest(outsider)
    started = restore(elsewhere, sent, name=name)
    assert started.status_code == 202, started.json()
    assert started.json()["project"] == "again"
    run_job(job_id=started.json()["job"]["id"])
    again = Project.objects.get(slug="again")
    assert Membership.objects.get(project=again).role == Role.OWNER
    [restored] = elsewhere.get("/projects/again/gold/").json()["results"]
    assert restored["content_hash"] == gold.content_hash
    there = elsewhere.get(f"/projects/again/gold/{restored['id']}/download/jsonl/")
    ours = rest.get(f"{GOLD}{gold.pk}/download/jsonl/")
    assert body_of(there) == body_of(ours)


def test_it_lists_what_is_wrong_with_a_gold_file(rest: Rest, gold: GoldVersion):
    lines = body_of(rest.get(f"{GOLD}{gold.pk}/download/jsonl/")).decode().splitlines()
    changed = [line.replace("The dam burst.", "The dam held.") for line in lines]
    answer = restore(rest, "\n".join(changed).encode(), name="gold.jsonl")
    assert answer.status_code == 409
    assert answer.json()["error"]["code"] == "refused"
    assert not Project.objects.filter(slug="again").exists()
    assert restore(rest, b"PK", name="gold.zip").status_code == 409
    assert restore(rest, json.dumps({}).encode(), name="gold.jsonl").status_code == 409


@pytest.mark.parametrize(
    ("fields", "status"), [({"slug": "study"}, 409), ({"slug": "new"}, 400), ({"slug": "a b"}, 400)]
)
def test_it_refuses_an_address_that_can_not_be(
    fields: dict[str, str], status: int, rest: Rest, gold: GoldVersion
):
    sent = body_of(rest.get(f"{GOLD}{gold.pk}/download/gold/"))
    assert error_of(restore(rest, sent, **fields))[0] == status
