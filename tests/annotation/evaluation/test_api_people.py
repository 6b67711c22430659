"""REST: contested statements, what experts settle, who answered, and decisions about their work."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Summary
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import Assignment, Campaign, Worker
from annotation.evaluation.labels.models import Adjudication, Decision, LabelSet
from tests.annotation.corpora.rest import Rest, error_of
from tests.annotation.evaluation.campaigns import NOISY, make_labels, make_units

HERE = "/projects/study/"


@pytest.fixture
def rest(owner: User) -> Rest:
    return Rest(owner)


@pytest.fixture
def as_reader(viewer: User) -> Rest:
    return Rest(viewer)


def rows(rest: Rest, path: str) -> list[dict[str, Any]]:
    answer = rest.get(f"{HERE}{path}")
    assert answer.status_code == 200, answer.json()
    found: list[dict[str, Any]] = answer.json()["results"]
    return found


def settle(rest: Rest, row: dict[str, Any], **more: Any) -> Any:
    body = {"summary": row["summary"], "unit": row["unit"], "present": True, **more}
    return rest.post(f"{HERE}adjudications/", body)


def noisy() -> Worker:
    return Worker.objects.get(provider_id=NOISY)


def test_it_shows_the_most_evenly_divided_statements_first(rest: Rest, judged: Campaign):
    found = rows(rest, "contested/")
    assert len(found) == 18
    assert [row["split"] for row in found[:3]] == [1.0, 1.0, 0.5]
    first = found[0]
    assert (first["example"], first["system"], first["text"]) == ("e1", "soup", "Nobody was hurt.")
    assert (first["absent"], first["present"], first["label"]) == (2, 2, 0)
    assert {row["worker"]: row["present"] for row in first["answers"]} == {
        "ANN": True,
        "BOB": False,
        "CEM": False,
        "DUD": True,
    }


def test_it_tells_readers_numbers_in_place_of_worker_ids(as_reader: Rest, judged: Campaign):
    [first, *_] = rows(as_reader, "contested/")
    assert sorted(row["worker"] for row in first["answers"]) == [
        f"Worker {number}" for number in (1, 2, 3, 4)
    ]


def test_it_calls_a_worker_without_an_id_unknown(as_reader: Rest, judged: Campaign):
    judged.assignments.filter(worker=noisy()).update(worker=None)
    [first, *_] = rows(as_reader, "contested/")
    assert [row["worker"] for row in first["answers"]].count("Unknown worker") == 1


def test_it_shows_contested_statements_by_the_rules_of_labels(rest: Rest, labelled: LabelSet):
    found = rows(rest, f"contested/?labels={labelled.pk}")
    assert [(row["example"], row["system"]) for row in found] == [("e1", "soup"), ("e2", "lead")]
    dropped = [row for row in found[0]["answers"] if not row["kept"]]
    assert [row["worker"] for row in dropped] == [NOISY]
    assert "on 2 of 2 statements" in dropped[0]["reason"]
    lead = rows(rest, f"contested/?labels={labelled.pk}&system=lead")
    assert [row["system"] for row in lead] == ["lead"]


def test_it_refuses_contested_statements_of_labels_without_answers(rest: Rest, labelled: LabelSet):
    labelled.campaigns.clear()
    answer = rest.get(f"{HERE}contested/?labels={labelled.pk}")
    assert error_of(answer) == (409, "conflict")
    assert error_of(rest.get(f"{HERE}contested/?show=none")) == (400, "invalid")
    assert error_of(rest.get(f"{HERE}contested/?system={'x' * 201}")) == (400, "invalid")


def test_it_settles_a_statement_and_takes_it_back(rest: Rest, judged: Campaign, owner: User):
    [first, *_] = rows(rest, "contested/")
    made = settle(rest, first, reason="The source says so.")
    assert made.status_code == 201, made.json()
    assert (made.json()["expert"], made.json()["text"]) == ("Owner", "Nobody was hurt.")
    [settled] = rows(rest, "contested/?show=settled")
    assert (settled["label"], settled["adjudication"]) == (1, made.json()["id"])
    assert make_labels(judged, owner).figures["counts"]["expert"] == 1
    path = f"{HERE}adjudications/{made.json()['id']}/"
    assert rest("DELETE", path).status_code == 204
    assert error_of(rest("DELETE", path)) == (404, "not_found")
    assert rows(rest, "adjudications/") == []
    assert Adjudication.objects.get().undone_by == owner


def test_it_settles_a_statement_anew(rest: Rest, judged: Campaign):
    [first, *_] = rows(rest, "contested/")
    settle(rest, first)
    settle(rest, first, present=False)
    assert [row["present"] for row in rows(rest, "adjudications/")] == [False]


def test_it_settles_only_what_is_in_the_project(rest: Rest, judged: Campaign):
    [first, *_] = rows(rest, "contested/")
    for wrong in ({"summary": 10**6}, {"unit": 10**6}):
        assert error_of(settle(rest, first, **wrong)) == (404, "not_found")
    other = Summary.objects.exclude(example__key=first["example"]).earliest("pk")
    assert error_of(settle(rest, first, summary=other.pk))[0] in (400, 409)
    assert error_of(settle(rest, first, present="yes")) == (400, "invalid")


def test_it_describes_workers_to_editors(rest: Rest, judged: Campaign, as_reader: Rest):
    found = {row["worker"]: row for row in rows(rest, "workers/")}
    assert set(found) == {"ANN", "BOB", "CEM", "DUD"}
    assert (found[NOISY]["hits"], found[NOISY]["answers"]) == (6, 18)
    assert found[NOISY]["agreement"] < 0.1 < 0.8 < found["CEM"]["agreement"]
    assert found["CEM"]["wage"] == "9.00"
    assert (found[NOISY]["gold_asked"], found[NOISY]["gold_right"]) == (6, 0)
    assert found["ANN"]["seconds"] == pytest.approx(10)
    assert rows(rest, f"workers/?campaign={judged.pk}")[0]["decision"] is None
    assert error_of(rest.get(f"{HERE}workers/?campaign=99")) == (404, "not_found")
    assert error_of(as_reader.get(f"{HERE}workers/")) == (403, "forbidden")


def test_it_describes_only_workers_whose_id_is_known(rest: Rest, judged: Campaign):
    judged.assignments.filter(worker=noisy()).update(worker=None)
    judged.assignments.filter(worker__provider_id="ANN").update(seconds=None)
    found = {row["worker"]: row for row in rows(rest, "workers/")}
    assert set(found) == {"ANN", "BOB", "CEM"}
    assert (found["ANN"]["seconds"], found["ANN"]["wage"]) == (None, None)


def test_it_leaves_out_a_worker_until_that_is_taken_back(
    rest: Rest, as_reader: Rest, judged: Campaign, owner: User
):
    body = {"worker": noisy().pk, "verdict": "drop", "reason": "Says the opposite."}
    made = rest.post(f"{HERE}decisions/", body)
    assert made.status_code == 201, made.json()
    assert made.json()["worker_name"] == NOISY
    assert [row["worker_name"] for row in rows(as_reader, "decisions/")] == ["Worker 4"]
    assert rows(rest, "workers/?page=1")[3]["decision"] == made.json()["id"]
    said = rest.post(f"{HERE}labels/preview/", {}).json()
    assert said["drops"] == [{"rule": "decision", "assignments": 6, "answers": 18, "workers": 1}]
    assert error_of(rest.post(f"{HERE}decisions/", body)) == (409, "conflict")
    assert rest("DELETE", f"{HERE}decisions/{made.json()['id']}/").status_code == 204
    assert rows(rest, "decisions/") == []
    assert Decision.objects.get().undone_by == owner


def test_it_keeps_one_piece_of_work_whatever_a_rule_says(rest: Rest, judged: Campaign):
    work = Assignment.objects.get(provider_id="DUD-e1-lead")
    body = {"assignment": work.pk, "verdict": "keep", "reason": "Looked at it."}
    made = rest.post(f"{HERE}decisions/", body)
    assert (made.status_code, made.json()["worker_name"]) == (201, NOISY)
    recipe = {"filters": [{"name": "per-summary"}]}
    said = rest.post(f"{HERE}labels/preview/", {"recipe": recipe}).json()
    assert said["counts"]["dropped"] == 5


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"verdict": "forgive"}, 400),
        ({"reason": " "}, 400),
        ({"worker": None}, 400),
        ({"worker": 10**6}, 404),
        ({"assignment": 1}, 400),
        ({"why": "?"}, 400),
    ],
)
def test_it_refuses_a_decision_that_is_not_one(
    changed: dict[str, Any], status: int, rest: Rest, judged: Campaign
):
    body = {"worker": noisy().pk, "verdict": "drop", "reason": "Noise.", **changed}
    assert error_of(rest.post(f"{HERE}decisions/", body))[0] == status
    assert not Decision.objects.exists()


def test_it_says_that_there_is_no_answer_yet(rest: Rest, corpus: Project, owner: User):
    make_units(corpus, owner)
    for path in ("contested/", "workers/", "crowd-size/"):
        assert error_of(rest.get(f"{HERE}{path}")) == (409, "conflict")


def test_it_says_what_other_crowd_sizes_would_give(as_reader: Rest, judged: Campaign):
    said = as_reader.get(f"{HERE}crowd-size/?seed=3").json()
    assert (said["judges"], said["most"], said["seed"]) == (4, 4, 3)
    one, two, three, four, *_ = said["rows"]
    assert one["alpha"] is None
    assert (two["judges"], three["judges"]) == (2, 3)
    assert (four["flips"]["mean"], four["rmse"]["mean"], four["simulated"]) == (0, 0, 0)
    assert one["flips"]["mean"] > 0.1
    assert said["rows"][-1]["simulated"] > 0
    assert said == as_reader.get(f"{HERE}crowd-size/?seed=3").json()
    assert error_of(as_reader.get(f"{HERE}crowd-size/?seed=x")) == (400, "invalid")


def test_it_says_that_no_answer_is_left_to_draw_judges_from(rest: Rest, judged: Campaign):
    judged.assignments.update(state="rejected")
    answer = rest.get(f"{HERE}crowd-size/")
    assert error_of(answer) == (409, "conflict")
    assert answer.json()["error"]["message"].startswith("There are no included answers")
