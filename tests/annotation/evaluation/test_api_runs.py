"""REST: judges and runs from their beginning to their figures."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.corpora.accounts.models import User
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.runs.models import JudgeRun
from annotation.units.sets.models import UnitSet
from tests.annotation.corpora.rest import Rest, error_of
from tests.annotation.evaluation.running import finish, lead

pytestmark = pytest.mark.usefixtures("toys")

RUNS = "/projects/study/runs/"


@pytest.fixture
def rest(owner: User) -> Rest:
    return Rest(owner)


def start(rest: Rest, judged: UnitSet, **body: Any) -> Any:
    return rest.post(RUNS, {"unit_set": judged.pk, "judge": "toy2", **body})


def test_it_tells_of_judges(rest: Rest, judged_set: UnitSet) -> None:
    told = {row["name"]: row for row in rest.get(f"{RUNS}judges/").json()}
    assert told["lexical"]["functions"] == ["p2c", "l2c"]
    assert told["lexical"]["is_light"]
    assert not told["anli"]["is_light"]
    assert "where" not in told["anli"]


def test_it_goes_from_its_beginning_to_its_figures(rest: Rest, judged_set: UnitSet) -> None:
    made = start(rest, judged_set, function="p2c", chunk_size=2, note="By script")
    assert made.status_code == 202, made.json()
    told = made.json()
    assert (told["figures"], told["is_ready"], told["identity"]) == (None, False, "")
    assert told["progress"] | {"pairs": 0, "total": 18, "all_chunks": 3} == told["progress"]
    lead(JudgeRun.objects.get(pk=told["id"]))
    done = rest.get(f"{RUNS}{told['id']}/").json()
    assert (done["is_ready"], done["job"]["state"], done["note"]) == (True, "done", "By script")
    assert done["figures"]["counts"]["judged"] == 6
    assert len(done["identity"]) == 64
    assert done["signature"].startswith("judge:toy2|")
    assert [row["id"] for row in rest.get(RUNS).json()["results"]] == [told["id"]]


@pytest.mark.parametrize(
    "body, status",
    [
        ({"judge": "oracle"}, 404),
        ({"judge": "/etc/passwd"}, 404),
        ({"judge": "lexical", "function": "p3c"}, 409),
        ({"function": "p9c"}, 400),
        ({"systems": ["nobody"]}, 404),
        ({"unit_set": 999_999}, 404),
        ({"options": {"precision": "fp64"}}, 400),
        ({"options": {"threads": 8}}, 400),
        ({"speed": "high"}, 400),
    ],
)
def test_it_refuses_what_is_wrong(
    rest: Rest, judged_set: UnitSet, body: dict[str, Any], status: int
) -> None:
    assert error_of(start(rest, judged_set, **body))[0] == status
    assert not JudgeRun.objects.exists()


def test_it_is_steered(rest: Rest, judged_set: UnitSet) -> None:
    here = f"{RUNS}{start(rest, judged_set).json()['id']}/"
    for step, state in (("pause", "paused"), ("resume", "queued"), ("cancel", "cancelled")):
        told = rest.post(f"{here}{step}/")
        assert (told.status_code, told.json()["job"]["state"]) == (202, state)
    assert error_of(rest.post(f"{here}pause/"))[0] == 409
    assert error_of(rest.post(f"{here}retry/"))[0] == 409
    assert error_of(rest.get(f"{here}scores/")) == (409, "conflict")
    assert rest("DELETE", here).status_code == 204
    assert error_of(rest.get(here))[0] == 404


def test_it_tells_scores_beside_people(rest: Rest, labelled: LabelSet) -> None:
    run = finish(labelled.unit_set)
    told = rest.get(f"{RUNS}{run.pk}/scores/").json()
    assert [row["system"] for row in told["rows"]] == ["lead", "soup"]
    assert told["labels"] == labelled.pk
    assert told["people"]["figures"]["units"] == 18
    assert told["people"]["systems"][0]["bias"] == pytest.approx(
        told["people"]["systems"][0]["judge"] - told["people"]["systems"][0]["people"]
    )
    assert rest.get(f"{RUNS}{run.pk}/scores/?labels={labelled.pk}").json() == told
    assert error_of(rest.get(f"{RUNS}{run.pk}/scores/?labels=999999"))[0] == 404


def test_it_tells_every_value_in_pages(rest: Rest, judged_set: UnitSet) -> None:
    run = finish(judged_set)
    told = rest.get(f"{RUNS}{run.pk}/presence/?page_size=4").json()
    assert (told["count"], len(told["results"])) == (6, 4)
    first = told["results"][0]
    assert (first["example"], first["system"], len(first["presence"])) == ("e1", "lead", 3)
    assert rest.get(f"{RUNS}{run.pk}/scores/").json()["people"] is None
