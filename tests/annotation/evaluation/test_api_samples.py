"""REST: samples are drawn, read, led on to a campaign and deleted."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Project
from annotation.evaluation.metrics.models import ScoreSet
from tests.annotation.corpora.rest import Rest
from tests.annotation.evaluation.campaigns import make_units
from tests.annotation.evaluation.sampled import import_many, score_many

SAMPLES = "/projects/study/samples/"


@pytest.fixture
def scores(project: Project, tmp_path: Path) -> ScoreSet:
    import_many(project, tmp_path)
    return score_many(project, tmp_path)


def test_it_goes_from_scores_to_a_campaign(scores: ScoreSet, owner: User) -> None:
    rest = Rest(owner)
    sources = [f"scores:{scores.pk}:{column}" for column in ("r1", "r2")]
    answer = rest.post(SAMPLES, {"sources": sources, "bins": 2, "per_bin": 2, "seed": 3})
    assert answer.status_code == 201, answer.json()
    made = answer.json()
    assert made["counts"] == {
        "population": 12,
        "drawn": 8,
        "missing": 0,
        "clashes": len(made["clashes"]),
        "left_out": 0,
    }
    assert [row["name"] for row in made["sources"]] == ["r1", "r2"]
    assert [row["source"] for row in made["compared"]] == sources
    assert made["compared"][0]["bins"][0]["examples"] == 6
    there = f"{SAMPLES}{made['id']}/"
    assert rest.get(there).json() == made
    assert rest.get(SAMPLES).json()["results"][0]["id"] == made["id"]
    drawn = rest.get(f"{there}examples/").json()["results"]
    assert [row["drawn"] for row in drawn] == list(range(1, 9))
    everybody = rest.get(f"{there}examples/?show=all").json()
    assert everybody["count"] == 12
    assert sum(row["chance"] for row in everybody["results"]) == pytest.approx(8)
    unit_set = make_units(scores.project, owner)
    body = {"unit_set": unit_set.pk, "name": "Of the sample"}
    campaign = rest.post(f"{there}campaign/", body).json()
    assert len(campaign["scope"]["examples"]) == 8
    assert rest.get(there).json()["campaigns"] == [campaign["id"]]
    assert rest("DELETE", there).status_code == 204
    assert rest.get(there).status_code == 404
    assert rest.get(f"/projects/study/campaigns/{campaign['id']}/").status_code == 200


def test_it_says_what_is_wrong(scores: ScoreSet, owner: User) -> None:
    rest, key = Rest(owner), f"scores:{scores.pk}:r1"
    answer = rest.post(SAMPLES, {"sources": [key], "bins": 13})
    assert answer.status_code == 409
    assert "make 52" in answer.json()["error"]["message"]
    assert rest.post(SAMPLES, {"sources": [key], "bin": 3}).status_code == 400
    assert rest.post(SAMPLES, {"sources": ["scores:0:x"]}).status_code == 404
    assert rest.get(f"{SAMPLES}1/examples/?show=some").status_code in (400, 404)
