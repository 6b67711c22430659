"""REST: a judge is trained, tells its card, judges in a run, and goes."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.service import run_job
from annotation.evaluation.gold.models import GoldVersion
from annotation.evaluation.judges.models import TrainedJudge
from annotation.evaluation.labels.models import LabelSet
from tests import factories
from tests.annotation.corpora.rest import Rest, error_of
from tests.annotation.evaluation.training import train

JUDGES = "/projects/study/trained-judges/"


@pytest.fixture
def rest(owner: User) -> Rest:
    return Rest(owner)


def begin(rest: Rest, **body: Any) -> Any:
    return rest.post(JUDGES, {"name": "dams", "base": "lexical", **body})


def test_it_trains_by_a_job(rest: Rest, labelled: LabelSet) -> None:
    made = begin(rest, labels=labelled.pk, folds=3, options={"seed": 7})
    assert made.status_code == 202, made.json()
    told = made.json()
    assert (told["judge"], told["is_ready"], told["card"]) == ("dams@1", False, {})
    assert (told["labels"], told["gold"], told["options"]["seed"]) == (labelled.pk, None, 7)
    run_job(job_id=told["job"]["id"])
    done = rest.get(f"{JUDGES}{told['id']}/").json()
    assert (done["is_ready"], done["job"]["state"]) == (True, "done")
    assert done["card"]["held_out"]["summary_level"]["level"] == "summary-level"
    [row] = rest.get(JUDGES).json()["results"]
    assert (row["judge"], "card" in row) == ("dams@1", False)
    names = {row["name"] for row in rest.get("/projects/study/runs/judges/").json()}
    assert "dams@1" in names


def test_it_learns_from_a_gold_version(rest: Rest, gold: GoldVersion) -> None:
    told = begin(rest, gold=gold.pk, folds_by="systems", folds=2).json()
    assert (told["gold"], told["learned_from"], told["folds_by"]) == (gold.pk, "Dams v1", "systems")


@pytest.mark.parametrize(
    "body, status",
    [
        ({}, 409),
        ({"labels": 999_999}, 404),
        ({"gold": 999_999}, 404),
        ({"name": "a b"}, 400),
        ({"base": "../.."}, 404),
        ({"folds": 9}, 409),
        ({"folds_by": "luck"}, 400),
        ({"options": {"epochs": "2"}}, 400),
        ({"options": {"speed": 2}}, 400),
        ({"colour": "blue"}, 400),
    ],
)
def test_it_refuses_what_is_wrong(
    rest: Rest, labelled: LabelSet, body: dict[str, Any], status: int
) -> None:
    body = {"labels": labelled.pk, **body} if body else {}
    assert error_of(begin(rest, **body))[0] == status
    assert not TrainedJudge.objects.exists()


def test_it_takes_one_source(rest: Rest, gold: GoldVersion) -> None:
    assert error_of(begin(rest, gold=gold.pk, labels=gold.label_set_id))[0] == 409


def test_it_goes(rest: Rest, labelled: LabelSet) -> None:
    here = f"{JUDGES}{train(labelled, folds=0).pk}/"
    assert rest("DELETE", here).status_code == 204
    assert error_of(rest.get(here))[0] == 404


def test_it_is_not_told_by_another_project(rest: Rest, labelled: LabelSet, owner: User) -> None:
    judge = train(labelled, folds=0)
    factories.make_project(owner, slug="other")
    assert error_of(rest.get(f"/projects/other/trained-judges/{judge.pk}/"))[0] == 404
    assert rest.get("/projects/other/trained-judges/").json()["results"] == []
    names = {row["name"] for row in rest.get("/projects/other/runs/judges/").json()}
    assert "dams@1" not in names
