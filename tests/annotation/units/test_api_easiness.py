"""REST: STUs, regressors, rankings and plans."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs import service as jobs_service
from annotation.corpora.projects.models import Project
from annotation.units.sets.models import UnitSet
from annotation.units.stus import extraction
from tests import factories
from tests.annotation.corpora.rest import Rest, error_of
from tests.annotation.units.corpus import make_corpus, sentence_ids, write_scus

SETS = "/projects/news/unit-sets/"
MODELS = "/projects/news/easiness-models/"


@pytest.fixture
def news(owner: User, tmp_path: Path) -> Project:
    return make_corpus(owner, tmp_path)


@pytest.fixture
def rest(owner: User) -> Rest:
    return Rest(owner)


def extract(rest: Rest, **said: Any) -> str:
    made = rest.post(f"{SETS}extract/", {"extractor": "srl", **said})
    assert made.status_code == 202, made.json()
    assert jobs_service.run_job(job_id=made.json()["job"])
    return f"{SETS}{made.json()['id']}/"


def test_it_goes_from_a_corpus_to_a_plan(news: Project, rest: Rest, owner: User, tmp_path: Path):
    stus = extract(rest)
    said = rest.get(stus).json()
    assert (said["state"], said["extractor"], said["name"]) == ("frozen", "srl", "STUs by srl")
    assert said["extractor_version"].startswith("srl-1")
    rows = rest.get(f"{stus}sentences/?page_size=3").json()
    assert (rows["count"], len(rows["results"])) == (12, 3)
    hardest = rows["results"][0]
    assert hardest["difficulty"] == max(row["difficulty"] for row in rows["results"])
    assert hardest["text"]
    assert error_of(rest.get(f"{stus}quality/"))[0] == 404
    scus = write_scus(news, owner, tmp_path)
    quality = rest.get(f"{stus}quality/").json()
    assert quality["scus_set"] == scus.pk
    assert quality["x"] == pytest.approx(said["unit_count"] / scus.unit_count)
    draft = f"{SETS}{factories.make_set(news, owner, 'Draft').pk}/"
    body = {"stus": said["id"], "human": [hardest["sentence"]], "author": owner.pk}
    counts = rest("PUT", f"{draft}plan/", body).json()
    assert (counts["sentences"], counts["human"], counts["stus"]) == (12, 1, 11)
    assert counts == rest.get(f"{draft}plan/").json()
    [mine] = rest.get(f"{draft}sentences/?who=people").json()["results"]
    assert (mine["sentence"], mine["human"]) == (hardest["sentence"], True)
    assert mine["difficulty"] == hardest["difficulty"]
    assert error_of(rest.get(f"{draft}sentences/?who=me")) == (400, "invalid")
    assert rest("DELETE", f"{draft}plan/").status_code == 204
    assert error_of(rest("DELETE", f"{draft}plan/")) == (409, "conflict")


def test_it_trains_and_ranks(news: Project, rest: Rest, owner: User, tmp_path: Path):
    stus = rest.get(extract(rest)).json()["id"]
    scus = write_scus(news, owner, tmp_path)
    made = rest.post(MODELS, {"name": "ours", "scus": scus.pk, "stus": stus, "folds": 3})
    assert (made.status_code, made.json()["model"]) == (202, "ours@1")
    assert made.json()["card"] == {}
    here = f"{MODELS}{made.json()['id']}/"
    assert error_of(rest.get(f"{here}file/"))[0] == 404
    assert jobs_service.run_job(job_id=made.json()["job"]["id"])
    card = rest.get(here).json()["card"]
    assert card["held_out"]["mean_mae"] > 0
    assert rest.get(f"{here}file/").json()["card"]["held_out"] == card["held_out"]
    assert rest.get(MODELS).json()["count"] == 1
    draft = f"{SETS}{factories.make_set(news, owner, 'Draft').pk}/"
    job = rest.post(f"{draft}rank/", {"stus": stus, "regressor": "ours@1"})
    assert (job.status_code, job.json()["kind"]) == (202, "rank_sentences")
    assert jobs_service.run_job(job_id=job.json()["id"])
    assert {row["model"] for row in rest.get(f"{draft}sentences/").json()["results"]} == {"ours@1"}
    assert error_of(rest("DELETE", here)) == (409, "conflict")
    assert rest("DELETE", f"{draft}plan/").status_code == 204
    assert rest("DELETE", here).status_code == 204


def test_it_pauses_and_resumes(news: Project, rest: Rest):
    made = rest.post(f"{SETS}extract/", {}).json()
    here = f"{SETS}{made['id']}/"
    assert rest.post(f"{here}pause/").status_code == 200
    assert error_of(rest.post(f"{here}pause/")) == (409, "conflict")
    assert rest.post(f"{here}resume/").status_code == 200
    assert error_of(rest.post(f"{here}resume/")) == (409, "conflict")


def test_it_pauses_nothing_where_nothing_is_filled(news: Project, rest: Rest, owner: User):
    here = f"{SETS}{factories.make_set(news, owner, 'Draft').pk}/"
    for verb in ("pause", "resume"):
        assert error_of(rest.post(f"{here}{verb}/")) == (409, "conflict")


@pytest.mark.parametrize(
    "wrong", [{"extractor": "alen"}, {"x": 0}, {"x": "1"}, {"coref": "yes"}, {"name": "x" * 81}]
)
def test_it_refuses_to_extract(wrong: dict[str, Any], news: Project, rest: Rest):
    assert error_of(rest.post(f"{SETS}extract/", wrong)) == (400, "invalid")
    assert not UnitSet.objects.exists()


def test_it_refuses_sets_of_other_projects(news: Project, rest: Rest, owner: User, tmp_path: Path):
    other = make_corpus(owner, tmp_path, "elsewhere")
    foreign = factories.make_set(other, owner, "Foreign")
    draft = factories.make_set(news, owner, "Draft")
    here = f"{SETS}{draft.pk}/"
    body = {"stus": foreign.pk, "human": sentence_ids(news)[:1]}
    assert error_of(rest("PUT", f"{here}plan/", body))[0] == 404
    assert error_of(rest.post(f"{here}rank/", {"stus": foreign.pk}))[0] == 404
    asked = {"name": "ours", "scus": foreign.pk, "stus": foreign.pk}
    assert error_of(rest.post(MODELS, asked))[0] == 404


def test_it_refuses_a_plan_for_people_who_may_not_write(
    news: Project, rest: Rest, owner: User, outsider: User
):
    stus = extraction.extract_stus(project=news, user=owner)
    here = f"{SETS}{factories.make_set(news, owner, 'Draft').pk}/plan/"
    body = {"stus": stus.pk, "human": [], "author": outsider.pk}
    assert error_of(rest("PUT", here, body))[0] == 404
    assert error_of(rest("PUT", here, {"stus": stus.pk, "human": []})) == (409, "conflict")
