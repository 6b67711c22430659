"""REST: curves are drawn, plans found and taken, systems quoted."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.service import run_job
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.planning.models import BudgetPlan
from annotation.units.sets.models import UnitSet
from annotation.units.stus.models import SentencePlan
from tests import factories
from tests.annotation.corpora.rest import Rest, error_of
from tests.annotation.evaluation.planned import key_of, make_curves, make_plan

PLANS, CURVES = "/projects/study/plans/", "/projects/study/curves/"


@pytest.fixture
def rest(owner: User) -> Rest:
    return Rest(owner)


def test_it_finds_plans_by_a_job(rest: Rest, labelled: LabelSet, stus: UnitSet) -> None:
    body = {"money": "150", "hours": 6, "stus": stus.pk, "rounds": 2}
    made = rest.post(PLANS, body)
    assert made.status_code == 202, made.json()
    told = made.json()
    assert (told["is_ready"], told["frontier"], told["asked"]["money"]) == (False, {}, "150")
    run_job(job_id=told["job"]["id"])
    done = rest.get(f"{PLANS}{told['id']}/").json()
    assert done["is_ready"]
    assert done["frontier"]["best"] in {row["key"] for row in done["frontier"]["plans"]}
    [row] = rest.get(PLANS).json()["results"]
    assert ("frontier" in row, row["name"]) == (False, f"Budget {told['id']}: $150 and 6 hours")


@pytest.mark.parametrize(
    ("body", "name", "value"),
    [
        ({"goal": "width"}, "goal_width", 0.05),
        ({"goal": "width", "target": 0.2}, "goal_width", 0.2),
        ({"goal": "difference", "target": 0.3}, "goal_difference", 0.3),
        ({"goal": "correlation", "target": 0.3}, "goal_width", None),
        ({"reward": "0.20"}, "reward", "0.20"),
        ({"examples": 99}, "examples", 3),
        ({}, "money", None),
    ],
)
def test_it_understands_what_is_asked(
    rest: Rest, labelled: LabelSet, body: dict[str, Any], name: str, value: Any
) -> None:
    assert rest.post(PLANS, body).json()["asked"][name] == value


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"money": 150}, 400),
        ({"money": "1.005"}, 400),
        ({"hours": "6"}, 400),
        ({"goal": "luck"}, 400),
        ({"target": 1}, 400),
        ({"provider": "nobody"}, 400),
        ({"speed": 1}, 400),
        ({"stus": 999_999}, 404),
        ({"pilot": 999_999}, 404),
    ],
)
def test_it_refuses_what_it_can_not_read(
    rest: Rest, labelled: LabelSet, body: dict[str, Any], status: int
) -> None:
    assert rest.post(PLANS, body).status_code == status
    assert not BudgetPlan.objects.exists()


def test_it_takes_a_plan_and_gives_it_back(
    rest: Rest, labelled: LabelSet, stus: UnitSet, owner: User
) -> None:
    plan = make_plan(labelled.project, owner, stus=stus)
    here = f"{PLANS}{plan.pk}/"
    body = {"key": key_of(plan), "name": "Spring", "author": owner.pk}
    taken = rest.post(f"{here}apply/", body)
    assert taken.status_code == 201, taken.json()
    told = taken.json()
    assert told["chosen"] == key_of(plan)
    assert SentencePlan.objects.filter(set=told["unit_set"]).exists()
    assert set(told["work"]["people"]) <= set(told["work"]["examples"])
    assert error_of(rest.post(f"{here}apply/", body))[0] == 409
    looked = rest.get(f"{here}look-back/").json()
    assert (looked["labels"], looked["judge"]) == (labelled.pk, "human")
    assert "different actual coverage" in looked["coverage"]
    assert rest.get(f"{here}look-back/?labels={labelled.pk}").status_code == 200
    assert rest.get(f"{here}look-back/?judge=nobody").status_code == 409
    quote = rest.get(f"/projects/study/campaigns/{told['campaign']}/quote/?systems=2").json()
    assert quote["summaries"] == 2 * len(told["work"]["people"])
    assert (quote["is_exact"], quote["hours"]) == (False, 0)
    back = rest.post(f"{here}undo/", {}).json()
    assert (back["chosen"], back["unit_set"], back["campaign"]) == ("", None, None)
    assert rest.get(f"{here}look-back/").status_code == 404
    assert rest("DELETE", here).status_code == 204


def test_it_refuses_a_plan_that_is_not_there(rest: Rest, labelled: LabelSet, stus: UnitSet) -> None:
    plan = make_plan(labelled.project, stus=stus)
    known, stranger = {"key": key_of(plan)}, factories.make_user("Stranger")
    for body, status in (
        ({}, 400),
        ({"key": "none"}, 404),
        (known | {"author": 999_999}, 404),
        (known | {"author": stranger.pk}, 404),
        (known | {"stus": 999_999}, 404),
    ):
        assert rest.post(f"{PLANS}{plan.pk}/apply/", body).status_code == status, body


def test_it_draws_curves_by_a_job(rest: Rest, labelled: LabelSet, stus: UnitSet) -> None:
    body = {"labels": labelled.pk, "stus": stus.pk, "step": 50, "bootstrap": 5, "judge": "human"}
    made = rest.post(CURVES, body)
    assert made.status_code == 202, made.json()
    told = made.json()
    run_job(job_id=told["job"]["id"])
    done = rest.get(f"{CURVES}{told['id']}/").json()
    assert (done["is_ready"], done["judge"]) == (True, "human")
    assert done["found"]["percentages"] == [0, 50, 100]
    [row] = rest.get(CURVES).json()["results"]
    assert "found" not in row
    assert rest("DELETE", f"{CURVES}{told['id']}/").status_code == 204


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"labels": 999_999}, 404),
        ({"stus": 999_999}, 404),
        ({"judge": "nobody"}, 409),
        ({"step": 7}, 400),
        ({"seeds": 3}, 400),
    ],
)
def test_it_refuses_curves_of_nothing(
    rest: Rest, labelled: LabelSet, stus: UnitSet, body: dict[str, Any], status: int
) -> None:
    sent = {"labels": labelled.pk, "stus": stus.pk, **body}
    assert rest.post(CURVES, sent).status_code == status


def test_it_tells_of_curves_to_viewers(labelled: LabelSet, stus: UnitSet, viewer: User) -> None:
    curves = make_curves(labelled, stus)
    assert Rest(viewer).get(f"{CURVES}{curves.pk}/").json()["id"] == curves.pk
